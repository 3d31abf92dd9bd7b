#include "decoding/diverse_beams.h"

#include <gtest/gtest.h>
#include <set>

#include "decoding/try_everything.h"

namespace dhyan {
namespace {

// By the book, one group after the other in every step; without an end before the greatest length.
std::vector<Hypothesis> diverse_by_the_book(const FakeDecoding::Sentence& sentence, const SearchOptions& options) {
  const auto groups = static_cast<std::size_t>(options.groups);
  const auto width = static_cast<std::size_t>(options.beam_size / options.groups);
  std::vector<std::vector<Hypothesis>> live(groups, std::vector<Hypothesis>(1));
  std::vector<Hypothesis> finished;
  for (Index length = 1; length <= options.max_length; ++length) {
    TakenWords taken;
    for (std::vector<Hypothesis>& group : live) {
      std::vector<std::pair<double, Hypothesis>> longer;
      for (const Hypothesis& one : group) {
        for (const TokenId token : {1, 3, 4, 5, 6}) {
          Hypothesis extended = one;
          extended.log_probability += FakeDecoding::log_probability(sentence, one.tokens, token);
          extended.tokens.push_back(token);
          extended.score = normalised(extended.log_probability, length, options.length_penalty);
          longer.emplace_back(extended.log_probability - options.diversity * static_cast<double>(taken[token]),
                              extended);
        }
      }
      std::ranges::stable_sort(longer, std::ranges::greater(), &std::pair<double, Hypothesis>::first);
      longer.resize(std::min(longer.size(), width));
      group.clear();
      for (const auto& [rank, one] : longer) {
        ++taken[one.tokens.back()];
        (one.tokens.back() == kEnd ? finished : group).push_back(one);
      }
    }
  }
  std::ranges::stable_sort(finished, std::ranges::greater(), &Hypothesis::score);
  const auto same = [](const Hypothesis& a, const Hypothesis& b) { return a.tokens == b.tokens; };
  finished.erase(std::ranges::unique(finished, same).begin(), finished.end());
  return finished;
}

TEST(DiverseBeams, AreThoseOfThePaper) {
  for (const double diversity : {0.0, 0.5, 3.0}) {
    SearchOptions options{.beam_size = 6, .max_length = 8, .stopping = Stopping::kCertain, .groups = 3};
    options.diversity = diversity;
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      expect_found(found(sentence, options), diverse_by_the_book(sentence, options), 1);
    }
  }
}

TEST(DiverseBeams, OneGroupIsABeam) {
  const SearchOptions plain{.beam_size = 4, .n_best = 4, .max_length = 9};
  SearchOptions one = plain;
  one.groups = 1;
  one.diversity = 5;
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    expect_same(found(sentence, plain).front(), found(sentence, one).front());
  }
}

TEST(DiverseBeams, BeginWithDifferentWords) {
  const SearchOptions options{.beam_size = 4, .n_best = 4, .max_length = 9, .groups = 4, .diversity = 100};
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    std::set<TokenId> first;
    for (const Hypothesis& one : found(sentence, options)) first.insert(one.tokens.front());
    EXPECT_EQ(first.size(), 4U);
  }
}

TEST(DiverseBeams, DoNotDependOnTheBatch) {
  const SearchOptions options{.beam_size = 6, .n_best = 3, .max_length = 9, .groups = 2, .record_pruned = 2};
  const auto together = found_for(several_sentences(), std::vector<SearchTask>(6), options);
  for (std::size_t b = 0; b < together.size(); ++b) {
    const Found alone = found_for({several_sentences()[b]}, {{}}, options).front();
    ASSERT_EQ(alone.best.size(), together[b].best.size());
    for (std::size_t i = 0; i < alone.best.size(); ++i) {
      expect_same(alone.best[i], together[b].best[i]);
      const BeamNode& end = alone.beam.nodes[static_cast<std::size_t>(alone.beam.best[i])];
      EXPECT_EQ(end.token, alone.best[i].tokens.back());
      EXPECT_EQ(end.log_probability, alone.best[i].log_probability);
    }
  }
}

}  // namespace
}  // namespace dhyan
