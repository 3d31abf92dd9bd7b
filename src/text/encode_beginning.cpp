#include "text/encode_beginning.h"

#include <algorithm>

#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr Index kBytesPerToken = 64;  // more than any token has, except for runs of unknown text
constexpr Index kTokensBehind = 64;   // enough that the position of the cut does not change the tokens before

// At most `most` bytes, cut at a space near the end if there is one, else at a character.
std::string_view beginning_of(std::string_view line, Index most) {
  if (std::ssize(line) <= most) return line;
  constexpr std::size_t kLookBack = 1024;
  auto end = static_cast<std::size_t>(most);
  const std::size_t space = line.rfind(' ', end);
  if (space != line.npos && space > 0 && end - space < kLookBack) return line.substr(0, space);
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end);
}

}  // namespace

Encoded encode_beginning(const Tokenizer& tokenizer, std::string_view line, Index tokens) {
  const Index length = std::ssize(line);
  const Index most_tokens = std::min(tokens, length) + kTokensBehind;  // most tokens have at least a byte
  for (Index most = most_tokens * kBytesPerToken;; most *= 2) {
    const std::string_view beginning = beginning_of(line, most);
    Encoded encoded = tokenizer.encode(beginning);
    if (beginning.size() == line.size()) return encoded;
    if (std::ssize(encoded.ids) < most_tokens) continue;
    require_utf8(line, "encode");
    return encoded;
  }
}

}  // namespace dhyan
