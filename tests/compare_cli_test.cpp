// `dhyan compare` as a shell sees it.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "binary.h"
#include "data/testing/test_corpus.h"
#include "process.h"
#include "small_model.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

class CompareCommand : public testing::Test {
 protected:
  static Finished compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kBinary, "compare"});
    return run(arguments);
  }
  void expect_refusal(const std::vector<std::string>& arguments, int code, const std::string& message) {
    const Finished finished = compare(arguments);
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(has(finished.error, message));
  }

  CorpusFolder folder_;
  std::string source_ = folder_.text("test.hi", "मैं खाना खा रहा हूँ\nतुम पानी पी रही हो\nमैं हूँ\n");
  std::string reference_ = folder_.text("test.en", "I am eating food\nyou are drinking water\nI am\n");
  std::string good_ = folder_.text("good", "I am eating food\nyou are drinking water\nI am\n");
  std::string bad_ = folder_.text("bad", "I am eating water\nfood\x1b[1m\nI am\n");
};

TEST_F(CompareCommand, ComparesFilesSideBySide) {
  const Finished finished = compare({good_, bad_, "--test", source_, reference_, "--paired-bs-n", "100"});
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_EQ(finished.error, "");
  EXPECT_TRUE(has(finished.out, "A  " + good_ + "\nB  " + bad_ + "\n"));
  EXPECT_TRUE(has(finished.out, "BLEU                       score    difference             p\n"));
  EXPECT_TRUE(
      has(finished.out, "  A                       100.00                               (μ = 100.00 ± 0.00)\n"));
  EXPECT_TRUE(has(finished.out, "  nrefs:1|bs:100|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:dhyan-"));
  EXPECT_TRUE(has(finished.out, "source words           sentences             A             B\n"));
  EXPECT_TRUE(has(finished.out,
                  "Sentences that differ most, by their BLEU\n\nline 2\n  source     तुम पानी पी रही हो\n"
                  "  reference  you are drinking water\n  A 100.00   you are drinking water\n"));
  EXPECT_FALSE(has(finished.out, "\x1b")) << "a file must not steer the terminal";
}

TEST_F(CompareCommand, WritesEveryScoreAsJson) {
  const std::vector<std::string> arguments{good_,      bad_,        good_,         "--reference",
                                           reference_, "--metrics", "ter,chrf",    "--paired-bs-n",
                                           "100",      "--json",    "--sentences", "1"};
  const Finished finished = compare(arguments);
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_EQ(compare(arguments).out, finished.out) << "the same seed, the same bytes";
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["name"], reference_);
  EXPECT_EQ(json["sentences"], 3);
  ASSERT_EQ(json["metrics"].size(), 2u);
  const Json& ter = json["metrics"][0];
  EXPECT_EQ(ter["name"], "TER");
  EXPECT_EQ(ter["lower_is_better"], true);
  ASSERT_EQ(ter["systems"].size(), 3u);
  EXPECT_FALSE(ter["systems"][0].contains("p_value"));
  EXPECT_EQ(ter["systems"][1]["system"], bad_);
  EXPECT_DOUBLE_EQ(ter["systems"][1]["difference"], 50);  // 1 and 4 edits, 10 words
  EXPECT_LE(ter["systems"][1]["p_value"], 1);
  EXPECT_GT(ter["systems"][1]["confidence_var"], 0);
  EXPECT_EQ(ter["systems"][2]["difference"], 0);
  EXPECT_EQ(json["by_length"]["words_of"], "reference");
  EXPECT_EQ(json["by_length"]["buckets"][0]["scores"].size(), 3u);
  ASSERT_EQ(json["differing"].size(), 1u);
  EXPECT_EQ(json["differing"][0]["line"], 2);
  EXPECT_EQ(json["differing"][0]["translations"][0]["text"], "you are drinking water");
  EXPECT_EQ(json["differing"][0]["translations"][1]["score"], 100);
}

TEST_F(CompareCommand, TranslatesWithModels) {
  const std::string model = folder_.path("model");
  make_small_model(model, ContextKind::kAttention);
  const Finished finished =
      compare({model, good_, "--test", source_, reference_, "--json", "--paired-bs-n", "10", "--beam-size", "1"});
  EXPECT_EQ(finished.code, 0) << finished.error;
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["metrics"][0]["systems"][0]["system"], model);
  EXPECT_NEAR(json["metrics"][0]["systems"][1]["score"].get<double>(), 100, 1e-9);
  const Finished translated = run({kBinary, "translate", "-m", model, "--beam-size", "1", source_});
  const std::string first = json["differing"][0]["translations"][0]["text"];
  EXPECT_TRUE(has("\n" + translated.out, "\n" + first + "\n"));
}

TEST_F(CompareCommand, ReadsOneSystemFromStandardInput) {
  const Finished finished =
      run({kBinary, "compare", "-", good_, "--reference", reference_, "--json"}, {}, "a\nb\nI am\n");
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_EQ(Json::parse(finished.out)["differing"].size(), 2u);
  EXPECT_EQ(compare({"-", "-", "--reference", reference_}).code, 2);
}

TEST_F(CompareCommand, RefusesInputsThatDoNotMatch) {
  const std::string two = folder_.text("two", "a\nb\n"), model = folder_.path("model");
  make_small_model(model, ContextKind::kAttention);
  expect_refusal({good_, "--reference", reference_}, 2, "SYSTEMS: expected at least 2, got 1");
  expect_refusal({good_, bad_}, 2, "compare: nothing to compare with; name --test SOURCE TARGET, or --reference FILE");
  expect_refusal({good_, model, "--reference", reference_}, 2, "compare: nothing for " + model + " to translate");
  expect_refusal({good_, two, "--test", source_, reference_}, 3,
                 two + ": 2 lines, and " + source_ + " " + reference_ + " has 3; they must have equally many");
  expect_refusal({good_, folder_.path("none"), "--test", source_, reference_}, 3, "cannot open");
  expect_refusal({good_, bad_, "--reference", reference_, "--paired-bs-n", "1"}, 2, "--paired-bs-n");
}

}  // namespace
}  // namespace dhyan
