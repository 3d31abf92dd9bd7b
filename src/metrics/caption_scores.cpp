#include "metrics/caption_scores.h"

#include <algorithm>
#include <unordered_set>

#include "metrics/bleu.h"
#include "metrics/cider_d.h"
#include "metrics/coco_bleu.h"
#include "metrics/rouge_l.h"
#include "metrics/words.h"

namespace dhyan {

namespace {

double score_of(const Metric& metric, const ScoredText& captions) {
  return metric.score(sum_of(sentence_counts(metric, captions)));
}

using WordSet = std::unordered_set<std::u32string>;

// Returns the number of words.
Index add_words(WordSet& set, std::string_view caption, const CaptionOptions& options) {
  const std::u32string text = caption_words(caption, options);
  const std::vector<std::u32string_view> words = split_words(text);
  for (const std::u32string_view word : words) set.emplace(word);
  return std::ssize(words);
}

}  // namespace

WordVariety word_variety(const ScoredText& captions, const CaptionOptions& options) {
  WordSet used, vocabulary;
  WordVariety result;
  for (const std::string& caption : captions.hypotheses) result.words += add_words(used, caption, options);
  for (const std::vector<std::string>& references : captions.references) {
    for (const std::string& reference : references) add_words(vocabulary, reference, options);
  }
  result.distinct = std::ssize(used);
  if (vocabulary.empty()) return result;
  const auto shared = std::ranges::count_if(vocabulary, [&](const auto& word) { return used.contains(word); });
  result.vocabulary_share = 100 * static_cast<double>(shared) / static_cast<double>(vocabulary.size());
  return result;
}

CaptionScores caption_scores(const ScoredText& captions, const CaptionOptions& options) {
  CaptionScores scores;
  for (std::size_t n = 0; n < scores.coco_bleu.size(); ++n) {
    scores.coco_bleu[n] = score_of(CocoBleu(static_cast<Index>(n) + 1, options), captions);
  }
  scores.rouge_l = score_of(RougeL(options), captions);
  scores.cider_d = score_of(CiderD(options), captions);
  scores.sacrebleu = score_of(Bleu(), captions);
  scores.words = word_variety(captions, options);
  return scores;
}

}  // namespace dhyan
