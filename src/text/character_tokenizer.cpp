#include "text/character_tokenizer.h"

#include "text/nfc.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

std::string_view bytes_of(std::string_view text, const Character& character) {
  return part(text, {character.begin, character.end});
}

}  // namespace

void CharacterTokenizer::count(std::string_view line, TokenCounts& counts) {
  const NfcLine normal(line);
  for (const Character& character : Characters(normal.text())) {
    ++counts[std::string(bytes_of(normal.text(), character))];
  }
}

Encoded CharacterTokenizer::encode(std::string_view line) const {
  require_utf8(line, "encode");
  const NfcLine normal(line);
  Encoded encoded;
  for (const Character& character : Characters(normal.text())) {
    encoded.ids.push_back(vocabulary().id(bytes_of(normal.text(), character)));
    encoded.pieces.push_back(normal.original({character.begin, character.end}));
  }
  return encoded;
}

std::string CharacterTokenizer::decode(std::span<const TokenId> ids) const {
  std::string line;
  for (const TokenId id : ids) {
    const std::string& character = vocabulary().token(id);
    if (stands_for_no_text(id)) continue;
    if (id == kUnknown) {
      append_utf8(line, 0xFFFD);
    } else {
      line += character;
    }
  }
  return line;
}

}  // namespace dhyan
