#include "text/bert_words.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>

#include "text/lowercase.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// Spaces at which a line must not be broken separate words too.
bool separates_words(char32_t code) { return is_space(code) || code == 0xA0 || code == 0x2007 || code == 0x202F; }

bool is_left_out(char32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return false;
  return code == 0xFFFD || major_category(code) == 'C';
}

bool is_chinese(char32_t code) {
  struct Block {
    char32_t first, last;
  };
  constexpr std::array kBlocks{Block{0x4E00, 0x9FFF},   Block{0x3400, 0x4DBF},   Block{0x20000, 0x2A6DF},
                               Block{0x2A700, 0x2B73F}, Block{0x2B740, 0x2B81F}, Block{0x2B820, 0x2CEAF},
                               Block{0xF900, 0xFAFF},   Block{0x2F800, 0x2FA1F}};
  return std::ranges::any_of(kBlocks, [&](const Block& block) { return block.first <= code && code <= block.last; });
}

// Also the symbols of ASCII, such as $ and +.
bool is_bert_punctuation(char32_t code) {
  if (code < 0x80) {
    return (code >= '!' && code <= '/') || (code >= ':' && code <= '@') || (code >= '[' && code <= '`') ||
           (code >= '{' && code <= '~');
  }
  return major_category(code) == 'P';
}

std::u32string without_accents(char32_t code) {
  std::array<utf8proc_int32_t, 16> parts;
  const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(),
                                                         parts.size(), UTF8PROC_DECOMPOSE, nullptr);
  if (count < 0 || count > std::ssize(parts)) return std::u32string(1, code);
  std::u32string kept;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const utf8proc_int32_t part = parts[static_cast<std::size_t>(i)];
    if (utf8proc_category(part) != UTF8PROC_CATEGORY_MN) kept += static_cast<char32_t>(part);
  }
  return kept;
}

std::u32string normalised(char32_t code, BertLetters letters) {
  switch (letters) {
    case BertLetters::kKept:
      return std::u32string(1, code);
    case BertLetters::kLower:
      return lowercase(std::u32string_view(&code, 1));
    case BertLetters::kLowerWithoutAccents:
      return lowercase(without_accents(code));
  }
  return {};
}

class WordCollector {
 public:
  explicit WordCollector(BertLetters letters) : letters_(letters) {}

  void add(const Character& character) {
    const ByteRange range{character.begin, character.end};
    if (is_left_out(character.code)) return extend(range);
    if (separates_words(character.code)) {
      inside_ = false;
      return;
    }
    if (is_chinese(character.code)) return alone(character.code, range);
    const std::u32string codes = normalised(character.code, letters_);
    if (codes.empty()) return extend(range);
    for (const char32_t code : codes) {
      if (is_bert_punctuation(code)) {
        alone(code, range);
      } else {
        letter(code, range);
      }
    }
  }

  std::vector<BertWord> words;

 private:
  void extend(ByteRange range) {
    if (inside_) words.back().back().range.end = range.end;
  }

  void letter(char32_t code, ByteRange range) {
    if (!inside_) words.emplace_back();
    words.back().push_back({code, range});
    inside_ = true;
  }

  void alone(char32_t code, ByteRange range) {
    words.push_back({{code, range}});
    inside_ = false;
  }

  BertLetters letters_;
  bool inside_ = false;  // of a word that further letters belong to
};

}  // namespace

std::vector<BertWord> bert_words(std::string_view line, BertLetters letters) {
  WordCollector collector(letters);
  for (const Character& character : Characters(line)) collector.add(character);
  return std::move(collector.words);
}

}  // namespace dhyan
