#include "server/http_head.h"

#include <algorithm>
#include <vector>

namespace dhyan::server {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> values_of(const HttpFields& headers, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [field, value] : headers) {
    if (field == name) values.push_back(value);
  }
  return values;
}

std::optional<HttpFault> host_fault(const HttpFields& headers, bool http_1_1) {
  const std::size_t hosts = values_of(headers, "host").size();
  if (hosts == 0 && http_1_1) return HttpFault{400, "Host is missing"};
  if (hosts > 1) return HttpFault{400, "Host is given more than once"};
  return std::nullopt;
}

std::optional<HttpFault> length_fault(const HttpFields& headers, bool http_1_1) {
  const std::vector<std::string> lengths = values_of(headers, "content-length");
  const std::vector<std::string> encodings = values_of(headers, "transfer-encoding");
  for (const std::string& length : lengths) {
    if (!is_digits(length)) return HttpFault{400, "Content-Length is not a number"};
    if (length != lengths[0]) return HttpFault{400, "Content-Length is given twice, with different values"};
  }
  if (encodings.empty()) return std::nullopt;
  if (!http_1_1) return HttpFault{400, "Transfer-Encoding is not part of HTTP/1.0"};
  if (!lengths.empty()) return HttpFault{400, "Content-Length and Transfer-Encoding exclude each other"};
  if (encodings.size() > 1) return HttpFault{400, "Transfer-Encoding is given more than once"};
  if (ascii_lower(encodings[0]) != "chunked") return HttpFault{400, "Transfer-Encoding must be chunked"};
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> HeadScanner::find_end(std::string_view bytes) {
  for (; scanned_ < bytes.size() && !fault_; ++scanned_) {
    const auto byte = static_cast<unsigned char>(bytes[scanned_]);
    const bool line_start = scanned_ > 0 && bytes[scanned_ - 1] == '\n';
    if (byte == '\r') {
      if (scanned_ + 1 == bytes.size()) break;  // what follows has not arrived
      if (bytes[scanned_ + 1] != '\n') fault_ = HttpFault{400, "a carriage return without a line feed"};
      if (bytes[scanned_ + 1] == '\n' && line_start) return scanned_ + 2;
    } else if (byte == '\n') {
      if (scanned_ == 0 || bytes[scanned_ - 1] != '\r')
        fault_ = HttpFault{400, "a line feed without a carriage return"};
    } else if (line_start && (byte == ' ' || byte == '\t')) {
      fault_ = HttpFault{400, "a header line begins with a blank"};
    } else if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
      fault_ = HttpFault{400, "a control character in the header"};
    }
  }
  return std::nullopt;
}

std::optional<HttpFault> head_fault(const HttpRequest& request, bool http_1_1) {
  if (auto fault = host_fault(request.headers, http_1_1)) return fault;
  if (auto fault = length_fault(request.headers, http_1_1)) return fault;
  for (const std::string& expected : values_of(request.headers, "expect")) {
    if (ascii_lower(expected) != "100-continue") return HttpFault{417, "Expect must be 100-continue"};
  }
  return std::nullopt;
}

void set_target(HttpRequest& request, std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (!target.starts_with('/') && scheme != std::string_view::npos && scheme < target.find_first_of("/?")) {
    target.remove_prefix(scheme + 3);
    const std::size_t host_end = std::min(target.find_first_of("/?"), target.size());
    const auto host = std::ranges::find(request.headers, "host", &HttpFields::value_type::first);
    if (host != request.headers.end()) host->second = target.substr(0, host_end);
    target.remove_prefix(host_end);
  }
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = mark == 0 ? "/" : target.substr(0, mark);
  request.query = target.substr(std::min(mark + 1, target.size()));
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::for_each(lower, [](char& c) { c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

}  // namespace dhyan::server
