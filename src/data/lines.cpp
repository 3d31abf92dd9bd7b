#include "data/lines.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// "0xE0 0x41": the bytes at `at` up to the one that cannot follow.
std::string shown_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc0 ? 2 : 1;
  std::string shown;
  for (std::size_t i = at; i < std::min(at + length, text.size()); ++i) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    if (i > at) shown += ' ';
    shown += {'0', 'x', kDigits[byte(i) >> 4], kDigits[byte(i) & 15]};
    if (i > at && (byte(i) & 0xc0) != 0x80) break;
  }
  return shown;
}

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options)
    : bytes_(std::move(bytes)),
      name_(std::move(name)),
      on_bad_utf8_(options.on_bad_utf8),
      max_line_bytes_(static_cast<std::size_t>(options.max_line_bytes)) {}

void LineReader::fail(const std::string& what) const { throw DataError(cat(name_, ":", number_, ": ", what)); }

// Appends a block to the buffer; false at the end.
bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  if (buffer_.size() < end_ + kBlock) buffer_.resize(std::max(end_ + kBlock, 2 * buffer_.size()));
  const std::size_t n = bytes_->read({buffer_.data() + end_, buffer_.size() - end_});
  end_ += n;
  return n > 0;
}

// Up to the next LF, which is removed.
bool LineReader::next_raw(std::string_view& line) {
  std::size_t searched = 0;
  while (true) {
    const char* from = buffer_.data() + begin_ + searched;
    const std::size_t rest = end_ - begin_ - searched;
    const void* found = rest == 0 ? nullptr : std::memchr(from, '\n', rest);
    searched = found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) - begin_
                                : end_ - begin_;
    if (searched > max_line_bytes_) {
      ++number_;
      fail(cat("the line is longer than ", max_line_bytes_, " bytes; does the text have one sentence per line?"));
    }
    if (found == nullptr && fill()) continue;
    if (found == nullptr && searched == 0) return false;
    ++number_;
    line = {buffer_.data() + begin_, searched};
    begin_ += searched + (found != nullptr ? 1 : 0);
    return true;
  }
}

bool LineReader::next(std::string_view& line) {
  bad_ = replaced_ = false;
  if (!next_raw(line)) return false;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const bool marked = number_ == 1 && line.starts_with(kByteOrderMark);
  if (marked) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  check(line, marked ? kByteOrderMark.size() : 0);
  return true;
}

bool LineReader::ready(std::chrono::milliseconds wait) {
  const bool whole_line = end_ > begin_ && std::memchr(buffer_.data() + begin_, '\n', end_ - begin_) != nullptr;
  return whole_line || bytes_->ready(wait);
}

void LineReader::check(std::string_view& line, std::size_t offset) {
  const std::size_t nul = line.find('\0');
  if (nul != line.npos) fail(cat("byte ", offset + nul + 1, ": a NUL byte; expected text in UTF-8"));
  const auto wrong = first_bad_byte(line);
  if (!wrong) return;
  const auto at = static_cast<std::size_t>(*wrong);
  switch (on_bad_utf8_) {
    case OnBadUtf8::kError:
      fail(cat("byte ", offset + at + 1, ": not UTF-8 (", shown_bytes(line, at), ")"));
    case OnBadUtf8::kSkip:
      bad_ = true;
      return;
    case OnBadUtf8::kReplace:
      repaired_ = replace_bad_utf8(line);
      line = repaired_;
      replaced_ = true;
      return;
  }
}

std::uint64_t LineReader::count_rest() {
  std::uint64_t lines = 0;
  bool open = false;  // bytes since the last LF
  do {
    const char* const end = buffer_.data() + end_;
    const char* at = buffer_.data() + begin_;
    lines += static_cast<std::uint64_t>(std::count(at, end, '\n'));
    if (at != end) open = end[-1] != '\n';
    begin_ = end_;
  } while (fill());
  return lines + (open ? 1 : 0);
}

}  // namespace dhyan
