#include "api/test_sets.h"

#include <utility>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan::api {

namespace {

class ProgressFunction final : public ProgressSink {
 public:
  explicit ProgressFunction(const v1::Progress& progress) : progress_(progress) {}

  void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view) override {
    if (progress_) progress_(done, total.value_or(0));
  }

 private:
  const v1::Progress& progress_;
};

std::string line_name(const v1::TestSet& set, std::size_t i) { return cat(set.name, ": line ", i + 1); }

TestSet test_set_of(const v1::TestSet& set) {
  if (set.references.size() != set.sources.size()) {
    throw UsageError(cat(set.name, ": ", set.sources.size(), " sources and references of ", set.references.size(),
                         "; expected as many"));
  }
  if (!set.alignments.empty() && set.alignments.size() != set.sources.size()) {
    throw UsageError(cat(set.name, ": ", set.alignments.size(), " alignments of ", set.sources.size(),
                         " sentences; expected one for each, or none"));
  }
  TestSet ours{.name = set.name, .sources = set.sources, .references = set.references};
  for (std::size_t i = 0; i < set.sources.size(); ++i) {
    require_utf8(set.sources[i], line_name(set, i));
    if (set.references[i].empty()) throw UsageError(cat(line_name(set, i), " has no reference"));
    for (const std::string& reference : set.references[i]) require_utf8(reference, line_name(set, i));
  }
  for (std::size_t i = 0; i < set.alignments.size(); ++i) {
    ours.alignments.push_back(parse_links(set.alignments[i], line_name(set, i)));
  }
  const std::vector<Index> words = sentence_lengths(ours);
  const std::vector<Index> reference_words = sentence_lengths({.name = {}, .references = ours.references});
  for (std::size_t i = 0; i < ours.alignments.size(); ++i) {
    require_words(ours.alignments[i], words[i], reference_words[i], line_name(set, i));
  }
  return ours;
}

std::vector<v1::MetricScore> scores_of(const TextScores& text) {
  std::vector<v1::MetricScore> scores;
  for (const TextScore& score : text.scores)
    scores.push_back({score.name, score.score, score.signature, score.details});
  return scores;
}

// "0-0 1-2 2p3"
std::string links_text(const GoldLinks& links) {
  std::string text;
  for (const auto& [i, j] : links.sure) text += cat(text.empty() ? "" : " ", i, '-', j);
  for (const auto& [i, j] : links.possible) text += cat(text.empty() ? "" : " ", i, 'p', j);
  return text;
}

v1::TestSet given_set(TestSet set) {
  v1::TestSet given{
      .name = std::move(set.name), .sources = std::move(set.sources), .references = std::move(set.references)};
  for (const GoldLinks& links : set.alignments) given.alignments.push_back(links_text(links));
  return given;
}

}  // namespace

v1::Evaluation evaluated(const Translator& translator, const v1::TestSet& set, const SearchOptions& search,
                         const v1::EvaluateOptions& options, const Workers& workers) {
  const ScoringOptions scoring{.metrics = options.metrics, .poll = options.poll};
  check(scoring);
  ProgressFunction progress(options.progress);
  const TestSet ours = test_set_of(set);
  Evaluation found = evaluate(translator, ours, {.search = search, .scoring = scoring}, workers, &progress);
  v1::Evaluation evaluation{.translations = std::move(found.translations), .scores = scores_of(found.text)};
  evaluation.perplexity = found.forced.perplexity;
  evaluation.tokens = found.forced.tokens;
  evaluation.skipped = found.forced.skipped;
  if (const auto& links = found.forced.alignment) {
    evaluation.alignment = v1::AlignmentQuality{links->error_rate, links->precision, links->recall};
  }
  return evaluation;
}

}  // namespace dhyan::api

namespace dhyan::v1 {

TestSet read_test_set(const std::vector<std::string>& files, const std::string& alignments) {
  return api::given_set(dhyan::read_test_set({.pairs = files, .references = {}, .alignments = alignments}));
}

TestSet phrasebook_test_set(const std::string& pair) { return api::given_set(dhyan::phrasebook_test_set(pair)); }

std::vector<MetricScore> score_text(const std::vector<std::string>& translations,
                                    const std::vector<std::vector<std::string>>& references,
                                    const std::vector<std::string>& metrics) {
  if (translations.size() != references.size()) {
    throw UsageError(cat("score_text: ", translations.size(), " translations and references of ", references.size(),
                         "; expected as many"));
  }
  const ScoringOptions scoring{.metrics = metrics};
  check(scoring);
  const dhyan::TestSet set{.name = "score_text", .references = references};
  return api::scores_of(dhyan::score_text({translations, references}, sentence_lengths(set), scoring));
}

}  // namespace dhyan::v1
