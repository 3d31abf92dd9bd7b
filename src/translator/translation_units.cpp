#include "translator/translation_units.h"

#include <algorithm>

#include "explain/attention_choice.h"

namespace dhyan {

namespace {

TranslationUnits units_of(const Translation& translation, const SentenceUnits& sentence) {
  TranslationUnits result{sentence.source.labels,
                          sentence.target.labels,
                          unit_scores(translation.hypothesis.token_scores, sentence.target),
                          {}};
  auto maps = attention_maps(translation.hypothesis.attention, sentence, {.summary = Summary::kMean});
  if (!maps.empty()) result.map = std::move(maps.front());
  return result;
}

TokenUnits units_of_source(const Translation& translation, const TokenizerPair& tokenizers, Units units) {
  return source_units(*tokenizers.source, translation.source, translation.source_tokens, units);
}

// Sentences one behind the other.
class JoinedSentences {
 public:
  void add(const TranslationUnits& sentence, bool ended) {
    const auto words = [](const auto& list, bool without_end) {
      return std::span(list).first(list.size() - without_end);
    };
    append(words(sentence.source, true), joined_.source);
    append(words(sentence.target, ended), joined_.target);
    append(words(sentence.scores, ended), joined_.scores);
    if (ended) {
      ++ends_;
      end_score_ += sentence.scores.back();
    }
    if (!sentence.map.weights.empty()) add_rows(sentence.map, ended);
    before_ = joined_.source.size();
  }

  TranslationUnits take() {
    joined_.source.emplace_back(kSpecialTokens[kEnd]);
    if (ends_ > 0) {
      joined_.target.emplace_back(kSpecialTokens[kEnd]);
      joined_.scores.push_back(end_score_);
    }
    if (rows_.empty() && end_row_.empty()) return std::move(joined_);
    if (ends_ > 0) {
      for (double& weight : end_row_.words) weight /= static_cast<double>(ends_);
      end_row_.end /= static_cast<double>(ends_);
      rows_.push_back(end_row_);
    }
    AttentionMap& map = joined_.map;
    map.columns = joined_.source;
    map.rows = joined_.target;
    map.ended = ends_ > 0;
    for (Row& row : rows_) {
      row.words.resize(joined_.source.size() - 1);
      row.words.push_back(row.end);
      map.weights.push_back(std::move(row.words));
    }
    return std::move(joined_);
  }

 private:
  struct Row {
    std::vector<double> words = {};  // of the line, as far as they are not 0
    double end = 0;                  // of </s>

    bool empty() const { return words.empty(); }
  };

  template <class List, class T>
  static void append(const List& more, std::vector<T>& list) {
    list.insert(list.end(), more.begin(), more.end());
  }

  void add_rows(const AttentionMap& map, bool ended) {
    for (std::size_t t = 0; t < map.weights.size(); ++t) {
      const std::vector<double>& weights = map.weights[t];
      const bool is_end = ended && t + 1 == map.weights.size();
      Row& row = is_end ? end_row_ : rows_.emplace_back();
      row.words.resize(before_);
      row.words.insert(row.words.end(), weights.begin(), weights.end() - 1);
      row.end += weights.back();
    }
  }

  TranslationUnits joined_;
  std::vector<Row> rows_;
  Row end_row_;  // the sum over sentences
  double end_score_ = 0;
  Index ends_ = 0;
  std::size_t before_ = 0;  // source units of the sentences before
};

}  // namespace

TranslationUnits written_units(const Translation& translation, const TokenizerPair& tokenizers, Units units) {
  if (translation.source_tokens.empty()) return {};
  if (translation.sentences.empty()) {
    return units_of(translation, {.source = units_of_source(translation, tokenizers, units),
                                  .target = target_units(*tokenizers.target, translation.hypothesis.tokens, units)});
  }
  JoinedSentences joined;
  for (const Translation& sentence : translation.sentences) {
    if (sentence.source_tokens.empty()) continue;
    joined.add(written_units(sentence, tokenizers, units), sentence.hypothesis.finished());
  }
  return joined.take();
}

TranslationUnits given_text_units(const Translation& scored, const TokenizerPair& tokenizers, Units units) {
  if (scored.source_tokens.empty() || scored.hypothesis.tokens.empty()) return {};
  return units_of(scored, {.source = units_of_source(scored, tokenizers, units),
                           .target = source_units(*tokenizers.target, scored.text, scored.hypothesis.tokens, units)});
}

}  // namespace dhyan
