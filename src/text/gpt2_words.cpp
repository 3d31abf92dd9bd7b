#include <array>

#include "text/merges_tokenizer.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

enum class CharacterClass { kSpace, kLetter, kNumber, kOther };

CharacterClass class_of(char32_t code) {
  if (is_space(code) || code == 0xA0 || code == 0x2007 || code == 0x202F) return CharacterClass::kSpace;
  const char category = major_category(code);
  return category == 'L' ? CharacterClass::kLetter : category == 'N' ? CharacterClass::kNumber : CharacterClass::kOther;
}

// The length of an English contraction at the beginning of the text; 0 if there is none.
std::size_t contraction(std::string_view text) {
  constexpr std::array<std::string_view, 7> kContractions{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
  for (const std::string_view one : kContractions) {
    if (text.starts_with(one)) return one.size();
  }
  return 0;
}

}  // namespace

std::vector<ByteRange> gpt2_words(std::string_view text) {
  std::vector<Character> characters;
  for (const Character& character : Characters(text)) characters.push_back(character);
  const auto class_at = [&](std::size_t i) { return class_of(characters[i].code); };
  const auto end_of_run = [&](std::size_t i) {
    const CharacterClass first = class_at(i);
    while (i < characters.size() && class_at(i) == first) ++i;
    return i;
  };
  std::vector<ByteRange> words;
  for (std::size_t i = 0; i < characters.size();) {
    const Index begin = characters[i].begin;
    std::size_t end = i + contraction(text.substr(static_cast<std::size_t>(begin)));
    if (end == i) {
      const bool leads =
          characters[i].code == ' ' && i + 1 < characters.size() && class_at(i + 1) != CharacterClass::kSpace;
      end = end_of_run(leads ? i + 1 : i);
      // The last of several spaces belongs to what follows, or is alone.
      const bool spaces = class_at(i) == CharacterClass::kSpace && !leads;
      if (spaces && end < characters.size() && end > i + 1) --end;
    }
    words.push_back({begin, characters[end - 1].end});
    i = end;
  }
  return words;
}

}  // namespace dhyan
