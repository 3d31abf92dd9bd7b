#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "markup/translated_sentence.h"
#include "text/unicode.h"

namespace dhyan {

// For tests: the ranges of the words between white space.
inline std::vector<ByteRange> words_between_spaces(std::string_view text) {
  std::vector<ByteRange> words;
  bool inside = false;
  for (const Character& character : Characters(text)) {
    if (is_space(character.code)) {
      inside = false;
      continue;
    }
    if (!inside) words.push_back({character.begin, character.begin});
    words.back().end = character.end;
    inside = true;
  }
  return words;
}

// For tests: a translation whose words are those between white space.
inline TranslatedSentence translated(std::string_view source, std::string text,
                                     std::vector<std::pair<int, int>> links = {}) {
  const std::vector<ByteRange> target_words = words_between_spaces(text);
  return {std::move(text), words_between_spaces(source), target_words, std::move(links)};
}

// For tests: a translation into the same words, in the same order.
inline TranslatedSentence same_words(const std::string& sentence) {
  TranslatedSentence same = translated(sentence, sentence);
  for (int i = 0; i < std::ssize(same.source_words); ++i) same.links.emplace_back(i, i);
  return same;
}

// For tests: a translation into the same words, backwards.
inline TranslatedSentence reversed_words(const std::string& sentence) {
  const std::vector<ByteRange> words = words_between_spaces(sentence);
  std::string text;
  for (std::size_t i = words.size(); i-- > 0;) {
    if (!text.empty()) text += ' ';
    text += part(sentence, words[i]);
  }
  TranslatedSentence reversed = translated(sentence, std::move(text));
  for (int i = 0; i < std::ssize(words); ++i)
    reversed.links.emplace_back(i, static_cast<int>(std::ssize(words)) - 1 - i);
  return reversed;
}

}  // namespace dhyan
