#include "decoding/step_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace dhyan {

namespace {

using kernels::kNoWord;

ConstMatrix row_of(const Tensor& tensor, Index row) { return tensor.row_range(row, row + 1).matrix(); }

void expect_number(double x) {
  if (!std::isfinite(x)) {
    throw ModelFileError("search: the logits are NaN; the weights hold NaN or are too large");
  }
}

}  // namespace

bool StepScores::can_be_given(const kernels::Ranked& word) const {
  if (word.column == kUnknown) return unknown_ == UnknownWord::kAllowed;
  return word.column != kPad && word.column != kBegin;
}

// Suppressed words may be among the best, so that many more words are requested. Masking a copy of the logits instead
// would lose the fast paths.

Index StepScores::asked() const {
  return ask_ == Ask::kBest || ask_ == Ask::kBestProbabilities ? wanted_ + never_given() : 0;
}

void StepScores::read(const DecoderStep& step, const ListedWords& lists) {
  if (step.best.empty()) return read(step.logits, lists);
  best_.clear();
  best_count_ = wanted_;
  const auto count = static_cast<std::size_t>(asked());
  for (std::size_t row = 0; row < step.best.size() / count; ++row) {
    const double log_sum = asks_for_sums() ? step.log_sums[row] : 0;
    expect_number(log_sum);
    keep_best(std::span(step.best).subspan(row * count, count), log_sum);
    if (!asks_for_sums()) order_best();
  }
}

// The best words of a row, into ranked_, and log Σ exp if it is wanted.
void StepScores::rank(Index row, std::span<const TokenId> words, double* log_sum) {
  ConstMatrix z = row_of(logits_, row);
  if (!words.empty()) {
    listed_.clear();
    for (const TokenId word : words) listed_.push_back(logits_.row(row)[static_cast<std::size_t>(word)]);
    z = {listed_.data(), 1, std::ssize(listed_), std::ssize(listed_)};
  }
  const Index k = std::min<Index>(std::ssize(ranked_), z.cols);
  const std::span<kernels::Ranked> best = std::span(ranked_).first(static_cast<std::size_t>(k));
  if (log_sum != nullptr) {
    kernels::log_sum_and_top_k_rows(z, {log_sum, 1}, k, best);
  } else {
    kernels::top_k_rows(z, k, best);
  }
  std::fill(ranked_.begin() + k, ranked_.end(), kNoWord);
  if (words.empty()) return;
  for (kernels::Ranked& one : best) one.column = words[static_cast<std::size_t>(one.column)];
}

void StepScores::read(const Var& logits, const ListedWords& lists) {
  logits_ = logits.value();
  const Index A = logits_.rows(), V = logits_.cols();
  if (V <= kEnd) throw ShapeError(cat("search: logits are ", logits.shape(), ", expected a vocabulary of 4 or more"));
  log_sums_.resize(static_cast<std::size_t>(A));
  best_count_ = std::min(wanted_, V - never_given());
  best_.clear();
  ranked_.resize(static_cast<std::size_t>(best_count_ == 0 ? 0 : best_count_ + never_given()));
  Index sentence = 0;
  for (Index row = 0; row < A; ++row) {
    while (!lists.words.empty() && row >= lists.rows.end(sentence)) ++sentence;
    const std::span<const TokenId> words =
        lists.words.empty() ? std::span<const TokenId>() : lists.words[static_cast<std::size_t>(sentence)];
    double& log_sum = log_sums_[static_cast<std::size_t>(row)];
    rank(row, words, has_sums() ? &log_sum : nullptr);
    if (has_sums()) {
      expect_number(log_sum);
      keep_best(ranked_, log_sum);
    } else {
      keep_best(ranked_, 0);
      log_sum = order_best();
    }
  }
}

// For the last row: log p becomes relative to the best word, whose logit is returned.
double StepScores::order_best() {
  const std::span<Candidate> words = std::span(best_).last(static_cast<std::size_t>(best_count_));
  const double best = words.front().log_probability;
  expect_number(best);
  for (Candidate& word : words) word.log_probability -= best;
  return best;
}

// log p_j = z_j - log Σ_v exp z_v
double StepScores::log_probability(Index row, TokenId token) const {
  if (token < 0 || token >= logits_.cols()) {
    throw UsageError(cat("search: token ", token, " is outside of a vocabulary of ", logits_.cols()));
  }
  return double{logits_.row(row)[static_cast<std::size_t>(token)]} - log_sums_[static_cast<std::size_t>(row)];
}

// A copy of the logits, -inf for suppressed and forbidden words.
std::vector<Real> StepScores::allowed(Index row, const Forbid& forbid) const {
  std::vector<Real> logits(logits_.row(row).begin(), logits_.row(row).end());
  logits[kPad] = logits[kBegin] = -std::numeric_limits<Real>::infinity();
  if (unknown_ == UnknownWord::kSuppressed) logits[kUnknown] = -std::numeric_limits<Real>::infinity();
  if (forbid) forbid(logits);
  return logits;
}

std::vector<double> StepScores::log_probabilities(Index row, const Forbid& forbid) const {
  const std::vector<Real> logits = allowed(row, forbid);
  std::vector<double> log_p;
  for (const Real z : logits) log_p.push_back(double{z} - log_sums_[static_cast<std::size_t>(row)]);
  return log_p;
}

std::vector<Candidate> StepScores::best(Index row, Index count, const Forbid& forbid) const {
  const std::vector<Real> logits = allowed(row, forbid);
  std::vector<kernels::Ranked> ranked(static_cast<std::size_t>(std::min<Index>(count, std::ssize(logits))));
  kernels::top_k_rows({logits.data(), 1, std::ssize(logits), std::ssize(logits)}, std::ssize(ranked), ranked);
  std::vector<Candidate> words;
  for (const kernels::Ranked& word : ranked) {
    if (std::isfinite(word.value)) words.push_back({word.column, log_probability(row, word.column)});
  }
  return words;
}

void StepScores::keep_best(std::span<const kernels::Ranked> ranked, double log_sum) {
  const std::size_t end = best_.size() + static_cast<std::size_t>(best_count_);
  for (const kernels::Ranked& word : ranked) {
    if (best_.size() < end && can_be_given(word)) best_.push_back({word.column, double{word.value} - log_sum});
  }
  best_.resize(end, {kNoWord.column, -std::numeric_limits<double>::infinity()});
}

std::span<const Candidate> StepScores::best(Index row) const {
  const auto count = static_cast<std::size_t>(best_count_);
  std::span<const Candidate> words = std::span(best_).subspan(static_cast<std::size_t>(row) * count, count);
  while (!words.empty() && words.back().token == kNoWord.column) words = words.first(words.size() - 1);
  return words;
}

}  // namespace dhyan
