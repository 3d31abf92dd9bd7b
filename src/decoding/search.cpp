#include "decoding/search.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "decoding/beam.h"
#include "decoding/walk.h"

namespace dhyan {

namespace {

template <class Value>
void expect(bool fine, const char* name, Value value, const char* expected) {
  if (!fine) throw UsageError(cat("search: ", name, " is ", value, ", expected ", expected));
}

Index longest_translation(Index source_length, const SearchOptions& options) {
  const double by_ratio = options.max_length_ratio * static_cast<double>(source_length) + 10;
  return by_ratio < static_cast<double>(options.max_length) ? static_cast<Index>(by_ratio) : options.max_length;
}

void expect_sentences(const char* op, const char* what, std::size_t given, const Decoding& decoding) {
  if (static_cast<Index>(given) == decoding.sentences()) return;
  throw UsageError(cat(op, ": ", given, " ", what, " for ", decoding.sentences(), " sentences"));
}

// A given target on its way through the steps: the path of walk() that has no choice.
class ForcedPath {
 public:
  ForcedPath(std::span<const TokenId> target, Index b) : target_(target), last_{static_cast<RowId>(b), kBegin} {}

  void add_live(Frontier& frontier) const {
    if (rows_.size() < target_.size()) frontier.add(last_);
  }

  void advance(const StepScores& scores, Index row) {
    last_ = {static_cast<RowId>(row), target_[rows_.size()]};
    const double score = scores.log_probability(row, last_.token);
    hypothesis_.tokens.push_back(last_.token);
    hypothesis_.token_scores.push_back(score);
    hypothesis_.log_probability += score;
    rows_.push_back(last_.row);
  }

  std::span<const RowId> rows() const { return rows_; }
  Hypothesis& hypothesis() { return hypothesis_; }

 private:
  std::span<const TokenId> target_;
  Extension last_;
  std::vector<RowId> rows_;
  Hypothesis hypothesis_;
};

}  // namespace

void check(const SearchOptions& options) {
  expect(options.beam_size >= 1, "the beam size", options.beam_size, "1 or more");
  expect(options.n_best >= 1, "n-best", options.n_best, "1 or more");
  if (options.n_best > options.beam_size) {
    throw UsageError(cat("search: a beam of ", options.beam_size, " does not hold the ", options.n_best, " best"));
  }
  expect(options.length_penalty >= 0 && std::isfinite(options.length_penalty), "the length penalty",
         options.length_penalty, "0 or more");
  expect(options.max_length >= 1, "the greatest length", options.max_length, "1 or more");
  expect(options.max_length_ratio >= 0, "the ratio of lengths", options.max_length_ratio, "0 or more");
  expect(options.candidates >= 0, "the number of candidates", options.candidates, "0 or more");
}

std::vector<std::vector<Hypothesis>> search(Decoding& decoding, std::span<const Index> source_lengths,
                                            const SearchOptions& options) {
  check(options);
  expect_sentences("search", "source lengths", source_lengths.size(), decoding);
  std::vector<Beam> beams;
  for (const Index length : source_lengths) {
    beams.emplace_back(options, static_cast<Index>(beams.size()), longest_translation(length, options));
  }
  StepScores scores(std::max(options.beam_size, options.keep == Keep::kSteps ? options.candidates : 0));
  StepRecords records(options);
  records.add_source(decoding.source_attention());
  walk<Beam>(decoding, beams, scores, records);

  std::vector<std::vector<Hypothesis>> found;
  for (std::size_t b = 0; b < beams.size(); ++b) {
    std::vector<Hypothesis>& best = found.emplace_back();
    for (Beam::Result& result : beams[b].results()) {
      records.fill(static_cast<Index>(b), result.rows, result.hypothesis);
      best.push_back(std::move(result.hypothesis));
    }
  }
  return found;
}

std::vector<Hypothesis> force(Decoding& decoding, std::span<const std::vector<TokenId>> targets,
                              const SearchOptions& options) {
  check(options);
  expect_sentences("force", "targets", targets.size(), decoding);
  std::vector<ForcedPath> paths;
  for (const std::vector<TokenId>& target : targets) paths.emplace_back(target, static_cast<Index>(paths.size()));
  StepScores scores(options.keep == Keep::kSteps ? options.candidates : 0);
  StepRecords records(options);
  records.add_source(decoding.source_attention());
  walk<ForcedPath>(decoding, paths, scores, records);

  std::vector<Hypothesis> forced;
  for (std::size_t b = 0; b < paths.size(); ++b) {
    Hypothesis& hypothesis = paths[b].hypothesis();
    hypothesis.score = normalised(hypothesis.log_probability, std::ssize(hypothesis.tokens), options.length_penalty);
    records.fill(static_cast<Index>(b), paths[b].rows(), hypothesis);
    forced.push_back(std::move(hypothesis));
  }
  return forced;
}

}  // namespace dhyan
