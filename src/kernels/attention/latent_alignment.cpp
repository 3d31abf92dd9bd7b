#include "kernels/attention/latent_alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/elementwise/elementwise.h"

namespace dhyan::kernels {

namespace {

std::size_t as_size(Index i) { return static_cast<std::size_t>(i); }

// The place in `jumps` of the score of a jump.
std::size_t jump_at(const AlignmentChain& chain, Index jump) {
  const Index longest = std::ssize(chain.jumps) / 2;
  return as_size(std::clamp(jump, -longest, longest) + longest);
}

// to_j += factor exp s_{j-from} / Σ_l exp s_{l-from}
void add_jumps(const AlignmentChain& chain, Index from, double factor, std::span<double> to) {
  const auto most = static_cast<double>(*std::ranges::max_element(chain.jumps));
  const auto weight = [&](Index j) {
    return std::exp(static_cast<double>(chain.jumps[jump_at(chain, j - from)]) - most);
  };
  double sum = 0;
  for (Index j = 0; j < std::ssize(to); ++j) sum += weight(j);
  for (Index j = 0; j < std::ssize(to); ++j) to[as_size(j)] += factor * weight(j) / sum;
}

void add_weighted(std::span<const double> x, double factor, std::span<double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

double inner_product_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The forward-backward algorithm ([baum1970]). Each step's probabilities are divided by their sum, so that long
// sentences do not underflow.
class ForwardBackward {
 public:
  ForwardBackward(const AlignedSentence& sentence, const AlignmentChain& chain, std::span<double> scratch)
      : sentence_(sentence), chain_(chain), T_(sentence.energy.rows), W_(sentence.energy.cols - 1), free_(scratch) {
    jumps_ = take((W_ + 1) * W_);
    pairs_ = take((W_ + 1) * W_);
    words_ = take(T_ * W_);
    null_ = take(T_);
    next_ = take(T_ * W_);
    places_ = take((T_ + 1) * W_);
    after_ = take(W_);
    before_ = take(W_);
    std::ranges::fill(jumps_, 0.0);
    for (Index k = 0; k <= W_; ++k) add_jumps(chain, k - 1, 1, row(jumps_, k));
  }

  double forward() {
    double log_p = 0;
    std::ranges::copy(row(jumps_, 0), row(places_, 0).begin());  // null as the first source leaves the place open
    for (Index i = 0; i < T_; ++i) {
      log_p += scale_emissions(i);
      const std::span<double> next = row(next_, i), from = row(places_, i), to = row(places_, i + 1);
      if (i == 0) {
        std::ranges::copy(row(jumps_, 0), next.begin());
      } else {
        std::ranges::fill(next, 0.0);
        for (Index k = 0; k < W_; ++k) add_weighted(row(jumps_, k + 1), from[as_size(k)], next);
      }
      double sum = 0;
      for (std::size_t j = 0; j < to.size(); ++j) {
        sum += to[j] = row(words_, i)[j] * next[j] + null_[as_size(i)] * from[j];
      }
      for (double& each : to) each /= sum;
      for (double& each : row(words_, i)) each /= sum;
      null_[as_size(i)] /= sum;
      log_p += std::log(sum);
    }
    return log_p;
  }

  void backward() {
    std::ranges::fill(pairs_, 0.0);
    std::ranges::fill(after_, 1.0);
    for (Index i = T_ - 1; i >= 0; --i) {
      const std::span<const double> word = row(words_, i), next = row(next_, i), from = row(places_, i);
      Real* const posterior = sentence_.posterior.row(i);
      for (std::size_t j = 0; j < after_.size(); ++j) posterior[j] = static_cast<Real>(word[j] * next[j] * after_[j]);
      posterior[W_] = static_cast<Real>(null_[as_size(i)] * inner_product_of(from, after_));
      for (std::size_t j = 0; j < after_.size(); ++j) before_[j] = word[j] * after_[j];
      count_jumps(i);
      for (Index k = 0; k < W_ && i > 0; ++k) {
        after_[as_size(k)] = inner_product_of(row(jumps_, k + 1), before_) + null_[as_size(i)] * after_[as_size(k)];
      }
    }
  }

  // ds_d = Σ over jumps k -> j = k + d of their expected number, less what the softmax would expect
  void jump_gradients() {
    std::ranges::fill(sentence_.djumps, Real{0});
    for (Index k = 0; k <= W_; ++k) {
      double leaving = 0;
      for (const double each : row(pairs_, k)) leaving += each;
      for (Index j = 0; j < W_; ++j) {
        sentence_.djumps[jump_at(chain_, j - (k - 1))] +=
            static_cast<Real>(row(pairs_, k)[as_size(j)] - row(jumps_, k)[as_size(j)] * leaving);
      }
    }
  }

 private:
  std::span<double> take(Index n) {
    const std::span<double> taken = free_.first(as_size(n));
    free_ = free_.subspan(as_size(n));
    return taken;
  }
  std::span<double> row(std::span<double> matrix, Index i) const {
    return matrix.subspan(as_size(i * W_), as_size(W_));
  }

  // Emissions of target i relative to the largest, whose logarithm is returned, with the factors of null.
  double scale_emissions(Index i) {
    const Real* const e = sentence_.energy.row(i);
    const auto most = static_cast<double>(*std::max_element(e, e + W_ + 1));
    for (Index j = 0; j < W_; ++j) row(words_, i)[as_size(j)] = (1 - chain_.null) * std::exp(e[j] - most);
    null_[as_size(i)] = chain_.null * std::exp(e[W_] - most);
    return most;
  }

  // Adds the expected number of each jump to the word of target i; before_ has what follows.
  void count_jumps(Index i) {
    if (sentence_.djumps.empty()) return;
    const std::span<const double> from = row(places_, i);
    if (i == 0) {
      for (std::size_t j = 0; j < before_.size(); ++j) {
        row(pairs_, 0)[j] += row(jumps_, 0)[j] * (before_[j] + null_[0] * after_[j]);
      }
      return;
    }
    for (Index k = 0; k < W_; ++k) {
      const std::span<double> pairs = row(pairs_, k + 1);
      const std::span<const double> jumps = row(jumps_, k + 1);
      for (std::size_t j = 0; j < pairs.size(); ++j) pairs[j] += from[as_size(k)] * jumps[j] * before_[j];
    }
  }

  const AlignedSentence& sentence_;
  const AlignmentChain& chain_;
  Index T_, W_;
  std::span<double> free_;
  std::span<double> jumps_;   // [W+1,W] of each place before; the first row is that before the first word
  std::span<double> pairs_;   // [W+1,W] expected number of these jumps
  std::span<double> words_;   // [T,W]   p(y_i | a_i = j), scaled
  std::span<double> null_;    // [T]     likewise of null
  std::span<double> next_;    // [T,W]   p(place j | y_<i)
  std::span<double> places_;  // [T+1,W] p(place j | y_<=i), of i from -1 on
  std::span<double> after_;   // [W]     what follows, given the place
  std::span<double> before_;  // [W]     and given that the word of target i stands there
};

}  // namespace

std::size_t alignment_scratch(Index T, Index S) {
  const Index W = S - 1;
  return as_size(2 * (W + 1) * W + 3 * (T + 1) * W + T + 2 * W);
}

double align_sentence(const AlignedSentence& sentence, const AlignmentChain& chain, std::span<double> scratch) {
  if (sentence.energy.cols == 1) {  // null is the only source
    double log_p = 0;
    for (Index i = 0; i < sentence.energy.rows; ++i) {
      log_p += static_cast<double>(*sentence.energy.row(i));
      *sentence.posterior.row(i) = 1;
    }
    std::ranges::fill(sentence.djumps, Real{0});
    return log_p;
  }
  ForwardBackward passes(sentence, chain, scratch);
  const double log_p = passes.forward();
  passes.backward();
  if (!sentence.djumps.empty()) passes.jump_gradients();
  return log_p;
}

void next_source(std::span<const double> places, const AlignmentChain& chain, std::span<double> next) {
  const std::span<double> words = next.first(next.size() - 1);
  std::ranges::fill(next, 0.0);
  next.back() = words.empty() ? 1 : chain.null;
  if (places.empty()) add_jumps(chain, -1, 1 - next.back(), words);
  for (Index k = 0; k < std::ssize(places); ++k) {
    add_jumps(chain, k, (1 - next.back()) * places[as_size(k)], words);
  }
}

void update_places(std::span<const double> next, std::span<const Real> energy, std::span<double> places) {
  const std::size_t W = places.size();
  const auto most = static_cast<double>(*std::ranges::max_element(energy));
  const double null = next[W] * std::exp(static_cast<double>(energy[W]) - most);
  double sum = 0;
  for (std::size_t j = 0; j < W; ++j) {
    places[j] = next[j] * std::exp(static_cast<double>(energy[j]) - most) + null * places[j];
    sum += places[j];
  }
  for (double& each : places) each /= sum;
}

void log_mixture(ConstMatrix table, std::span<const RowId> keys, std::span<const Real> weights, std::span<Real> z) {
  std::ranges::fill(z, Real{0});
  for (std::size_t j = 0; j < keys.size(); ++j) {
    scale_add({table.row(keys[j]), z.size()}, weights[j], z);
  }
  for (Real& each : z) each = std::log(std::max(each, std::numeric_limits<Real>::min()));
}

void pair_lookup(ConstMatrix table, std::span<const RowId> keys, std::span<const RowId> queries, Matrix energy) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Real* const row = energy.row(static_cast<Index>(i));
    for (std::size_t j = 0; j < keys.size(); ++j) row[j] = table.row(keys[j])[queries[i]];
  }
}

void pair_lookup_backward(ConstMatrix denergy, std::span<const RowId> keys, std::span<const RowId> queries,
                          Matrix dtable) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Real* const row = denergy.row(static_cast<Index>(i));
    for (std::size_t j = 0; j < keys.size(); ++j) dtable.row(keys[j])[queries[i]] += row[j];
  }
}

}  // namespace dhyan::kernels
