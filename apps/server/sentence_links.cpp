#include "server/sentence_links.h"

#include "translator/translation_units.h"

namespace dhyan::server {

std::vector<ByteRange> ranges_of(std::span<const std::string> words, std::string_view text) {
  std::vector<ByteRange> ranges;
  std::size_t from = 0;
  for (const std::string& word : words) {
    const std::size_t at = text.find(word, from);
    if (at == text.npos) break;
    ranges.push_back({static_cast<Index>(at), static_cast<Index>(at + word.size())});
    from = at + word.size();
  }
  return ranges;
}

TranslatedSentence translated_sentence(const Translation& translation, const TokenizerPair& tokenizers) {
  TranslatedSentence sentence{.text = translation.text};
  if (translation.source_tokens.empty() || translation.hypothesis.tokens.empty()) return sentence;
  const TranslationUnits units = written_units(translation, tokenizers, Units::kWords);
  sentence.source_words = ranges_of(units.source, translation.source);
  sentence.target_words = ranges_of(units.target, translation.text);
  const auto sources = std::ssize(sentence.source_words), targets = std::ssize(sentence.target_words);
  if (units.map.weights.empty()) return sentence;  // words are taken to follow the order of the source
  for (const auto& [source, target] : hard_alignment(units.map)) {
    if (source < sources && target < targets) {
      sentence.links.emplace_back(static_cast<int>(source), static_cast<int>(target));
    }
  }
  return sentence;
}

}  // namespace dhyan::server
