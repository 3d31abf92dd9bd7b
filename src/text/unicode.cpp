#include "text/unicode.h"

#include <algorithm>
#include <utf8proc.h>

#include "core/error.h"

namespace dhyan {

namespace {

// The longest prefix of a character that begins at `at`, and whether the character is complete.
struct Prefix {
  Index bytes = 0;  // 0: the first byte cannot begin a character
  bool complete = false;
};

// Unicode table 3-7: the first byte fixes the length and narrows the second; the others are 80..BF.
Prefix prefix_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return {1, true};
  if (first < 0xC2 || first > 0xF4) return {};
  const Index length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned low = 0x80, high = 0xBF;
  if (first == 0xE0) low = 0xA0;   // overlong
  if (first == 0xED) high = 0x9F;  // surrogates
  if (first == 0xF0) low = 0x90;   // overlong
  if (first == 0xF4) high = 0x8F;  // above U+10FFFF
  Index bytes = 1;
  for (; bytes < length && at + static_cast<std::size_t>(bytes) < text.size(); ++bytes) {
    const unsigned next = byte(at + static_cast<std::size_t>(bytes));
    if (next < low || next > high) break;
    low = 0x80, high = 0xBF;
  }
  return {bytes, bytes == length};
}

}  // namespace

bool is_ascii(std::string_view text) {
  unsigned char bits = 0;
  for (const char byte : text) bits |= static_cast<unsigned char>(byte);
  return bits < 0x80;
}

std::optional<Index> first_bad_byte(std::string_view text) {
  if (is_ascii(text)) return std::nullopt;
  std::size_t at = 0;
  while (at < text.size()) {
    const Prefix prefix = prefix_at(text, at);
    if (!prefix.complete) return static_cast<Index>(at);
    at += static_cast<std::size_t>(prefix.bytes);
  }
  return std::nullopt;
}

void require_utf8(std::string_view text, std::string_view where) {
  const std::optional<Index> bad = first_bad_byte(text);
  if (!bad) return;
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(*bad)]);
  throw DataError(cat(where, ": byte ", *bad + 1, " is not UTF-8 (0x", kDigits[byte / 16], kDigits[byte % 16], ")"));
}

std::string replace_bad_utf8(std::string_view text, Index* replaced) {
  std::string good;
  good.reserve(text.size());
  Index count = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Prefix prefix = prefix_at(text, at);
    const auto bytes = static_cast<std::size_t>(std::max<Index>(prefix.bytes, 1));
    if (prefix.complete) {
      good.append(text.substr(at, bytes));
    } else {
      append_utf8(good, 0xFFFD);
      ++count;
    }
    at += bytes;
  }
  if (replaced != nullptr) *replaced = count;
  return good;
}

Characters::Iterator::Iterator(std::string_view text, Index at) : text_(text) { read(at); }

Characters::Iterator& Characters::Iterator::operator++() {
  read(current_.end);
  return *this;
}

void Characters::Iterator::read(Index at) {
  current_ = {0, at, at};
  const auto byte = [&](Index i) { return static_cast<unsigned char>(text_[static_cast<std::size_t>(i)]); };
  if (at >= static_cast<Index>(text_.size())) return;
  const Prefix prefix = prefix_at(text_, static_cast<std::size_t>(at));
  if (!prefix.complete) {  // not UTF-8: one replacement character per byte, so that any bytes can be iterated
    current_ = {0xFFFD, at, at + 1};
    return;
  }
  constexpr unsigned kFirstBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  current_.code = byte(at) & kFirstBits[prefix.bytes];
  current_.end = at + prefix.bytes;
  for (Index i = at + 1; i < current_.end; ++i) current_.code = current_.code << 6 | (byte(i) & 0x3Fu);
}

void append_utf8(std::string& text, char32_t code) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  for (utf8proc_ssize_t i = 0; i < length; ++i) text += static_cast<char>(bytes[i]);
}

std::u32string to_utf32(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  for (const Character& character : Characters(text)) codes += character.code;
  return codes;
}

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t code : text) append_utf8(bytes, code);
  return bytes;
}

bool is_small_letter(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_LL;
}

char major_category(char32_t code) { return utf8proc_category_string(static_cast<utf8proc_int32_t>(code))[0]; }

bool is_space(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
  return code == 0x85 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A && code != 0x2007) || code == 0x2028 ||
         code == 0x2029 || code == 0x205F || code == 0x3000;
}

bool is_invisible(char32_t code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
      return true;
    default:
      return false;
  }
}

Index count_characters(std::string_view text) {
  Index count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  return count;
}

std::vector<ByteRange> in_characters(std::string_view line, const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> counted;
  counted.reserve(ranges.size());
  Index byte = 0, character = 0;
  const auto advance = [&](Index to) {
    if (to < byte || to > static_cast<Index>(line.size())) {
      throw UsageError(cat("in_characters: a range reaches to byte ", to, " after byte ", byte, " of a line of ",
                           line.size(), " bytes; expected ascending ranges"));
    }
    character += count_characters(part(line, {byte, to}));
    byte = to;
    return character;
  };
  for (const ByteRange& range : ranges) {
    const Index begin = advance(range.begin);
    counted.push_back({begin, advance(range.end)});
  }
  return counted;
}

}  // namespace dhyan
