#include "data/split.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "data/filters.h"

namespace dhyan {

namespace {

std::uint64_t wanted_size(const char* name, double asked, std::uint64_t pairs) {
  if (!(asked >= 0) || (asked >= 1 && asked != std::floor(asked))) {
    throw ConfigError(cat("split: ", name, " is ", asked, "; expected a share below 1 or a whole number of pairs"));
  }
  // Larger than any corpus, but small enough that the sum below cannot overflow.
  if (asked >= 1) return static_cast<std::uint64_t>(std::min(asked, 1e15));
  return static_cast<std::uint64_t>(std::llround(asked * static_cast<double>(pairs)));
}

}  // namespace

CorpusSplit::CorpusSplit(PairSource& pairs, const SplitOptions& options) : seed_(options.seed) {
  std::vector<std::uint64_t> keys;
  for (SentencePair pair; pairs.next(pair);) keys.push_back(key_of(pair));
  const std::uint64_t dev = wanted_size("dev", options.dev, keys.size());
  const std::uint64_t test = wanted_size("test", options.test, keys.size());
  if (dev + test >= keys.size()) {
    throw ConfigError(
        cat("split: dev ", dev, " and test ", test, " of ", keys.size(), " pairs leave none to train on"));
  }

  // Sorting by a hash shuffles the sources and keeps pairs of the same source together.
  std::ranges::sort(keys);
  std::uint64_t& in_dev = sizes_[static_cast<std::size_t>(Part::kDev)];
  std::uint64_t& in_test = sizes_[static_cast<std::size_t>(Part::kTest)];
  for (auto first = keys.begin(); first != keys.end() && (in_dev < dev || in_test < test);) {
    const auto last = std::find_if(first, keys.end(), [&](std::uint64_t key) { return key != *first; });
    const auto size = static_cast<std::uint64_t>(last - first);
    if (in_test + size <= test) {
      test_.insert(*first);
      in_test += size;
    } else if (in_dev + size <= dev) {
      dev_.insert(*first);
      in_dev += size;
    }
    first = last;
  }
  sizes_[static_cast<std::size_t>(Part::kTrain)] = keys.size() - in_dev - in_test;
}

std::uint64_t CorpusSplit::key_of(const SentencePair& pair) { return hash_words(pair.source, storage_, seed_); }

Part CorpusSplit::part_of(const SentencePair& pair) {
  const std::uint64_t key = key_of(pair);
  if (test_.contains(key)) return Part::kTest;
  return dev_.contains(key) ? Part::kDev : Part::kTrain;
}

}  // namespace dhyan
