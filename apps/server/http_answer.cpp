#include "server/http_answer.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace dhyan::server {
namespace {

struct Reason {
  int status;
  const char* phrase;
};
constexpr std::array kReasons = std::to_array<Reason>({
    {200, "OK"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {413, "Payload Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
});

const char* reason_phrase(int status) {
  for (const Reason& reason : kReasons) {
    if (reason.status == status) return reason.phrase;
  }
  return "";  // clients look at the number
}

std::string two_digits(int number) {
  return {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
}

// "Sun, 06 Nov 1994 08:49:37 GMT"; strftime would use the words of the user's locale.
std::string http_date(std::time_t time) {
  constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc = {};
  gmtime_r(&time, &utc);
  return cat(kDays[utc.tm_wday], ", ", two_digits(utc.tm_mday), " ", kMonths[utc.tm_mon], " ", utc.tm_year + 1900, " ",
             two_digits(utc.tm_hour), ":", two_digits(utc.tm_min), ":", two_digits(utc.tm_sec), " GMT");
}

// A line break in a value would begin another field.
void append_field(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  for (const char c : value) head += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
  head += "\r\n";
}

std::string hexadecimal(std::size_t number) {
  std::string digits;
  for (; number > 0; number /= 16) digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  return digits;
}

}  // namespace

HttpAnswer::HttpAnswer(AnswerForm form, std::size_t max_backlog, Wake wake)
    : form_(form), max_backlog_(max_backlog), wake_(std::move(wake)) {}

std::shared_ptr<HttpExchange> HttpAnswer::handle(std::shared_ptr<HttpAnswer> answer, std::shared_ptr<void> kept) {
  HttpAnswer* const pointer = answer.get();
  return {pointer, [answer = std::move(answer), kept = std::move(kept)](HttpExchange*) { answer->abandon(); }};
}

void HttpAnswer::add(std::string_view bytes) {
  backlog_ += bytes.size();
  while (!bytes.empty()) {
    if (blocks_.empty() || blocks_.back().size() == kBlock) blocks_.emplace_back();
    const std::size_t fits = std::min(bytes.size(), kBlock - blocks_.back().size());
    blocks_.back().append(bytes.substr(0, fits));
    bytes.remove_prefix(fits);
  }
}

void HttpAnswer::add_head(const HttpResponse& response, const std::string& framing) {
  has_body_ = !form_.head_only && response.status != 204 && response.status != 304;
  std::string head = cat("HTTP/1.1 ", response.status, " ", reason_phrase(response.status), "\r\n");
  append_field(head, "Date", http_date(std::time(nullptr)));
  if (!response.content_type.empty()) append_field(head, "Content-Type", response.content_type);
  for (const auto& [name, value] : response.headers) append_field(head, name, value);
  if (has_body_ || form_.head_only) head += framing;
  if (!form_.keep_alive) {
    append_field(head, "Connection", "close");
  } else if (!form_.http_1_1) {
    append_field(head, "Connection", "keep-alive");
  }
  add(head + "\r\n");
  begun_ = true;
}

void HttpAnswer::send(HttpResponse response) {
  {
    const std::lock_guard lock(mutex_);
    if (begun_ || gone_) return;
    add_head(response, cat("Content-Length: ", response.body.size(), "\r\n"));
    if (has_body_) add(response.body);
  }
  finish();
}

void HttpAnswer::begin(HttpResponse head) {
  {
    const std::lock_guard lock(mutex_);
    if (begun_ || gone_) return;
    if (!form_.http_1_1) form_.keep_alive = false;
    add_head(head, form_.http_1_1 ? "Transfer-Encoding: chunked\r\n" : "");
  }
  wake_();
}

void HttpAnswer::write(std::string piece) {
  {
    const std::lock_guard lock(mutex_);
    if (!begun_ || whole_ || dropped_ || gone_ || !has_body_ || piece.empty()) return;
    if (backlog_ > max_backlog_) {
      dropped_ = true;
    } else {
      if (form_.http_1_1) add(hexadecimal(piece.size()) + "\r\n");
      add(piece);
      if (form_.http_1_1) add("\r\n");
    }
  }
  wake_();
}

void HttpAnswer::end() {
  {
    const std::lock_guard lock(mutex_);
    if (!begun_ || whole_ || dropped_ || gone_) return;
    if (form_.http_1_1 && has_body_) add("0\r\n\r\n");
  }
  finish();
}

void HttpAnswer::finish() {
  std::function<void()> left;  // destroyed outside of the lock, with what it holds
  {
    const std::lock_guard lock(mutex_);
    whole_ = true;
    left.swap(left_);
  }
  wake_();
}

void HttpAnswer::abandon() {
  {
    const std::lock_guard lock(mutex_);
    if (whole_ || gone_) return;
    dropped_ = true;
  }
  wake_();
}

void HttpAnswer::when_gone(std::function<void()> left) {
  {
    const std::lock_guard lock(mutex_);
    if (whole_) return;
    if (!gone_) {
      left_ = std::move(left);
      return;
    }
  }
  left();
}

HttpAnswer::Progress HttpAnswer::take() {
  const std::lock_guard lock(mutex_);
  std::string bytes;
  if (!blocks_.empty()) {
    bytes = std::move(blocks_.front());
    blocks_.pop_front();
    taken_ = true;
  }
  return {std::move(bytes), whole_ && blocks_.empty(), !form_.keep_alive, dropped_, !begun_};
}

void HttpAnswer::sent(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  backlog_ -= std::min(bytes, backlog_);
}

std::size_t HttpAnswer::backlog() const {
  const std::lock_guard lock(mutex_);
  return backlog_;
}

bool HttpAnswer::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

bool HttpAnswer::whole() const {
  const std::lock_guard lock(mutex_);
  return whole_;
}

bool HttpAnswer::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void HttpAnswer::close_after() {
  const std::lock_guard lock(mutex_);
  form_.keep_alive = false;
}

void HttpAnswer::leave() {
  std::function<void()> left;
  {
    const std::lock_guard lock(mutex_);
    if (whole_ || gone_) return;
    gone_ = true;
    left.swap(left_);
  }
  if (left) left();
}

}  // namespace dhyan::server
