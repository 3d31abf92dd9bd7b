#include "runs/swapped_sides.h"

#include <cmath>

#include "text/trigram_profile.h"

namespace dhyan {

namespace {

constexpr std::size_t kSampledPairs = 1000;  // of a corpus
constexpr double kClearly = 0.1;             // least difference of cosines

double length_of(const TrigramCounts& counts) {
  double squares = 0;
  for (const auto& [trigram, count] : counts) squares += static_cast<double>(count) * static_cast<double>(count);
  return std::sqrt(squares);
}

double cosine(const TrigramCounts& a, const TrigramCounts& b) {
  double product = 0;
  for (const auto& [trigram, count] : a) {
    const auto found = b.find(trigram);
    if (found != b.end()) product += static_cast<double>(count) * static_cast<double>(found->second);
  }
  const double lengths = length_of(a) * length_of(b);
  return lengths > 0 ? product / lengths : 0;
}

struct Sides {
  TrigramCounts source, target;
};

Sides beginnings_of(std::span<const CorpusInput> corpora) {
  TrigramCounter source, target;
  for (const CorpusInput& corpus : corpora) {
    const std::unique_ptr<PairSource> pairs = corpus.open();
    SentencePair pair;
    for (std::size_t i = 0; i < kSampledPairs && pairs->next(pair); ++i) {
      source.add(pair.source);
      target.add(pair.target);
    }
  }
  return {source.counts(), target.counts()};
}

}  // namespace

bool looks_swapped(std::span<const CorpusInput> train, const CorpusInput& held_out) {
  const Sides trained = beginnings_of(train), held = beginnings_of({&held_out, 1});
  const auto changed = [](const TrigramCounts& side, const TrigramCounts& own, const TrigramCounts& other) {
    return cosine(side, other) > cosine(side, own) + kClearly;
  };
  return changed(held.source, trained.source, trained.target) && changed(held.target, trained.target, trained.source);
}

}  // namespace dhyan
