#include "data/split.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

// Sources of which some occur once and some up to five times.
std::vector<SentencePair> corpus(std::size_t pairs) {
  Rng rng(5);
  std::vector<SentencePair> all;
  for (std::uint64_t source = 0; all.size() < pairs; ++source) {
    const std::uint64_t times = rng.below(3) == 0 ? 1 + rng.below(5) : 1;
    for (std::uint64_t i = 0; i < times && all.size() < pairs; ++i) {
      all.push_back({cat(i == 0 ? "" : " ", "source ", source), cat("target ", i)});
    }
  }
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[rng.below(i)]);
  return all;
}

std::vector<Part> parts(const std::vector<SentencePair>& pairs, const SplitOptions& options) {
  MemoryPairs source(pairs);
  CorpusSplit split(source, options);
  std::vector<Part> all;
  std::array<std::uint64_t, 3> sizes{};
  for (const SentencePair& pair : pairs) {
    all.push_back(split.part_of(pair));
    ++sizes[static_cast<std::size_t>(all.back())];
  }
  for (const Part part : {Part::kTrain, Part::kDev, Part::kTest}) {
    EXPECT_EQ(sizes[static_cast<std::size_t>(part)], split.size(part)) << "what is told is what is done";
  }
  return all;
}

TEST(Split, PutsEqualSourcesIntoTheSamePart) {
  const auto pairs = corpus(5000);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<Part> of = parts(pairs, {.dev = 500, .test = 0.2, .seed = seed});
    std::map<std::string, std::set<Part>> by_source;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      by_source[pairs[i].source.substr(pairs[i].source.find('s'))].insert(of[i]);
    }
    for (const auto& [source, where] : by_source) EXPECT_EQ(where.size(), 1U) << source;
    EXPECT_EQ(std::ranges::count(of, Part::kDev), 500);
    EXPECT_EQ(std::ranges::count(of, Part::kTest), 1000);
  }
}

TEST(Split, DependsOnTheSeedAndNotOnTheOrder) {
  auto pairs = corpus(1000);
  const SplitOptions options{.dev = 100, .test = 100, .seed = 7};
  const std::vector<Part> once = parts(pairs, options);
  EXPECT_EQ(parts(pairs, options), once);
  EXPECT_NE(parts(pairs, {.dev = 100, .test = 100, .seed = 8}), once);
  std::ranges::reverse(pairs);
  std::vector<Part> reversed = parts(pairs, options);
  std::ranges::reverse(reversed);
  EXPECT_EQ(reversed, once);
}

TEST(Split, TakesFewerPairsIfNoSourceFits) {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 30; ++i) pairs.push_back({cat("s", i % 10), "t"});
  MemoryPairs source(pairs);
  const CorpusSplit split(source, {.dev = 4, .test = 2});
  EXPECT_EQ(split.size(Part::kTest), 0U);
  EXPECT_EQ(split.size(Part::kDev), 3U);
  EXPECT_EQ(split.size(Part::kTrain), 27U);
}

TEST(Split, RefusesToLeaveNothingToTrainOn) {
  const auto refusal = [](const SplitOptions& options) {
    return thrown<ConfigError>([&] {
      MemoryPairs source(corpus(10));
      CorpusSplit(source, options);
    });
  };
  EXPECT_EQ(refusal({.dev = 5, .test = 5}), "split: dev 5 and test 5 of 10 pairs leave none to train on");
  EXPECT_EQ(refusal({.dev = -1}), "split: dev is -1; expected a share below 1 or a whole number of pairs");
  EXPECT_EQ(refusal({.test = 2.5}), "split: test is 2.5; expected a share below 1 or a whole number of pairs");
}

}  // namespace
}  // namespace dhyan
