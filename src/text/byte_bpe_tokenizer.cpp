#include <algorithm>
#include <array>

#include "text/merge_learner.h"
#include "text/merges_tokenizer.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// GPT-2's letters for bytes: printable characters of Latin-1 stand for themselves, the others for U+0100 and on.
struct ByteLetters {
  ByteLetters() {
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
      const char32_t code = printable ? byte : next++;
      append_utf8(letters[byte], code);
      bytes[code] = static_cast<unsigned char>(byte);
    }
    last = next - 1;
  }

  std::array<std::string, 256> letters;
  std::array<unsigned char, 0x200> bytes{};
  char32_t last;  // of the letters
};

const ByteLetters& byte_letters() {
  static const ByteLetters all;
  return all;
}

std::vector<std::string> spelled_in_letters(std::string_view text) {
  std::vector<std::string> symbols;
  for (const char byte : text) symbols.push_back(byte_letters().letters[static_cast<unsigned char>(byte)]);
  return symbols;
}

// A token that has other letters stands for itself.
std::string bytes_of_piece(std::string_view piece) {
  std::string bytes;
  for (const Character& letter : Characters(piece)) {
    const bool known =
        letter.code <= byte_letters().last &&
        byte_letters().letters[byte_letters().bytes[letter.code]] == part(piece, {letter.begin, letter.end});
    if (!known) return std::string(piece);
    bytes += static_cast<char>(byte_letters().bytes[letter.code]);
  }
  return bytes;
}

// The end of the last whole character of the text that ends by then.
Index whole_until(std::string_view text, Index end) {
  while (end > 0 && end < std::ssize(text) &&
         (static_cast<unsigned char>(text[static_cast<std::size_t>(end)]) & 0xC0) == 0x80)
    --end;
  return end;
}

std::string shown_piece(std::string_view piece) {
  std::string bytes = bytes_of_piece(piece);
  if (first_bad_byte(bytes)) return std::string(piece);
  const auto invisible = [&](const Character& c) { return is_invisible(c.code) && c.code != ' '; };
  for (const Character& character : Characters(bytes)) {
    if (invisible(character)) return std::string(piece);
  }
  if (bytes.starts_with(' ')) bytes.replace(0, 1, byte_letters().letters[' ']);
  return bytes;
}

}  // namespace

ByteBpeTokenizer::ByteBpeTokenizer(Vocabulary own, PairMerges merges)
    : MergesTokenizer(kKind, std::move(own), std::move(merges)),
      line_end_(vocabulary().id(byte_letters().letters['\n'])) {
  if (line_end_ == kUnknown) line_end_ = kEnd;
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    const std::string& token = vocabulary().token(id);
    shown_.push_back(is_special_token(token) ? token : shown_piece(token));
  }
}

std::string_view ByteBpeTokenizer::piece(TokenId id) const {
  vocabulary().token(id);  // throws for an unknown id
  return shown_[static_cast<std::size_t>(id)];
}

Encoded ByteBpeTokenizer::encode(std::string_view text) const {
  require_utf8(text, "encode");
  Encoded encoded;
  Index last = 0;
  for (const ByteRange& word : gpt2_words(text)) {
    const std::vector<std::string> symbols = spelled_in_letters(part(text, word));
    for (const PairMerges::Merged& merged : merges().apply(symbols)) {
      std::string token;
      for (std::size_t i = merged.begin; i < merged.end; ++i) token += symbols[i];
      encoded.ids.push_back(vocabulary().id(token));
      const Index end = whole_until(text, word.begin + static_cast<Index>(merged.end));
      encoded.pieces.push_back({last, std::max(last, end)});
      last = encoded.pieces.back().end;
    }
  }
  return encoded;
}

std::string ByteBpeTokenizer::decode(std::span<const TokenId> ids) const {
  std::string bytes;
  for (const TokenId id : ids) {
    const std::string& token = vocabulary().token(id);
    if (stands_for_no_text(id)) continue;
    bytes += id == kUnknown ? "\uFFFD" : bytes_of_piece(token);
  }
  return replace_bad_utf8(bytes);
}

TrainedTokenizer ByteBpeTokenizer::train(const LineSource& lines, const TokenizerOptions& options) {
  const auto count_line = [](std::string_view line, SymbolCounts& counts) {
    for (const ByteRange& word : gpt2_words(line)) ++counts[spelled_in_letters(part(line, word))];
  };
  const auto join = [](std::string_view first, std::string_view second) {
    return std::string(first) + std::string(second);
  };
  const MergeLearner learner(lines, options, count_line);
  const auto& letters = byte_letters().letters;
  const LearnedMerges learned = learner.learn(join, {letters.begin(), letters.end()});
  return {std::make_unique<ByteBpeTokenizer>(vocabulary_of(learned.symbols), PairMerges(learned.merges)),
          learner.report()};
}

}  // namespace dhyan
