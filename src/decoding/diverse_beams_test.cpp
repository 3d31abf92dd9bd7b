#include "decoding/diverse_beams.h"

#include <gtest/gtest.h>
#include <set>

#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

// The algorithm of the paper: one group after the other in every step, always to the maximum length.
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
        for (const TokenId token : {3, 4, 5, 6}) {
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
  for (const std::vector<Hypothesis>& group : live) finished.insert(finished.end(), group.begin(), group.end());
  std::ranges::stable_sort(finished, std::ranges::greater(), &Hypothesis::score);
  const auto same = [](const Hypothesis& a, const Hypothesis& b) { return a.tokens == b.tokens; };
  finished.erase(std::ranges::unique(finished, same).begin(), finished.end());
  return finished;
}

TEST(DiverseBeams, EqualTheAlgorithmOfThePaper) {
  for (const double diversity : {0.0, 0.5, 3.0}) {
    SearchOptions options{.beam_size = 6, .max_length = 8, .stopping = Stopping::kCertain, .groups = 3};
    options.diversity = diversity;
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      expect_found(found(sentence, options), diverse_by_the_book(sentence, options), 1);
    }
  }
}

template <class Path>
std::vector<Beam::Result> walked_alone(const FakeDecoding::Sentence& sentence, const SearchOptions& options) {
  FakeDecoding decoding({sentence});
  const SearchTask task{.source_length = sentence.source_length};
  Path path(options, task, 0);
  StepView view{StepScores(options.beam_size)};
  StepRecords records(options);
  LoopControl control;
  decode_loop<Path>(decoding, std::span(&path, 1), view, records, control);
  return path.results();
}

TEST(DiverseBeams, WithOneGroupEqualBeamSearch) {
  for (const Index max_length : {3, 9}) {
    const SearchOptions options{.beam_size = 4, .n_best = 4, .max_length = max_length, .diversity = 5};
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      const auto group = walked_alone<DiverseBeams>(sentence, options), beam = walked_alone<Beam>(sentence, options);
      ASSERT_EQ(group.size(), beam.size());
      for (std::size_t i = 0; i < beam.size(); ++i) {
        expect_same(group[i].hypothesis, beam[i].hypothesis);
        EXPECT_EQ(group[i].rows, beam[i].rows);
        EXPECT_EQ(group[i].node, beam[i].node);
      }
    }
  }
}

TEST(DiverseBeams, ReturnFinishedOrFullLengthHypothesesOnly) {
  Index cut = 0, ended = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const SearchOptions options{.beam_size = 6, .n_best = 6, .max_length = 9, .groups = 3};
    for (const Hypothesis& one : found({seed, 2}, options)) {
      ++(one.tokens.back() == kEnd ? ended : cut);
      EXPECT_TRUE(one.tokens.back() == kEnd || one.tokens.size() == 9U) << one.tokens.size() << " tokens of " << seed;
    }
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(ended, 60);
}

TEST(DiverseBeams, StopWhereNoWordIsAllowed) {
  SearchOptions options{.beam_size = 4, .min_length = 1, .max_length = 9, .groups = 2};
  options.forbidden = {{kUnknown}, {4}, {5}, {6}};
  EXPECT_TRUE(found({1, 2}, options).front().tokens.empty());
}

TEST(DiverseBeams, BeginWithDifferentWordsInEachGroup) {
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
    const SearchResult alone = found_for({several_sentences()[b]}, {{}}, options).front();
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
