#include "translator/lexicon.h"

#include <algorithm>

#include "core/number_text.h"
#include "text/unicode.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

bool has_space(std::string_view token) {
  for (const Character& character : Characters(token)) {
    if (is_space(character.code)) return true;
  }
  return false;
}

struct AlignedWord {
  std::string_view target;
  std::uint64_t count;
};

}  // namespace

Lexicon::WordId Lexicon::Side::id(std::string_view word) {
  if (const auto known = ids.find(word); known != ids.end()) return known->second;
  const auto added = static_cast<WordId>(words.size());
  words.emplace_back(word);
  ids.emplace(word, added);
  return added;
}

Lexicon::CutSide Lexicon::cut(const Tokenizer* tokenizer, std::string_view line, Side& side) const {
  CutSide cut;
  if (tokenizer == nullptr) {
    cut.pieces = word_ranges(line);
    for (const ByteRange& word : cut.pieces) cut.words.push_back(side.id(part(line, word)));
    return cut;
  }
  Encoded encoded = tokenizer->encode(line);
  for (const TokenId id : encoded.ids) {
    const std::string_view token = tokenizer->piece(id);
    cut.words.push_back(id == kUnknown || has_space(token) ? kLeftOut : side.id(token));
  }
  cut.pieces = std::move(encoded.pieces);
  return cut;
}

void Lexicon::count(WordId source, WordId target) {
  if (source == kLeftOut || target == kLeftOut) return;
  ++counts_[{source, target}];
}

void Lexicon::add(const SentencePair& pair) {
  const CutSide source = cut(tokenizers_ == nullptr ? nullptr : tokenizers_->source.get(), pair.source, source_);
  const CutSide target = cut(tokenizers_ == nullptr ? nullptr : tokenizers_->target.get(), pair.target, target_);
  std::vector<bool> source_linked(source.words.size()), target_linked(target.words.size());
  links_ += pair.links.size();
  for (const TokenLink& link : token_links(pair.links, {pair.source, source.pieces}, {pair.target, target.pieces})) {
    const auto s = static_cast<std::size_t>(link.source), t = static_cast<std::size_t>(link.target);
    count(source.words[s], target.words[t]);
    source_linked[s] = target_linked[t] = true;
  }
  for (std::size_t s = 0; s < source.words.size(); ++s) {
    if (!source_linked[s]) count(source.words[s], kNullWord);
  }
  for (std::size_t t = 0; t < target.words.size(); ++t) {
    if (!target_linked[t]) count(kNullWord, target.words[t]);
  }
}

std::string Lexicon::text(const LexiconOptions& options) const {
  std::map<std::string_view, std::vector<AlignedWord>> by_source;
  for (const auto& [pair, count] : counts_) {
    by_source[source_.words[pair.first]].push_back({target_.words[pair.second], count});
  }
  std::string text;
  for (auto& [source, translations] : by_source) {
    std::uint64_t sum = 0;
    for (const AlignedWord& one : translations) sum += one.count;
    std::ranges::sort(translations, [](const AlignedWord& a, const AlignedWord& b) {
      return a.count != b.count ? a.count > b.count : a.target < b.target;
    });
    if (options.best > 0 && std::ssize(translations) > options.best) {
      translations.resize(static_cast<std::size_t>(options.best));
    }
    for (const AlignedWord& one : translations) {
      const double probability = static_cast<double>(one.count) / static_cast<double>(sum);
      if (probability < options.threshold) break;
      text.append(one.target).append(" ").append(source).append(" ").append(fixed(probability, 7)).append("\n");
    }
  }
  return text;
}

}  // namespace dhyan
