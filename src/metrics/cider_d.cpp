#include "metrics/cider_d.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "metrics/ngrams.h"

namespace dhyan {

namespace {

constexpr std::size_t kOrders = 4;  // longest n-grams, in words
constexpr double kSigma = 6;        // standard deviation of the length penalty, in words

// The captions of a picture as word ids, the hypothesis first.
using Picture = std::vector<Symbols>;

std::u32string_view key_of(std::span<const char32_t> ngram) { return {ngram.data(), ngram.size()}; }

// How many pictures have an n-gram in at least one reference.
class DocumentFrequencies {
 public:
  explicit DocumentFrequencies(std::span<const Picture> pictures)
      : log_pictures_(std::log(static_cast<double>(pictures.size()))) {
    for (const Picture& picture : pictures) {
      std::unordered_set<std::u32string_view> found;
      for (const Symbols& reference : std::span(picture).subspan(1)) {
        for (std::size_t n = 1; n <= kOrders; ++n) {
          for (std::size_t at = 0; at + n <= reference.size(); ++at) {
            found.insert(key_of(std::span(reference).subspan(at, n)));
          }
        }
      }
      for (const std::u32string_view ngram : found) ++frequencies_[ngram];
    }
  }

  // log(N / df), with a df of 1 for an n-gram that no reference has
  double inverse(std::span<const char32_t> ngram) const {
    const auto found = frequencies_.find(key_of(ngram));
    return found == frequencies_.end() ? log_pictures_ : log_pictures_ - std::log(static_cast<double>(found->second));
  }

 private:
  double log_pictures_;
  std::unordered_map<std::u32string_view, Index> frequencies_;
};

struct Weight {
  std::span<const char32_t> ngram;
  double value = 0;  // tf * idf
};

// The tf-idf vectors of a caption, one per order. Refers to the words of the caption.
struct TfIdf {
  std::array<std::vector<Weight>, kOrders> weights;  // n-grams ascend
  std::array<double, kOrders> norms{};
  double length = 0;  // in bigrams, which is how pycocoevalcap measures it
};

TfIdf tf_idf(const Symbols& caption, const DocumentFrequencies& frequencies) {
  TfIdf result;
  for (std::size_t n = 0; n < kOrders; ++n) {
    double squares = 0;
    const NgramCounts ngrams(caption, static_cast<Index>(n) + 1);
    for (const NgramCounts::Entry& entry : ngrams.entries()) {
      const double value = static_cast<double>(entry.count) * frequencies.inverse(entry.ngram);
      result.weights[n].push_back({entry.ngram, value});
      squares += value * value;
    }
    result.norms[n] = std::sqrt(squares);
  }
  result.length = caption.empty() ? 0 : static_cast<double>(caption.size() - 1);
  return result;
}

// min(g(c), g(s)) . g(s)
double clipped_product(std::span<const Weight> caption, std::span<const Weight> reference) {
  double sum = 0;
  auto other = reference.begin();
  for (const Weight& weight : caption) {
    while (other != reference.end() && std::ranges::lexicographical_compare(other->ngram, weight.ngram)) ++other;
    if (other == reference.end()) break;
    if (std::ranges::equal(other->ngram, weight.ngram)) sum += std::min(weight.value, other->value) * other->value;
  }
  return sum;
}

// The mean over orders of   exp(-(l(c) - l(s))^2 / 2 sigma^2) min(g(c), g(s)) . g(s) / (|g(c)| |g(s)|)
double similarity(const TfIdf& caption, const TfIdf& reference) {
  double sum = 0;
  for (std::size_t n = 0; n < kOrders; ++n) {
    const double norms = caption.norms[n] * reference.norms[n];
    if (norms > 0) sum += clipped_product(caption.weights[n], reference.weights[n]) / norms;
  }
  const double difference = caption.length - reference.length;
  return sum / kOrders * std::exp(-difference * difference / (2 * kSigma * kSigma));
}

}  // namespace

std::string CiderD::settings() const { return cat(caption_settings(options_), "|n:", kOrders, "|sigma:", kSigma); }

Counts CiderD::counts(std::string_view hypothesis, std::span<const std::string> references) const {
  const std::string caption(hypothesis);
  const std::vector<std::string> of_picture(references.begin(), references.end());
  return counts_of_text({{&caption, 1}, {&of_picture, 1}}, {}).front();
}

// CIDEr-D = 10 / m sum_j similarity(c, s_j)   [vedantam2015]
std::vector<Counts> CiderD::counts_of_text(const ScoredText& text, const std::function<void()>& poll) const {
  std::vector<std::u32string> captions;
  for (std::size_t i = 0; i < text.hypotheses.size(); ++i) {
    captions.push_back(caption_words(text.hypotheses[i], options_));
    for (const std::string& reference : text.references[i]) captions.push_back(caption_words(reference, options_));
  }
  WordNumbers numbers;
  std::vector<Picture> pictures(text.hypotheses.size());
  auto caption = captions.begin();
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for (std::size_t j = 0; j <= text.references[i].size(); ++j) {
      pictures[i].push_back(numbers(split_words(*caption++)));
    }
  }
  const DocumentFrequencies frequencies(pictures);
  std::vector<Counts> sentences;
  for (const Picture& picture : pictures) {
    if (poll) poll();
    const TfIdf hypothesis = tf_idf(picture.front(), frequencies);
    double sum = 0;
    for (const Symbols& reference : std::span(picture).subspan(1)) {
      sum += similarity(hypothesis, tf_idf(reference, frequencies));
    }
    sentences.push_back({10 * sum / static_cast<double>(picture.size() - 1), 1});
  }
  return sentences;
}

double CiderD::score(const Counts& sums) const { return 100 * sums[0] / sums[1]; }

}  // namespace dhyan
