// `dhyan align` as a shell sees it, and an aligner trained on the phrasebook against its gold links.

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "binary.h"
#include "core/testing/temporary_folder.h"
#include "phrasebook/phrasebook.h"
#include "process.h"
#include "small_model.h"
#include "translator/test_set.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

// Models of the same words in both directions, with random weights.
class AlignCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_model(folder_->path("there"), ContextKind::kAttention);
    make_small_transformer(folder_->path("transformer"));
    make_small_model(folder_->path("blind"), ContextKind::kNone);
    folder_->write("a.hi", "मैं खाना खा रहा हूँ\n\nतुम पानी पी रहे हो\n");
    folder_->write("a.en", "I am eating food\nyou\nyou are drinking water\n");
    folder_->write("a.tsv", "मैं खाना खा रहा हूँ\tI am eating food\nतुम पानी\tyou water\n");
    folder_->write("empty", "");
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::string path(const std::string& name) { return folder_->path(name); }
  static Finished align(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), {kBinary, "align"});
    return run(words, {}, input);
  }

  static TemporaryFolder* folder_;
};
TemporaryFolder* AlignCommand::folder_ = nullptr;

TEST_F(AlignCommand, WritesALineOfLinksForEachPair) {
  const Finished done = align({"-m", path("there"), path("a.hi"), path("a.en")});
  EXPECT_EQ(done.code, 0) << done.error;
  EXPECT_TRUE(std::regex_match(done.out, std::regex(R"((\d-\d ?)*\n\n(\d-\d ?)*\n)"))) << done.out;
  EXPECT_TRUE(has(done.error, "a.hi:2: there is no text; it has no links"));
  EXPECT_TRUE(has(done.error, "mean of all layers"));
}

TEST_F(AlignCommand, AgreesWithTheAlignmentOfScore) {
  const std::string tsv = path("a.tsv");
  const Finished scored = run({kBinary, "score", "-m", path("there"), tsv, "--alignment", "hard"});
  std::string links;
  std::istringstream lines(scored.out);
  for (std::string line; std::getline(lines, line);) links += line.substr(line.find("||| ") + 4) + '\n';
  EXPECT_EQ(align({"-m", path("there"), tsv}).out, links);
}

TEST_F(AlignCommand, ReadsStandardInputAndWritesJson) {
  const Finished done = align({"-m", path("there"), "-", "--json", "--threshold", "0"}, "मैं खाना\tI am\n");
  ASSERT_EQ(done.code, 0) << done.error;
  const Json line = Json::parse(done.out);
  EXPECT_EQ(line["line"], 0);
  EXPECT_EQ(line["source_words"], (Json{"मैं", "खाना"}));
  EXPECT_EQ(line["target_words"], (Json{"I", "am"}));
  EXPECT_EQ(line["links"].size(), 4U) << "every pair reaches a threshold of 0";
  EXPECT_EQ(line["probabilities"].size(), 4U);
}

TEST_F(AlignCommand, WritesProbabilities) {
  const Finished done = align({"-m", path("there"), path("a.tsv"), "--probabilities", "--threshold", "0.01"});
  EXPECT_TRUE(std::regex_search(done.out, std::regex(R"(^\d-\d:0\.\d+ )"))) << done.out;
}

TEST_F(AlignCommand, SymmetrizesByTheAgreementOfBothDirections) {
  TemporaryFolder other;
  Config config;  // the other direction: the tokenizers change sides
  config.tokenizer.kind = "word";
  config.common.hidden = 16;
  config.recurrent.embedding = config.recurrent.output_hidden = 16;
  const TokenizerPair sides = small_tokenizers(), swapped{sides.target, sides.source};
  save_model(other.path("back"), config, swapped, *make_model(config, swapped, Rng(5)));
  std::map<std::string, std::size_t> links;
  for (const char* kind : {"intersection", "grow-diag", "grow-diag-final-and", "union"}) {
    const Finished done =
        align({"-m", path("there"), "--reverse", other.path("back"), "--symmetrize", kind, path("a.tsv")});
    ASSERT_EQ(done.code, 0) << done.error;
    EXPECT_TRUE(has(done.error, "they agree on "));
    links[kind] = static_cast<std::size_t>(std::ranges::count(done.out, '-'));
  }
  EXPECT_LE(links["intersection"], links["grow-diag"]);
  EXPECT_LE(links["grow-diag"], links["grow-diag-final-and"]);
  EXPECT_LE(links["grow-diag-final-and"], links["union"]);
  EXPECT_GT(links["union"], links["intersection"]);
  const std::vector<std::string> average{"-m",           path("there"), "--reverse",   other.path("back"),
                                         "--symmetrize", "average",     path("a.tsv"), "--threshold"};
  const auto above = [&](const char* threshold) {
    std::vector<std::string> words = average;
    words.emplace_back(threshold);
    return std::ranges::count(align(words).out, '-');
  };
  EXPECT_EQ(above("0"), 5 * 4 + 2 * 2) << "every pair";
  EXPECT_GT(above("0.1"), above("0.3"));
}

TEST_F(AlignCommand, ReadsTheLayerAndHeadThatAreNamed) {
  const auto links = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"-m", path("transformer"), path("a.tsv"), "--probabilities"});
    const Finished done = align(more);
    EXPECT_EQ(done.code, 0) << done.error;
    return done.out;
  };
  EXPECT_NE(links({"--layer", "1", "--head", "1"}), links({"--layer", "2", "--head", "2"}));
  EXPECT_NE(links({"--layer", "1", "--step", "reads"}), links({"--layer", "1", "--step", "predicts"}));
  const Finished third = align({"-m", path("transformer"), path("a.tsv"), "--layer", "3"});
  EXPECT_EQ(third.code, 2);
  EXPECT_TRUE(has(third.error, "there is no layer 3 of cross-attention"));
}

TEST_F(AlignCommand, MeasuresTheErrorRateAgainstGold) {
  const std::string gold = align({"-m", path("there"), path("a.tsv")}).out;
  std::ofstream(path("gold")) << gold;
  const Finished same = align({"-m", path("there"), path("a.tsv"), "--gold", path("gold")});
  EXPECT_TRUE(has(same.error, "AER 0.0000 (precision 1.000, recall 1.000")) << same.error;
  std::ofstream(path("short")) << "0-0\n";
  EXPECT_TRUE(has(align({"-m", path("there"), path("a.tsv"), "--gold", path("short")}).error,
                  "expected a line of links for each"));
  std::ofstream(path("long")) << gold << "0-0\n";
  EXPECT_TRUE(has(align({"-m", path("there"), path("a.tsv"), "--gold", path("long")}).error,
                  "has more lines than there are sentences"));
}

TEST_F(AlignCommand, SaysWhatIsWrong) {
  const auto error = [](const std::vector<std::string>& words, int code) {
    const Finished done = align(words);
    EXPECT_EQ(done.code, code) << done.error;
    EXPECT_EQ(done.out, "");
    return done.error;
  };
  EXPECT_TRUE(has(error({"-m", path("blind"), path("a.tsv")}, 2), "is a model without attention; it has no alignment"));
  EXPECT_TRUE(
      has(error({"-m", path("there"), path("a.tsv"), "--symmetrize", "union"}, 2), "--symmetrize needs --reverse"));
  EXPECT_TRUE(has(error({"-m", path("there"), path("a.tsv"), "--symetrize", "union"}, 2), "--symmetrize"));
  EXPECT_TRUE(has(error({"-m", path("there"), path("a.hi")}, 2), "has no translations"));
  EXPECT_NE(error({"-m", path("there"), path("missing.tsv")}, 3), "");
  EXPECT_EQ(align({"-m", path("there"), path("empty"), path("empty")}).code, 0);
}

TEST_F(AlignCommand, RefusesAReverseOfTheSameDirection) {
  const std::string model = path("recorded");
  make_small_model(model, ContextKind::kAttention);
  Config config = load_config(model);
  config.data.source_language = "hi";
  config.data.target_language = "en";
  save_config(model, config);
  const Finished done = align({"-m", model, "--reverse", model, path("a.tsv")});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(has(done.error, "recorded goes from hi to en, as ")) << done.error;
  EXPECT_TRUE(has(done.error, "expected --reverse from en to hi")) << done.error;
}

// Trains on part of the built-in corpus, both directions, and measures on its gold links.
TEST(AlignerPreset, AlignsThePhrasebook) {
  TemporaryFolder folder;
  const auto side = [&](const TestSet& set, const char* name) {
    std::string source, target, gold;
    for (std::size_t i = 0; i < set.sources.size(); ++i) {
      source += set.sources[i] + '\n';
      target += set.references[i].front() + '\n';
      for (const Link& link : set.alignments[i].sure)
        gold += std::to_string(link.first) + '-' + std::to_string(link.second) + ' ';
      gold += '\n';
    }
    folder.write(std::string(name) + ".hi", source);
    folder.write(std::string(name) + ".en", target);
    folder.write(std::string(name) + ".gold", gold);
  };
  side(phrasebook_test_set("hi-en", Part::kTrain), "train");
  side(phrasebook_test_set("hi-en", Part::kTest), "test");
  const auto train = [&](const char* model, const char* from, const char* to) {
    const Finished done = run({kBinary, "train", "--preset", "aligner", "-o", folder.path(model), "--train",
                               folder.path(std::string("train.") + from), folder.path(std::string("train.") + to),
                               "--max-epochs", "8", "--null-probability", "0.02", "--threads", "1"});
    ASSERT_EQ(done.code, 0) << done.error;
  };
  train("there", "hi", "en");
  train("back", "en", "hi");
  const Finished done = run({kBinary, "align", "-m", folder.path("there"), "--reverse", folder.path("back"),
                             folder.path("test.hi"), folder.path("test.en"), "--gold", folder.path("test.gold")});
  ASSERT_EQ(done.code, 0) << done.error;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(done.error, found, std::regex(R"(AER (0\.\d+))"))) << done.error;
  EXPECT_LT(std::stod(found[1]), 0.22) << done.error;
}

}  // namespace
}  // namespace dhyan
