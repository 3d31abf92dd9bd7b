// `dhyan evaluate` as a shell sees it.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "binary.h"
#include "config/model_kinds.h"
#include "core/error.h"
#include "core/version.h"
#include "data/testing/test_corpus.h"
#include "process.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

Finished evaluate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {kBinary, "evaluate"});
  return run(arguments);
}

class EvaluateCommand : public testing::Test {
 protected:
  void expect_refusal(const std::vector<std::string>& arguments, int code, const std::string& message) {
    const Finished finished = evaluate(arguments);
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.error, "dhyan: error: " + message + "\n");
  }

  CorpusFolder folder_;
  std::string version_ = cat("|version:dhyan-", version());
  std::string out_ = folder_.text("out",
                                  "The cat is on the mat.\nमैं खा रहा हूँ।\nHello\n"
                                  "It cost $1,234.56 in 2019, not 5 dollars or 6 either, said the Man.\n");
  std::string reference_ = folder_.text("ref",
                                        "The cat sat on the mat.\nमैं खाना खा रहा हूँ।\n\n"
                                        "It cost $1,234.56 in 2019, not 5 dollars and not 6 either, said the man.\n");
  std::string other_ = folder_.text("ref2",
                                    "A cat sat on a mat.\nमैं भोजन कर रहा हूँ।\nHi\n"
                                    "It was $1,234.56 in 2019, not 5 or 6 dollars.\n");
};

// Expected scores are those of sacreBLEU 2.6.0.
TEST_F(EvaluateCommand, ScoresFilesOfAnySystem) {
  const Finished finished = evaluate({"--hypothesis", out_, "--reference", reference_});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.error, "");
  EXPECT_EQ(finished.out,
            cat("sentences                      4  ", out_, "\n",
                "BLEU                       64.09  86.7/73.1/60.9/50.0 (BP = 0.967 ratio = 0.968 hyp_len = 30 "
                "ref_len = 31)\n",
                "  nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp", version_, "\n", "chrF2                      75.43\n",
                "  nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", version_, "\n", "\n",
                "reference words        sentences          BLEU\n", "  0 to 10                      3         46.71\n",
                "  11 to 20                     1         68.84\n"));
}

TEST_F(EvaluateCommand, TakesSeveralReferencesAndSacreBleusOptions) {
  const Finished finished =
      evaluate({"--hypothesis", out_, "--reference", reference_, "--reference", other_, "--tokenize", "intl",
                "--lowercase", "--chrf-lowercase", "--metrics", "bleu,chrf++", "--json"});
  EXPECT_EQ(finished.code, 0);
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["sentences"], 4);
  ASSERT_EQ(json["scores"].size(), 2u);
  EXPECT_EQ(json["scores"][0]["name"], "BLEU");
  EXPECT_NEAR(json["scores"][0]["score"].get<double>(), 72.081120555300, 1e-11);
  EXPECT_EQ(json["scores"][0]["signature"], "nrefs:2|case:lc|eff:no|tok:intl|smooth:exp" + version_);
  EXPECT_EQ(json["scores"][1]["name"], "chrF2++");
  EXPECT_NEAR(json["scores"][1]["score"].get<double>(), 79.190867525087, 1e-11);
  EXPECT_FALSE(json.contains("perplexity")) << "there is no model";
}

// Expected scores are those of pycocoevalcap 1.2.
TEST_F(EvaluateCommand, ScoresCaptionsWithSeveralReferences) {
  const std::string captions =
      folder_.text("captions", "A dog runs on the beach.\nTwo cats sleep.\nA boy's red ball\n");
  const std::string one =
      folder_.text("one", "The dog is running on a beach.\nTwo black cats are asleep.\nA ball, red!\n");
  const std::string two = folder_.text("two", "A brown dog runs\nTwo cats sleep on a sofa\nThe boy's ball is red.\n");
  const Finished finished = evaluate({"--hypothesis", captions, "--reference", one, "--reference", two, "--metrics",
                                      "coco-bleu1,coco-bleu2,rouge-l,cider-d", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  const Json scores = Json::parse(finished.out)["scores"];
  EXPECT_NEAR(scores.at(0)["score"].get<double>(), 75.14772929679324, 1e-9);
  EXPECT_NEAR(scores.at(1)["score"].get<double>(), 45.315785804042474, 1e-9);
  EXPECT_NEAR(scores.at(2)["score"].get<double>(), 62.96485403313953, 1e-9);
  EXPECT_NEAR(scores.at(3)["score"].get<double>(), 235.7382441058802, 1e-9);
  EXPECT_EQ(scores.at(0)["name"], "COCO BLEU-1");
  EXPECT_EQ(scores.at(3)["signature"], "nrefs:2|case:lc|tok:ptb|n:4|sigma:6" + version_);
  const Finished tokenized =
      evaluate({"--hypothesis", captions, "--reference", one, "--metrics", "rouge-l", "--caption-tokenized", "--json"});
  EXPECT_EQ(Json::parse(tokenized.out)["scores"][0]["signature"], "nrefs:1|case:mixed|tok:none|beta:1.2" + version_);
}

// Expected scores are those of sacreBLEU 2.6.0.
TEST_F(EvaluateCommand, TakesTheOptionsOfBleuChrfAndTer) {
  const auto scored = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--hypothesis", out_, "--reference", reference_, "--json"});
    const Finished finished = evaluate(options);
    EXPECT_EQ(finished.code, 0) << finished.error;
    return Json::parse(finished.out)["scores"][0];
  };
  const Json floor = scored({"--metrics", "bleu", "--smooth-method", "floor", "--smooth-value", "0.5"});
  EXPECT_EQ(floor["signature"], "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.50]" + version_);
  EXPECT_NEAR(floor["score"].get<double>(), 64.087621651171, 1e-11);
  const Json chrf = scored({"--metrics", "chrf", "--chrf-word-order", "1", "--chrf-char-order", "4", "--chrf-beta", "3",
                            "--chrf-whitespace", "--chrf-eps-smoothing"});
  EXPECT_EQ(chrf["name"], "chrF3+");
  EXPECT_EQ(chrf["signature"], "nrefs:1|case:mixed|eff:no|nc:4|nw:1|space:yes" + version_);
  EXPECT_NEAR(chrf["score"].get<double>(), 82.959160511338, 1e-11);
  const Json ter = scored({"--metrics", "ter", "--ter-normalized", "--ter-case-sensitive"});
  EXPECT_EQ(ter["signature"], "nrefs:1|case:mixed|tok:tercom|norm:yes|punct:yes|asian:no" + version_);
  EXPECT_NEAR(ter["score"].get<double>(), 19.354838709677, 1e-11);
  EXPECT_NEAR(scored({"--metrics", "ter", "--ter-no-punct", "--ter-asian-support"})["score"].get<double>(),
              19.230769230769, 1e-11);
}

TEST_F(EvaluateCommand, AddsConfidenceIntervalsThatDependOnTheSeedOnly) {
  std::vector<std::string> arguments{"--hypothesis", out_, "--reference", reference_, "--confidence"};
  const Finished table = evaluate(arguments);
  EXPECT_TRUE(has(table.out, "BLEU                       64.09  (μ = ")) << table.error;
  EXPECT_TRUE(has(table.out, "  nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp"));
  EXPECT_EQ(evaluate(arguments).out, table.out);
  arguments.insert(arguments.end(), {"--confidence-n", "200", "--bootstrap-seed", "7", "--json"});
  const Json score = Json::parse(evaluate(arguments).out)["scores"][0];
  EXPECT_GT(score["confidence_var"], 0);
  EXPECT_NEAR(score["confidence_mean"].get<double>(), score["score"].get<double>(), 10);
  EXPECT_TRUE(has(score["signature"], "bs:200|seed:7"));
}

TEST_F(EvaluateCommand, ExitsWith4IfTheFirstScoreIsTooLow) {
  const std::vector<std::string> arguments{"--hypothesis", out_, "--reference", reference_, "--fail-under"};
  const auto under = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return evaluate(more);
  };
  EXPECT_EQ(under({"64"}).code, 0);
  const Finished low = under({"64.5"});
  EXPECT_EQ(low.code, 4);
  EXPECT_EQ(low.error, "dhyan: BLEU is 64.09, below the 64.5 of --fail-under\n");
  EXPECT_TRUE(has(low.out, "BLEU                       64.09")) << "what was found is told all the same";
  EXPECT_EQ(under({"70", "--metrics", "chrf,bleu"}).code, 0) << "chrF is 75.43";
  EXPECT_EQ(under({"70", "--metrics", "ter"}).code, 2);
}

TEST_F(EvaluateCommand, CountsLengthsInSourceWordsIfTheSourceIsGiven) {
  const std::string source = folder_.text("source", "a\nb c\nd e f\ng h i j\n");
  const Json json = Json::parse(
      evaluate({"--hypothesis", out_, "--reference", reference_, "--source", source, "--buckets", "1,3", "--json"})
          .out);
  EXPECT_EQ(json["by_length"]["words_of"], "source");
  EXPECT_EQ(json["by_length"]["score"], "BLEU");
  const Json& buckets = json["by_length"]["buckets"];
  ASSERT_EQ(buckets.size(), 3u);
  EXPECT_EQ(buckets[1]["from"], 2);
  EXPECT_EQ(buckets[1]["to"], 3);
  EXPECT_EQ(buckets[1]["sentences"], 2);
  EXPECT_TRUE(buckets[2]["to"].is_null());
}

TEST_F(EvaluateCommand, RefusesFilesThatDoNotMatch) {
  const std::string two = folder_.text("two", "a\nb\n"), empty = folder_.text("empty", "");
  expect_refusal({"--hypothesis", out_, "--reference", two}, 3,
                 two + ": 2 lines, and " + out_ + " has 4; they must have equally many");
  expect_refusal({"--hypothesis", two, "--reference", reference_}, 3,
                 reference_ + ": 4 lines, and " + two + " has 2; they must have equally many");
  expect_refusal({"--hypothesis", empty, "--reference", empty}, 3,
                 empty + ": has no lines; a score needs at least one sentence");
  expect_refusal({"--hypothesis", out_, "--reference", empty}, 3,
                 empty + ": has no lines; a score needs at least one sentence");
  expect_refusal({"--hypothesis", folder_.path("none"), "--reference", two}, 3,
                 folder_.path("none") + ": cannot open: No such file or directory");
  folder_.write("bad", "a\n\xff\n");
  expect_refusal({"--hypothesis", folder_.path("bad"), "--reference", two}, 3,
                 folder_.path("bad") + ":2: byte 1: not UTF-8 (0xFF)");
}

TEST_F(EvaluateCommand, RefusesOptionsThatDoNotApply) {
  EXPECT_EQ(evaluate({}).code, 2);
  EXPECT_EQ(evaluate({"--reference", reference_}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "-m", "model"}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--alignments", out_}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--tokenize", "13b"}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--metrics", "blue"}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--buckets", "9,5"}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--confidence-n", "10"}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--smooth-method", "half"}).code, 2);
  EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, "--smooth-value", "1"}).code, 3);
  for (const std::string option : {"--beam-size", "--min-length", "--no-repeat-ngram-size"}) {
    EXPECT_EQ(evaluate({"--hypothesis", out_, "--reference", reference_, option, "1"}).code, 2) << option;
  }
}

class EvaluateModel : public EvaluateCommand {
 protected:
  // A small untrained model.
  std::string model(const std::vector<std::string>& trained_on, ContextKind context = ContextKind::kAttention) {
    Config config;
    config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 8;
    config.recurrent.context = context;
    config.tokenizer.kind = "word";
    config.data.train = trained_on;
    const TokenizerPair words = pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ", "I am eating food");
    save_model(folder_.path("model"), config, words, *make_model(config, words, Rng(3)));
    return folder_.path("model");
  }

  std::string hi_ = folder_.text("test.hi", "मैं खाना खा रहा हूँ\n\nमैं हूँ\n");
  std::string en_ = folder_.text("test.en", "I am eating food\n\nI am\n");
  std::string gold_ = folder_.text("gold", "0-0 4-1 2-2 1?3\n\n0-0 1-1\n");
};

TEST_F(EvaluateModel, ReportsScoresPerplexityAndAlignmentErrorRate) {
  const std::string folder = model({"train.hi", "train.en"});
  const std::vector<std::string> arguments{"-m", folder, "--test", hi_, en_, "--alignments", gold_};
  const Finished table = evaluate(arguments);
  EXPECT_EQ(table.code, 0) << table.error;
  EXPECT_NE(table.out.find("perplexity"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("of 8 tokens of the references; left out, without a source or too long: 1\n"),
            std::string::npos)
      << table.out;
  EXPECT_NE(table.out.find("AER"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("source words"), std::string::npos) << table.out;

  std::vector<std::string> with_json = arguments;
  with_json.push_back("--json");
  const std::string one = evaluate(with_json).out;
  const Json json = Json::parse(one);
  EXPECT_GT(json["perplexity"], 1);
  EXPECT_EQ(json["reference_tokens"], 8);
  EXPECT_EQ(json["skipped"], 1);
  EXPECT_LE(json["alignment"]["error_rate"], 1);
  EXPECT_GE(json["alignment"]["error_rate"], 0);
  with_json.insert(with_json.end(), {"--threads", "3"});
  EXPECT_EQ(evaluate(with_json).out, one);
}

TEST_F(EvaluateModel, ReportsThatAModelWithoutAttentionHasNoAlignments) {
  const std::string folder = model({"train.hi", "train.en"}, ContextKind::kNone);
  const Finished finished = evaluate({"-m", folder, "--test", hi_, en_, "--alignments", gold_});
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_NE(finished.out.find("AER                            -  the model has no cross-attention\n"),
            std::string::npos);
}

TEST_F(EvaluateModel, NeedsGoldAlignmentsForAnAlignmentLayer) {
  expect_refusal({"-m", model({"train.hi", "train.en"}), "--test", hi_, en_, "--alignment-layer", "1"}, 2,
                 "evaluate: --alignment-layer is for gold alignments; name them with --alignments");
  EXPECT_EQ(evaluate({"-m", model({}), "--beam-size", "1", "--alignment-layer", "1"}).code, 0);
}

TEST_F(EvaluateModel, NeedsNoDataForThePhrasebook) {
  const Json json = Json::parse(evaluate({"-m", model({}), "--beam-size", "1", "--json"}).out);
  EXPECT_EQ(json["name"], "phrasebook hi-en, test");
  EXPECT_TRUE(json.contains("alignment"));
}

TEST_F(EvaluateModel, NeedsATestSetForModelsOfFiles) {
  const std::string folder = model({"train.hi", "train.en"});
  expect_refusal({"-m", folder}, 2,
                 "evaluate: " + folder + " was trained on files; name others with --test SOURCE TARGET");
  expect_refusal({"-m", folder, "--phrasebook", "hi-en", "--reference", en_}, 2,
                 "evaluate: --reference adds to --test or to --hypothesis");
}

}  // namespace
}  // namespace dhyan
