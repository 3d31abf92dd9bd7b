#include "decoding/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "decoding/decode_loop.h"
#include "decoding/word_rules.h"

namespace dhyan {

namespace {

// A path of decode_loop() that draws its words.
class SampledPath {
 public:
  SampledPath(const SamplingOptions& options, Extension first, const Rng& rng, const WordRules* rules = nullptr)
      : options_(options), last_(first), rng_(rng), rules_(rules) {}

  bool over() const { return over_; }

  void add_live(LiveBatch& live) const {
    if (!over_) live.add(last_);
  }

  void advance(const StepView& step, Index row) {
    if (options_.poll) options_.poll();
    const std::vector<double> log_p =
        step.scores.log_probabilities(row, [&](std::span<Real> logits) { forbid(logits); });
    last_ = {static_cast<RowId>(row), draw(log_p, options_, rng_)};
    const double score = log_p[static_cast<std::size_t>(last_.token)];
    if (!std::isfinite(score)) {  // no word is allowed
      over_ = true;
      return;
    }
    hypothesis_.tokens.push_back(last_.token);
    hypothesis_.token_scores.push_back(score);
    hypothesis_.log_probability += score;
    rows_.push_back(last_.row);
    if (options_.drawn) options_.drawn(hypothesis_.tokens);
    over_ = std::ssize(hypothesis_.tokens) == options_.max_length || last_.token == options_.last;
  }

  std::span<const RowId> rows() const { return rows_; }
  Hypothesis& hypothesis() { return hypothesis_; }

 private:
  void forbid(std::span<Real> logits) const {
    if (rules_ != nullptr) rules_->forbid(hypothesis_.tokens, logits);
    if (rules_ != nullptr && rules_->in_prefix(hypothesis_.tokens)) return;
    for (const TokenId token : options_.never_drawn) {
      logits[static_cast<std::size_t>(token)] = -std::numeric_limits<Real>::infinity();
    }
  }

  SamplingOptions options_;
  Extension last_;
  Rng rng_;
  const WordRules* rules_;
  std::vector<RowId> rows_;
  Hypothesis hypothesis_;
  bool over_ = false;
};

// Draws several samples of one sentence.
class SampledPaths {
 public:
  SampledPaths(const SearchOptions& search, const SearchTask& task) : rules_(search, task) {}
  void add(const SamplingOptions& options, Extension first, const Rng& rng) {
    paths_.emplace_back(options, first, rng, &rules_);
  }

  void add_live(LiveBatch& live) const {
    for (const SampledPath& path : paths_) path.add_live(live);
  }
  void advance(const StepView& step, Index row) {
    for (SampledPath& path : paths_) {
      if (!path.over()) path.advance(step, row++);
    }
  }
  std::span<SampledPath> paths() { return paths_; }

 private:
  WordRules rules_;
  std::vector<SampledPath> paths_;
};

StepScores sampled_scores(const SearchOptions& options) {
  return StepScores(options.keep == RecordedAttention::kSteps ? options.candidates : 0, Ask::kProbabilities,
                    unknown_word(options));
}

// The number of words, likeliest first, that top-k and top-p keep. Weights need not sum to 1.
std::size_t eligible(std::span<const double> weights, const SamplingOptions& options) {
  std::size_t count = weights.size();
  if (options.top_k > 0) count = std::min(count, static_cast<std::size_t>(options.top_k));
  if (options.top_p >= 1) return count;
  const double enough = options.top_p * std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += weights[i];
    if (sum >= enough) return i + 1;
  }
  return count;
}

}  // namespace

void check(const SamplingOptions& options) {
  const auto expect = [](bool fine, const char* name, auto value, const char* expected) {
    if (!fine) throw UsageError(cat("sampling: ", name, " is ", value, ", expected ", expected));
  };
  expect(options.temperature >= 0 && std::isfinite(options.temperature), "the temperature", options.temperature,
         "0 or more");
  expect(options.top_k >= 0, "top-k", options.top_k, "0 or more");
  expect(options.top_p > 0 && options.top_p <= 1, "top-p", options.top_p, "more than 0 and at most 1");
  expect(options.max_length >= 1, "the maximum length", options.max_length, "1 or more");
}

TokenId draw(std::span<const double> log_probabilities, const SamplingOptions& options, Rng& rng) {
  std::vector<TokenId> words(log_probabilities.size());
  std::iota(words.begin(), words.end(), TokenId{0});
  const auto log_p = [&](TokenId word) { return log_probabilities[static_cast<std::size_t>(word)]; };
  const TokenId best = *std::ranges::max_element(words, {}, log_p);
  if (options.temperature == 0) return best;
  if (options.top_k > 0 || options.top_p < 1) std::ranges::stable_sort(words, std::ranges::greater(), log_p);
  std::vector<double> weights;
  for (const TokenId word : words) weights.push_back(std::exp((log_p(word) - log_p(best)) / options.temperature));
  weights.resize(eligible(weights, options));
  double left = rng.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (left < weights[i]) return words[i];
    left -= weights[i];
  }
  return best;  // rounding can leave a remainder
}

std::vector<Hypothesis> sample(Decoding& decoding, std::span<const TokenId> first, std::span<const Rng> rngs,
                               const SamplingOptions& options) {
  check(options);
  if (std::ssize(first) != decoding.sentences() || rngs.size() != first.size()) {
    throw UsageError(cat("sample: ", first.size(), " first tokens and ", rngs.size(), " streams of random numbers for ",
                         decoding.sentences(), " sequences"));
  }
  std::vector<SampledPath> paths;
  for (std::size_t b = 0; b < first.size(); ++b) {
    paths.emplace_back(options, Extension{static_cast<RowId>(b), first[b]}, rngs[b]);
  }
  const SearchOptions recording{.keep = options.keep, .allow_unknown = options.allow_unknown};
  StepView view{sampled_scores(recording)};
  StepRecords records(recording);
  LoopControl control;  // paths poll
  decode_loop<SampledPath>(decoding, paths, view, records, control);
  std::vector<Hypothesis> sampled;
  for (std::size_t b = 0; b < paths.size(); ++b) {
    records.fill(static_cast<Index>(b), paths[b].rows(), paths[b].hypothesis());
    sampled.push_back(std::move(paths[b].hypothesis()));
    sampled.back().score = sampled.back().log_probability;
  }
  return sampled;
}

std::vector<std::vector<Hypothesis>> sample_translations(Decoding& decoding, std::span<const SearchTask> tasks,
                                                         std::span<const Rng> streams, const SamplingOptions& options,
                                                         const SearchOptions& search) {
  check(options);
  if (std::ssize(tasks) != decoding.sentences() || streams.size() != tasks.size()) {
    throw UsageError(cat("sample: ", tasks.size(), " tasks and ", streams.size(), " streams of random numbers for ",
                         decoding.sentences(), " sentences"));
  }
  std::vector<SampledPaths> sentences;
  sentences.reserve(tasks.size());  // paths hold pointers to them
  for (std::size_t b = 0; b < tasks.size(); ++b) {
    if (!tasks[b].required.empty()) throw UsageError("sampling: phrases cannot be required; use beam search");
    SamplingOptions within = options;
    within.max_length = longest_translation(tasks[b].source_length, search);
    within.last = kEnd;
    SampledPaths& paths = sentences.emplace_back(search, tasks[b]);
    for (Index i = 0; i < search.n_best; ++i) {
      paths.add(within, {static_cast<RowId>(b), kBegin}, streams[b].split(static_cast<std::uint64_t>(i)));
    }
  }
  StepView view{sampled_scores(search)};
  StepRecords records(search);
  records.add_source(decoding.source_attention());
  LoopControl control;  // paths poll
  for (const SearchTask& task : tasks) control.add_sentence(task.cancelled);
  decode_loop<SampledPaths>(decoding, sentences, view, records, control);
  std::vector<std::vector<Hypothesis>> sampled(tasks.size());
  for (std::size_t b = 0; b < tasks.size(); ++b) {
    if (control.cancelled(b)) continue;
    for (SampledPath& path : sentences[b].paths()) {
      Hypothesis& one = path.hypothesis();
      records.fill(static_cast<Index>(b), path.rows(), one);
      one.score = normalised(one.log_probability, std::ssize(one.tokens), search.length_penalty, search.length_norm);
      sampled[b].push_back(std::move(one));
    }
    std::ranges::stable_sort(sampled[b], std::ranges::greater(), &Hypothesis::score);
  }
  return sampled;
}

}  // namespace dhyan
