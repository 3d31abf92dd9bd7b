#include "text/tokenizer.h"

#include <algorithm>

namespace dhyan {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The length of the common prefix of two texts, in bytes of whole characters.
Index common_beginning(std::string_view a, std::string_view b) {
  auto common = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  while (common > 0 && common < a.size() && continues_character(a[common])) --common;
  // `b` continues with the replacement of an incomplete character: the blank belongs to the complete character.
  if (common < b.size() && common > 0 && a[common - 1] == ' ') --common;
  return static_cast<Index>(common);
}

}  // namespace

Encoded Tokenizer::encode_sampled(std::string_view line, Rng&) const { return encode(line); }

Decoded decode_pieces(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
  Decoded decoded{tokenizer.decode(ids), {}};
  Index begin = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // Decoding these tokens alone would not give this length: an incomplete character decodes to a replacement.
    const Index end = std::max(begin, common_beginning(decoded.text, tokenizer.decode(ids.first(i + 1))));
    decoded.pieces.push_back({begin, end});
    begin = end;
  }
  return decoded;
}

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace dhyan
