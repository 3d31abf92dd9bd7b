#include "text/word_tokenizer.h"

#include "text/nfc.h"
#include "text/unicode.h"

namespace dhyan {

std::vector<ByteRange> word_ranges(std::string_view line) {
  std::vector<ByteRange> words;
  bool inside = false;
  for (const Character& character : Characters(line)) {
    if (is_space(character.code)) {
      inside = false;
      continue;
    }
    if (!inside) words.push_back({character.begin, character.end});
    words.back().end = character.end;
    inside = true;
  }
  return words;
}

void WordTokenizer::count(std::string_view line, TokenCounts& counts) {
  const NfcLine normal(line);
  for (const ByteRange& word : word_ranges(normal.text())) ++counts[std::string(part(normal.text(), word))];
}

Encoded WordTokenizer::encode(std::string_view line) const {
  require_utf8(line, "encode");
  const NfcLine normal(line);
  Encoded encoded;
  for (const ByteRange& word : word_ranges(normal.text())) {
    encoded.ids.push_back(vocabulary().id(part(normal.text(), word)));
    encoded.pieces.push_back(normal.original(word));
  }
  return encoded;
}

std::string WordTokenizer::decode(std::span<const TokenId> ids) const {
  std::string line;
  bool first = true;
  for (const TokenId id : ids) {
    const std::string& word = vocabulary().token(id);
    if (stands_for_no_text(id)) continue;
    if (!first) line += ' ';
    line += word;
    first = false;
  }
  return line;
}

}  // namespace dhyan
