#include "decoding/search.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "decoding/decode_loop.h"
#include "decoding/diverse_beams.h"
#include "decoding/search_plan.h"

namespace dhyan {

namespace {

template <class Value>
void expect(bool fine, const char* name, Value value, const char* expected) {
  if (!fine) throw UsageError(cat("search: ", name, " is ", value, ", expected ", expected));
}

void expect_sentences(const char* op, const char* what, std::size_t given, const Decoding& decoding) {
  if (static_cast<Index>(given) == decoding.sentences()) return;
  throw UsageError(cat(op, ": ", given, " ", what, " for ", decoding.sentences(), " sentences"));
}

// A path of decode_loop() that follows a given target.
class ForcedPath {
 public:
  ForcedPath(std::span<const TokenId> target, Index b) : target_(target), last_{static_cast<RowId>(b), kBegin} {}

  void add_live(LiveBatch& live) const {
    if (rows_.size() < target_.size()) live.add(last_);
  }

  void advance(const StepView& step, Index row) {
    last_ = {static_cast<RowId>(row), target_[rows_.size()]};
    const double score = step.scores.log_probability(row, last_.token);
    covered_ = more_covered(covered_, step.looked.of(row));
    hypothesis_.tokens.push_back(last_.token);
    hypothesis_.token_scores.push_back(score);
    hypothesis_.log_probability += score;
    rows_.push_back(last_.row);
  }

  std::span<const RowId> rows() const { return rows_; }
  std::span<const double> covered() const { return covered_; }
  Hypothesis& hypothesis() { return hypothesis_; }

 private:
  std::span<const TokenId> target_;
  Extension last_;
  std::vector<RowId> rows_;
  std::vector<double> covered_;
  Hypothesis hypothesis_;
};

void check(const SearchTask& task) {
  if (std::ranges::any_of(task.required, &Phrase::empty)) throw UsageError("search: a required phrase has no words");
}

template <class Path>
std::vector<SearchResult> run_search(Decoding& decoding, std::span<const SearchTask> tasks,
                                     const SearchOptions& options) {
  const Index not_the_end = options.min_length > 0 || options.refill ? 1 : 0;
  const Index looked_at = options.beam_size + not_the_end + std::max<Index>(options.record_pruned, 0);
  const Index best = std::max(looked_at, options.keep == RecordedAttention::kSteps ? options.candidates : 0);
  const SearchPlan plan(tasks, options);
  std::vector<Path> beams;
  beams.reserve(tasks.size());
  for (const SearchTask& task : plan.tasks()) beams.emplace_back(options, task, static_cast<Index>(beams.size()));
  StepView view{StepScores(best, plan.ask(), unknown_word(options)),
                CrossWeights(HypothesisScore(options).needs_coverage()), plan.words()};
  StepRecords records(options);
  records.add_source(decoding.source_attention());
  LoopControl control(options.poll);
  for (const SearchTask& task : tasks) control.add_sentence(task.cancelled);
  decode_loop<Path>(decoding, beams, view, records, control);

  std::vector<SearchResult> all(beams.size());
  for (std::size_t b = 0; b < beams.size(); ++b) {
    if (control.cancelled(b)) continue;
    SearchResult& found = all[b];
    for (Beam::Result& result : beams[b].results()) {
      records.fill(static_cast<Index>(b), result.rows, result.hypothesis);
      found.best.push_back(std::move(result.hypothesis));
      if (options.record_pruned >= 0) found.beam.best.push_back(result.node);
    }
    if (options.record_pruned >= 0) found.beam.nodes = beams[b].record();
  }
  return all;
}

}  // namespace

void check(const SearchOptions& options) {
  expect(options.beam_size >= 1, "the beam size", options.beam_size, "1 or more");
  if (!options.scored &&
      (options.beam_size > 1 || options.keep == RecordedAttention::kSteps || options.record_pruned >= 0)) {
    throw UsageError(
        "search: without scores, the beam size must be 1 and steps or pruned hypotheses cannot be recorded");
  }
  expect(options.n_best >= 1, "n-best", options.n_best, "1 or more");
  if (options.n_best > options.beam_size) {
    throw UsageError(
        cat("search: n-best is ", options.n_best, ", expected at most the beam size, ", options.beam_size));
  }
  expect(options.length_penalty >= 0 && std::isfinite(options.length_penalty), "the length penalty",
         options.length_penalty, "0 or more");
  expect(options.coverage_penalty >= 0 && std::isfinite(options.coverage_penalty), "the coverage penalty",
         options.coverage_penalty, "0 or more");
  expect(options.max_length >= 1, "the maximum length", options.max_length, "1 or more");
  expect(options.max_length_ratio >= 0, "the maximum length ratio", options.max_length_ratio, "0 or more");
  if (options.refill && options.narrow) {
    throw UsageError("search: a finished hypothesis cannot both give its place to another and take it along");
  }
  expect(options.candidates >= 0, "the number of candidates", options.candidates, "0 or more");
  expect(options.patience > 0 && std::isfinite(options.patience), "patience", options.patience, "more than 0");
  expect(options.diversity >= 0, "the diversity penalty", options.diversity, "0 or more");
  expect(options.no_repeat_ngram >= 0, "the length of n-grams", options.no_repeat_ngram, "0 or more");
  expect(options.groups >= 1, "the number of groups", options.groups, "1 or more");
  if (options.beam_size % options.groups != 0) {
    throw UsageError(
        cat("search: a beam of ", options.beam_size, " cannot be divided into ", options.groups, " groups"));
  }
  if (options.min_length < 0 || options.min_length >= options.max_length) {
    throw UsageError(cat("search: the minimum length is ", options.min_length,
                         ", expected 0 or more and less than the ", "maximum length, ", options.max_length));
  }
  if (std::ranges::any_of(options.forbidden, &Phrase::empty)) {
    throw UsageError("search: a forbidden phrase has no words");
  }
}

Index longest_translation(Index source_length, const SearchOptions& options) {
  const double by_ratio = std::max(options.max_length_ratio * static_cast<double>(source_length) + 10,
                                   static_cast<double>(options.min_length + 1));
  return by_ratio < static_cast<double>(options.max_length) ? static_cast<Index>(by_ratio) : options.max_length;
}

std::vector<SearchResult> search_for(Decoding& decoding, std::span<const SearchTask> tasks,
                                     const SearchOptions& options) {
  check(options);
  for (const SearchTask& task : tasks) check(task);
  expect_sentences("search", "source lengths", tasks.size(), decoding);
  return options.groups > 1 ? run_search<DiverseBeams>(decoding, tasks, options)
                            : run_search<Beam>(decoding, tasks, options);
}

std::vector<std::vector<Hypothesis>> search(Decoding& decoding, std::span<const Index> source_lengths,
                                            const SearchOptions& options) {
  std::vector<SearchTask> tasks;
  for (const Index length : source_lengths) tasks.push_back({.source_length = length});
  std::vector<std::vector<Hypothesis>> best;
  for (SearchResult& found : search_for(decoding, tasks, options)) best.push_back(std::move(found.best));
  return best;
}

std::vector<std::optional<Hypothesis>> force_for(Decoding& decoding, std::span<const ForcedTask> tasks,
                                                 const SearchOptions& options) {
  check(options);
  expect_sentences("force", "targets", tasks.size(), decoding);
  std::vector<ForcedPath> paths;
  LoopControl control(options.poll);
  for (const ForcedTask& task : tasks) {
    paths.emplace_back(task.target, static_cast<Index>(paths.size()));
    control.add_sentence(task.cancelled);
  }
  const HypothesisScore score(options);
  const Index candidates = options.keep == RecordedAttention::kSteps ? options.candidates : 0;
  StepView view{StepScores(candidates, Ask::kProbabilities, unknown_word(options)),
                CrossWeights(score.needs_coverage())};
  StepRecords records(options);
  records.add_source(decoding.source_attention());
  decode_loop<ForcedPath>(decoding, paths, view, records, control);

  std::vector<std::optional<Hypothesis>> forced(paths.size());
  for (std::size_t b = 0; b < paths.size(); ++b) {
    if (control.cancelled(b)) continue;
    Hypothesis& hypothesis = paths[b].hypothesis();
    hypothesis.score = score(hypothesis.log_probability, std::ssize(hypothesis.tokens), paths[b].covered());
    records.fill(static_cast<Index>(b), paths[b].rows(), hypothesis);
    forced[b] = std::move(hypothesis);
  }
  return forced;
}

std::vector<Hypothesis> force(Decoding& decoding, std::span<const std::vector<TokenId>> targets,
                              const SearchOptions& options) {
  std::vector<ForcedTask> tasks;
  for (const std::vector<TokenId>& target : targets) tasks.push_back({.target = target});
  std::vector<Hypothesis> forced;
  for (std::optional<Hypothesis>& one : force_for(decoding, tasks, options)) forced.push_back(std::move(*one));
  return forced;
}

}  // namespace dhyan
