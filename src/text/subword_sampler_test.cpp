#include "text/subword_sampler.h"

#include <cmath>
#include <map>
#include <thread>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/nfc.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/check_offsets.h"
#include "text/testing/small_corpus.h"

namespace dhyan {
namespace {

std::vector<Atom> atoms_of(std::string_view text) {
  std::vector<Atom> atoms;
  for (const Character& c : Characters(text))
    atoms.push_back({std::string(part(text, {c.begin, c.end})), {c.begin, c.end}});
  return atoms;
}

std::string cut_text(const SubwordSampler& sampler, std::string_view text, Rng& rng) {
  std::string shown;
  const std::vector<Atom> atoms = atoms_of(text);
  for (const Cut& cut : sampler.cut(atoms, rng)) {
    if (!shown.empty()) shown += '|';
    for (std::size_t i = cut.begin; i < cut.end; ++i) shown += atoms[i].text;
  }
  return shown;
}

SubwordModel abc(SubwordAlgorithm algorithm) {
  return {algorithm,
          {{"<unk>", 0, PieceKind::kUnknownWord},
           {"a", -1},
           {"b", -2},
           {"c", -3},
           {"ab", -1.5F},
           {"bc", -2.5F},
           {"abc", -4}}};
}

TEST(UnigramSampling, DrawsSegmentationsByTheirProbability) {
  const double alpha = 0.7;
  const SubwordSampler sampler(abc(SubwordAlgorithm::kUnigram), {.alpha = alpha});
  std::map<std::string, double> expected = {{"a|b|c", -6}, {"ab|c", -4.5}, {"a|bc", -3.5}, {"abc", -4}};
  double sum = 0;
  for (auto& [cut, score] : expected) sum += score = std::exp(alpha * score);
  std::map<std::string, int> drawn;
  const int draws = 20'000;
  Rng rng(3);
  for (int i = 0; i < draws; ++i) ++drawn[cut_text(sampler, "abc", rng)];
  EXPECT_EQ(drawn.size(), expected.size());
  for (const auto& [cut, weight] : expected) {
    const double p = weight / sum, deviation = std::sqrt(p * (1 - p) / draws);
    EXPECT_NEAR(drawn[cut] / double{draws}, p, 4 * deviation) << cut;
  }
}

TEST(UnigramSampling, DrawsTheBestSegmentationWithALargeAlpha) {
  const SubwordSampler sampler(abc(SubwordAlgorithm::kUnigram), {.alpha = 1000});
  Rng rng(3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(cut_text(sampler, "abc", rng), "a|bc");
}

TEST(UnigramSampling, MakesATokenOfEachAtomWithoutAPiece) {
  const SubwordSampler sampler(abc(SubwordAlgorithm::kUnigram), {.alpha = 1000});
  Rng rng(3);
  EXPECT_EQ(cut_text(sampler, "abxab", rng), "ab|x|ab");
  EXPECT_EQ(cut_text(sampler, "", rng), "");
  EXPECT_EQ(sampler.cut(atoms_of("x"), rng).front().id, Cut::kNoPiece);
}

TEST(BpeDropout, SkipsMergesWithItsProbability) {
  // ab (-1.5) is merged before bc (-2.5), and then abc.
  Rng rng(4);
  EXPECT_EQ(cut_text(SubwordSampler(abc(SubwordAlgorithm::kBpe), {.dropout = 0}), "abc", rng), "abc");
  EXPECT_EQ(cut_text(SubwordSampler(abc(SubwordAlgorithm::kBpe), {.dropout = 1}), "abc", rng), "a|b|c");
  const SubwordSampler sampler(abc(SubwordAlgorithm::kBpe), {.dropout = 0.25});
  std::map<std::string, int> drawn;
  const int draws = 20'000;
  for (int i = 0; i < draws; ++i) ++drawn[cut_text(sampler, "abc", rng)];
  // Merges ab and abc; merges ab, skips abc; skips ab, then bc and abc likewise.
  const double keep = 0.75, drop = 0.25;
  EXPECT_NEAR(drawn["abc"] / double{draws}, keep * keep + drop * keep * keep, 0.015);
  EXPECT_NEAR(drawn["ab|c"] / double{draws}, keep * drop, 0.015);
  EXPECT_NEAR(drawn["a|bc"] / double{draws}, drop * keep * drop, 0.015);
  EXPECT_NEAR(drawn["a|b|c"] / double{draws}, drop * drop, 0.015);
}

TEST(SubwordSampling, NeverMergesAFixedAtom) {
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    const SubwordSampler sampler(abc(algorithm), {.alpha = 0, .dropout = 0});
    std::vector<Atom> atoms = atoms_of("abc");
    atoms[1].fixed = true;
    Rng rng(1);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(sampler.cut(atoms, rng).size(), 3U);
  }
}

TEST(SubwordSampling, RefusesSettingsOutOfRange) {
  EXPECT_EQ(thrown<ConfigError>([] { SubwordSampler(abc(SubwordAlgorithm::kBpe), {.dropout = 1.5}); }),
            "subword sampling: dropout is 1.5, expected 0 to 1");
  EXPECT_EQ(thrown<ConfigError>([] { SubwordSampler(abc(SubwordAlgorithm::kUnigram), {.alpha = -1}); }),
            "subword sampling: alpha is -1, expected 0 or more");
}

class SampledTokenizer : public testing::TestWithParam<std::pair<SubwordAlgorithm, bool>> {
 protected:
  static std::string trained(SubwordAlgorithm algorithm, bool byte_fallback) {
    TrainingReport report;
    TokenizerOptions options;
    options.vocabulary_size = 110;
    options.byte_fallback = byte_fallback;
    return train_sentencepiece(algorithm, lines_of(small_corpus()), options, report);
  }
  std::unique_ptr<Tokenizer> tokenizer(const SubwordSampling& sampling) const {
    return std::make_unique<SentencePieceTokenizer>(model_, "m", sampling);
  }
  const std::string model_ = trained(GetParam().first, GetParam().second);
};

INSTANTIATE_TEST_SUITE_P(, SampledTokenizer,
                         testing::Values(std::pair{SubwordAlgorithm::kUnigram, false},
                                         std::pair{SubwordAlgorithm::kUnigram, true},
                                         std::pair{SubwordAlgorithm::kBpe, false},
                                         std::pair{SubwordAlgorithm::kBpe, true}));

std::vector<std::string> lines_to_cut() {
  std::vector<std::string> lines = small_corpus(100);
  for (const char* line : {"", "  a  ", "  ल\u095Cका \t  日本🙂 x café", "<s> <unk>", "🙂🙂"})
    lines.emplace_back(line);
  return lines;
}

// Without randomness our segmentation equals that of the library.
TEST_P(SampledTokenizer, WithoutRandomnessEqualsTheLibrary) {
  const auto certain = tokenizer({.alpha = 1e6, .dropout = 0});
  Rng rng(1);
  for (const std::string& line : lines_to_cut()) {
    const Encoded sampled = certain->encode_sampled(line, rng), best = certain->encode(line);
    ASSERT_EQ(sampled.ids, best.ids) << line;
    ASSERT_EQ(sampled.pieces, best.pieces) << line;
  }
}

TEST_P(SampledTokenizer, VariesTheSegmentationButNotTheText) {
  const auto varied = tokenizer({.alpha = 0.2, .dropout = 0.2});
  int different = 0;
  Rng rng(1);
  for (const std::string& line : lines_to_cut()) {
    const Encoded sampled = varied->encode_sampled(line, rng);
    check_offsets(line, sampled);
    ASSERT_EQ(varied->decode(sampled.ids), varied->decode(varied->encode(line).ids));
    different += sampled.ids != varied->encode(line).ids;
  }
  EXPECT_GT(different, 50);
}

TEST_P(SampledTokenizer, DependsOnTheLineAndTheRngOnly) {
  const auto varied = tokenizer({});
  const std::string line = small_corpus(1)[0];
  Rng rng(9);
  const Encoded here = varied->encode_sampled(line, rng);
  Encoded there;
  std::thread([&] {
    Rng used(1);
    varied->encode_sampled("the boy is eating bread, I think.", used);
    Rng same(9);
    there = varied->encode_sampled(line, same);
  }).join();
  EXPECT_EQ(here.ids, there.ids);
}

}  // namespace
}  // namespace dhyan
