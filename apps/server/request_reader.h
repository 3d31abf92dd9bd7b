#pragma once

// Beast 345 asserts that 5 bytes of a last chunk arrive at once, so a client could abort a debug build.
#define BOOST_DISABLE_ASSERTS
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/http.h"
#include "server/http_answer.h"
#include "server/http_head.h"
#include "server/http_server.h"

namespace dhyan::server {

// Makes requests of the bytes of a connection, or says why it does not. Only http_server.cpp and the fuzz target
// include this file, since it includes Boost.
class RequestReader {
 public:
  explicit RequestReader(const HttpLimits& limits) : limits_(limits) {}
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  void add(std::string_view bytes) { input_ += bytes; }
  std::size_t waiting() const { return input_.size(); }  // bytes that are not parsed yet
  std::size_t held() const { return input_.size() + (parser_ ? parser_->get().body().size() : 0); }
  void clear() {
    input_ = {};
    parser_.reset();
  }

  // Parses what there is. Whether a request is whole; take() then gives it.
  bool advance() {
    if (!parser_ && !take_head()) return false;
    return take_body();
  }
  bool begun() const { return begun_; }                             // a part of a request has arrived
  const std::optional<HttpFault>& fault() const { return fault_; }  // nothing can be parsed after it
  bool expects_continue() { return std::exchange(expects_continue_, false); }
  const AnswerForm& form() const { return form_; }  // of the request

  HttpRequest take() {
    request_.body = std::move(parser_->get().body());
    parser_.reset();
    scanner_ = {};
    begun_ = false;
    if (input_.empty()) clear();  // gives the memory back
    return std::move(request_);
  }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Error = boost::beast::http::error;
  using ErrorCode = boost::beast::error_code;
  static constexpr std::size_t kMaxExtensions = 1024;  // bytes of chunk extensions in a request

  bool fail(int status, std::string message) {
    fault_ = HttpFault{status, std::move(message)};
    return false;
  }

  // Those before a request: some clients end a body with one.
  void drop_line_ends() {
    std::size_t end = 0;
    while (std::string_view(input_).substr(end).starts_with("\r\n")) end += 2;
    input_.erase(0, end);
  }

  bool fail_for_size() {
    const bool in_target = input_.find('\n') >= limits_.max_header;
    return in_target ? fail(414, "the target is too long") : fail(431, "the header is too large");
  }

  bool take_head() {
    if (!begun_) drop_line_ends();
    if (input_.empty() || input_ == "\r") return false;
    begun_ = true;
    const std::optional<std::size_t> end = scanner_.find_end(input_);
    if (const auto& fault = scanner_.fault()) return fail(fault->status, fault->message);
    if (end.value_or(input_.size()) > limits_.max_header) return fail_for_size();
    if (!end || !parse_head(*end)) return false;
    input_.erase(0, *end);
    expects_continue_ = !request_.header("expect").empty() && form_.http_1_1 && input_.empty() && !parser_->is_done();
    return true;
  }

  // The fields are taken before the body comes: Beast adds trailers, which nobody has checked, to the fields.
  bool parse_head(std::size_t length) {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(length + 1));
    parser_->body_limit(limits_.max_body);
    parser_->on_chunk_header(count_extensions_);
    extensions_ = 0;
    ErrorCode error;
    parser_->put(boost::asio::buffer(input_.data(), length), error);
    if (error && error != Error::body_limit) return fail(400, error.message());
    const auto& head = parser_->get();
    form_ = {head.version() == 11, !error && parser_->keep_alive(), head.method() == boost::beast::http::verb::head};
    request_ = {};
    request_.method = head.method_string();
    for (const auto& field : head) request_.headers.emplace_back(ascii_lower(field.name_string()), field.value());
    set_target(request_, head.target());
    if (const auto fault = head_fault(request_, form_.http_1_1)) return fail(fault->status, fault->message);
    if (error) return fail(413, "the body is too large");
    parser_->eager(true);
    return true;
  }

  // Beast looks for the end of a quoted extension in the lines that follow, so nobody may send one.
  static bool begins_with_quotes(std::string_view chunk) {
    if (chunk.starts_with("\r\n")) chunk.remove_prefix(2);  // the end of the chunk before
    return chunk.substr(0, chunk.find('\r')).find('"') != std::string_view::npos;
  }

  bool take_body() {
    ErrorCode error;
    while (!parser_->is_done() && !input_.empty() && !error) {
      input_.erase(0, parser_->put(boost::asio::buffer(input_), error));
    }
    if (error == Error::body_limit) return fail(413, "the body is too large");
    if (error && error != Error::need_more) return fail(400, error.message());
    if (error && input_.size() > 2 * kMaxExtensions) return fail(400, "a line between chunks is too long");
    if (error && begins_with_quotes(input_)) return fail(400, "a quoted chunk extension");
    return parser_->is_done();
  }

  const HttpLimits& limits_;
  std::string input_;  // not yet parsed
  bool begun_ = false;
  bool expects_continue_ = false;
  std::optional<HttpFault> fault_;
  HeadScanner scanner_;
  std::optional<Parser> parser_;  // once the head is there
  HttpRequest request_;
  AnswerForm form_;
  std::size_t extensions_ = 0;
  std::function<void(std::uint64_t, boost::beast::string_view, ErrorCode&)> count_extensions_ =
      [this](std::uint64_t, boost::beast::string_view extensions, ErrorCode& error) {
        extensions_ += extensions.size();
        const bool quoted = extensions.find('"') != boost::beast::string_view::npos;
        if (quoted || extensions_ > kMaxExtensions) error = Error::bad_chunk_extension;
      };
};

}  // namespace dhyan::server
