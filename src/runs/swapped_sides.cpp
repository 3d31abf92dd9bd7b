#include "runs/swapped_sides.h"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::size_t kSampledPairs = 1000;  // of a corpus
constexpr double kClearly = 0.1;             // of cosines

// Counts of character trigrams.
class TrigramProfile {
 public:
  void add(std::string_view sentence) {
    constexpr int kBits = 21;  // of a code point
    constexpr std::uint64_t kThree = (std::uint64_t{1} << (3 * kBits)) - 1;
    std::uint64_t trigram = 0;
    for (const char32_t code : to_utf32(sentence)) {
      trigram = ((trigram << kBits) | code) & kThree;
      ++counts_[trigram];
    }
  }

  double cosine(const TrigramProfile& other) const {
    double product = 0;
    for (const auto& [trigram, count] : counts_) {
      const auto found = other.counts_.find(trigram);
      if (found != other.counts_.end()) product += count * found->second;
    }
    const double lengths = length() * other.length();
    return lengths > 0 ? product / lengths : 0;
  }

 private:
  double length() const {
    double squares = 0;
    for (const auto& [trigram, count] : counts_) squares += count * count;
    return std::sqrt(squares);
  }

  std::unordered_map<std::uint64_t, double> counts_;
};

struct SideProfiles {
  TrigramProfile source, target;

  void add(const CorpusInput& corpus) {
    const std::unique_ptr<PairSource> pairs = corpus.open();
    SentencePair pair;
    for (std::size_t i = 0; i < kSampledPairs && pairs->next(pair); ++i) {
      source.add(pair.source);
      target.add(pair.target);
    }
  }
};

}  // namespace

bool looks_swapped(std::span<const CorpusInput> train, const CorpusInput& held_out) {
  SideProfiles trained, held;
  for (const CorpusInput& corpus : train) trained.add(corpus);
  held.add(held_out);
  const auto changed = [](const TrigramProfile& side, const TrigramProfile& own, const TrigramProfile& other) {
    return side.cosine(other) > side.cosine(own) + kClearly;
  };
  return changed(held.source, trained.source, trained.target) && changed(held.target, trained.target, trained.source);
}

}  // namespace dhyan
