#include <algorithm>
#include <atomic>
#include <cmath>
#include <dhyan/dhyan.h>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

#include "core/testing/thrown.h"
#include "runs/testing/tiny_run.h"

namespace dhyan::v1 {
namespace {

using Kind = TrainingReport::Kind;

// e = -γ |s - h|²
ScoreFunction distance_score() {
  ScoreFunction score{.name = "distance", .formula = "-γ |s - h|²"};
  score.weights = [](const ScoreWidths&) { return std::vector<ScoreWeight>{{.name = "gamma", .value = 0.5}}; };
  score.forward = [](const ScoreInput& in, const WritableRows& energies) {
    for (Index i = 0; i < in.queries.rows; ++i) {
      for (Index j = 0; j < in.keys.rows; ++j) {
        Real sum = 0;
        for (Index k = 0; k < in.keys.cols; ++k) {
          sum += (in.queries(i, k) - in.keys(j, k)) * (in.queries(i, k) - in.keys(j, k));
        }
        energies(i, j) = -in.weights[0](0, 0) * sum;
      }
    }
  };
  score.backward = [](const ScoreInput& in, const RowsView& de, const ScoreGradients& add) {
    for (Index i = 0; i < in.queries.rows; ++i) {
      for (Index j = 0; j < in.keys.rows; ++j) {
        for (Index k = 0; k < in.keys.cols; ++k) {
          const Real difference = in.queries(i, k) - in.keys(j, k);
          const Real slope = 2 * in.weights[0](0, 0) * difference * de(i, j);
          if (add.queries.data != nullptr) add.queries(i, k) -= slope;
          if (add.keys.data != nullptr) add.keys(j, k) += slope;
          if (add.weights[0].data != nullptr) add.weights[0](0, 0) -= difference * difference * de(i, j);
        }
      }
    }
  };
  return score;
}

class Api : public testing::Test {
 protected:
  static TinyCorpus& corpus() {
    static TinyCorpus corpus;
    return corpus;
  }

  static TrainOptions tiny_training(const std::string& folder) {
    TrainOptions options{.folder = corpus().path(folder)};
    options.train = {corpus().path("train.hi"), corpus().path("train.en")};
    options.valid = {corpus().path("dev.hi"), corpus().path("dev.en")};
    options.more = {{"embedding", {"8"}},    {"hidden", {"8"}},        {"readout-hidden", {"8"}},
                    {"tokenizer", {"word"}}, {"batch-tokens", {"30"}}, {"learning-rate", {"0.02"}},
                    {"max-epochs", {"6"}},   {"report-steps", {"4"}},  {"decoder-hidden", {"8"}}};
    options.threads = 2;
    return options;
  }

  static const std::string& model() {
    static const std::string folder = [] {
      train(tiny_training("model"));
      return corpus().path("model");
    }();
    return folder;
  }

  const std::vector<std::string> lines_{"एक दो हैं", "पाँच हैं", "तीन चार पाँच हैं"};
};

TEST_F(Api, TrainsAndReportsOnTheWay) {
  TrainOptions options = tiny_training("reported");
  std::vector<Kind> kinds;
  options.report = [&kinds](const TrainingReport& report) {
    kinds.push_back(report.kind);
    EXPECT_TRUE(report.kind != Kind::kSteps || report.loss > 0);
    EXPECT_TRUE(report.kind != Kind::kValidation || report.values.front().name == "loss");
    return true;
  };
  const TrainingResult result = train(options);
  EXPECT_EQ(result.ended, "max-epochs");
  EXPECT_GT(result.steps, 6);
  ASSERT_FALSE(result.held_out.empty());
  for (const Kind kind : {Kind::kNote, Kind::kSteps, Kind::kValidation, Kind::kSaved}) {
    EXPECT_GT(std::ranges::count(kinds, kind), 0) << static_cast<int>(kind);
  }
}

TEST_F(Api, LeavesAModelWhenAReportEndsTheTrainingWhichResumes) {
  TrainOptions options = tiny_training("stopped");
  options.report = [](const TrainingReport& report) { return report.kind != Kind::kSteps; };
  const TrainingResult stopped = train(options);
  EXPECT_EQ(stopped.ended, "report");
  EXPECT_FALSE(Translator(options.folder).translate(lines_.front()).empty());
  EXPECT_THROW(train(options), UsageError) << "there is a model";
  options.existing = ExistingModel::kResume;
  options.report = {};
  options.train.clear();
  options.valid.clear();
  options.more.clear();
  EXPECT_GT(train(options).steps, stopped.steps);
}

TEST_F(Api, GivesBackWhatAPollThrowsWhileItTrains) {
  TrainOptions options = tiny_training("cancelled");
  std::atomic<bool> started = false;
  options.report = [&started](const TrainingReport& report) {
    if (report.kind == Kind::kSteps) started = true;
    return true;
  };
  options.poll = [&started] {
    if (started) throw Cancelled("enough");
  };
  EXPECT_EQ(thrown<Cancelled>([&] { train(options); }), "enough");
  EXPECT_NO_THROW(Translator{options.folder}) << "all is saved";
}

TEST_F(Api, RefusesASettingThatDoesNotExistBeforeTheFolderChanges) {
  TrainOptions options = tiny_training("refused");
  options.more.push_back({"hiden", {"8"}});
  EXPECT_NE(thrown<UsageError>([&] { train(options); }).find("hidden"), std::string::npos) << "suggests a name";
  EXPECT_FALSE(std::filesystem::exists(options.folder));
}

TEST_F(Api, TranslatesTheSameOnAnyNumberOfThreads) {
  const Translator one(model(), {.threads = 1}), three(model(), {.threads = 3});
  const TranslateOptions options{.beam_size = 3, .n_best = 2, .details = Details::kAttention};
  const std::vector<NBest> a = one.translate(lines_, options), b = three.translate(lines_, options);
  ASSERT_EQ(a.size(), lines_.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].size(), 2U);
    EXPECT_GE(a[i][0].score, a[i][1].score);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(a[i][rank].text, b[i][rank].text);
      EXPECT_EQ(a[i][rank].score, b[i][rank].score);
      EXPECT_EQ(a[i][rank].attention.values, b[i][rank].attention.values);
    }
  }
  EXPECT_EQ(one.translate(lines_.front()), one.translate(lines_, {})[0][0].text);
}

TEST_F(Api, TellsAttentionWhoseRowsSumToOneAndScoresThatSumToLogP) {
  const Translator translator(model());
  for (const NBest& n_best : translator.translate(lines_, {.details = Details::kAttention})) {
    const Translation& one = n_best.front();
    ASSERT_EQ(one.attention.rows, std::ssize(one.target_units));
    ASSERT_EQ(one.attention.cols, std::ssize(one.source_units));
    double log_p = 0;
    for (const double score : one.unit_scores) log_p += score;
    EXPECT_NEAR(log_p, one.log_probability, 1e-4);
    for (Index i = 0; i < one.attention.rows; ++i) {
      double sum = 0;
      for (Index j = 0; j < one.attention.cols; ++j) sum += one.attention(i, j);
      EXPECT_NEAR(sum, 1, 1e-5);
    }
    for (const Link& link : one.alignment) {
      EXPECT_EQ(link.probability, one.attention(link.target, link.source));
      for (Index j = 0; j < one.attention.cols; ++j) EXPECT_LE(one.attention(link.target, j), link.probability);
    }
  }
}

TEST_F(Api, TranslatesAFileAsItTranslatesItsLines) {
  const Translator translator(model());
  const std::vector<NBest> together = translator.translate(lines_, {.details = Details::kScores});
  corpus().folder().write("lines.hi", lines_[0] + '\n' + lines_[1] + '\n' + lines_[2] + '\n');
  std::vector<NBest> read;
  translator.translate({.file = corpus().path("lines.hi")}, {.details = Details::kScores},
                       [&read](const std::vector<NBest>& some) { read.insert(read.end(), some.begin(), some.end()); });
  ASSERT_EQ(read.size(), together.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].front().text, together[i].front().text);
    EXPECT_EQ(read[i].front().score, together[i].front().score);
  }
  EXPECT_THROW(translator.translate({.file = corpus().path("none.hi")}, {}, [](const auto&) {}), IoError);
}

TEST_F(Api, TakesEveryOptionOfTheCommandLineByItsName) {
  const Translator translator(model());
  const auto text = [&](const TranslateOptions& options) {
    return translator.translate(lines_, options).front().front().text;
  };
  EXPECT_EQ(text({.beam_size = 2}), text({.more = {{"beam-size", {"2"}}}}));
  EXPECT_EQ(text({.more = {{"forbid", {"are"}}}}).find("are"), std::string::npos);
  EXPECT_EQ(text({.constraints = {{.prefix = "five"}, {}, {}}}).rfind("five", 0), 0U);
  EXPECT_EQ(thrown<UsageError>([&] {
              text({.more = {{"beam-size", {"0"}}}});
            }),
            "translate: beam-size is '0', expected a whole number from 1 to 1000");
  EXPECT_THROW(text({.more = {{"beem-size", {"2"}}}}), UsageError);
  EXPECT_THROW(text({.more = {{"top-k", {"2"}}}}), UsageError) << "needs sampling";
  EXPECT_THROW(text({.beam_size = 2, .n_best = 3}), UsageError);
  EXPECT_THROW(translator.translate({"\xff"}, {}), DataError);
}

TEST_F(Api, GivesALineWithoutTextAnEmptyTranslation) {
  const std::vector<NBest> none = Translator(model()).translate({"", "  "}, {.details = Details::kAttention});
  for (const NBest& n_best : none) {
    EXPECT_EQ(n_best.front().text, "");
    EXPECT_EQ(n_best.front().source_tokens, 0);
    EXPECT_TRUE(n_best.front().attention.empty());
  }
  EXPECT_TRUE(Translator(model()).translate(std::vector<std::string>(), {}).empty());
}

TEST_F(Api, StopsWhenThePollThrows) {
  const Translator translator(model());
  EXPECT_THROW(translator.translate(lines_, {.poll = [] { throw Cancelled("stop"); }}), Cancelled);
  EXPECT_FALSE(translator.translate(lines_.front()).empty()) << "it is as before";
}

TEST_F(Api, IsForAnyNumberOfThreadsAtOnce) {
  const Translator translator(model(), {.threads = 2});
  const std::string expected = translator.translate(lines_.front());
  std::vector<std::thread> callers;
  std::atomic<int> equal = 0;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] { equal += translator.translate(lines_.front()) == expected; });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(equal, 4);
}

TEST_F(Api, ScoresItsOwnTranslationsAsTheSearchDid) {
  const Translator translator(model());
  std::vector<std::string> targets;
  std::vector<double> log_p;
  for (const NBest& n_best : translator.translate(lines_, {.details = Details::kScores})) {
    targets.push_back(n_best.front().text);
    log_p.push_back(n_best.front().log_probability);
  }
  const std::vector<Translation> scored = translator.score(lines_, targets, {.details = Details::kAttention});
  for (std::size_t i = 0; i < scored.size(); ++i) {
    EXPECT_NEAR(scored[i].log_probability, log_p[i], 1e-4);
    EXPECT_EQ(scored[i].score, scored[i].log_probability);
    EXPECT_FALSE(scored[i].attention.empty());
  }
  EXPECT_EQ(translator.score({""}, {"one"}).front().score, -std::numeric_limits<double>::infinity());
  EXPECT_THROW(translator.score(lines_, {"one"}), UsageError);
}

TEST_F(Api, ExplainsWeightsAsTheSoftmaxOfEnergies) {
  const Explanation seen = Translator(model()).explain(lines_.front(), {.beam_size = 1});
  ASSERT_FALSE(seen.heads.empty());
  ASSERT_EQ(seen.target_tokens.size(), seen.token_scores.size());
  ASSERT_EQ(seen.target_tokens.size(), seen.candidates.size());
  EXPECT_EQ(seen.candidates.front().front().token, seen.target_tokens.front()) << "greedy here";
  for (const AttentionHead& head : seen.heads) {
    ASSERT_EQ(head.weights.rows, std::ssize(seen.target_tokens));
    ASSERT_EQ(head.weights.cols, std::ssize(seen.source_tokens));
    ASSERT_EQ(head.context.rows, head.weights.rows);
    EXPECT_GT(head.context.cols, 0);
    for (Index i = 0; i < head.weights.rows; ++i) {
      double sum = 0;
      for (Index j = 0; j < head.weights.cols; ++j) sum += std::exp(static_cast<double>(head.energy(i, j)));
      for (Index j = 0; j < head.weights.cols; ++j) {
        EXPECT_NEAR(head.weights(i, j), std::exp(static_cast<double>(head.energy(i, j))) / sum, 1e-5);
      }
    }
  }
}

TEST_F(Api, DrawsAnExplanationInEveryFormatAndInNumbers) {
  Explanation seen;
  { seen = Translator(model()).explain(lines_.front(), {.target = "five are"}); }  // which draws without the translator
  EXPECT_EQ(seen.translation.text, "five are");
  EXPECT_NE(draw(seen).find("<html"), std::string::npos);
  EXPECT_NE(draw(seen, {.format = "svg"}).find("<svg"), std::string::npos);
  EXPECT_EQ(draw(seen, {.format = "json", .layer = 1, .head = 1}).front(), '{');
  EXPECT_NE(step_in_numbers(seen, 1).find("Step 1 of 3"), std::string::npos);
  EXPECT_THROW(draw(seen, {.format = "gif"}), ConfigError);
  EXPECT_THROW(draw(seen, {.head = 9}), UsageError);
  EXPECT_THROW(step_in_numbers(seen, 9), UsageError);
  EXPECT_THROW(draw(Explanation()), UsageError);
  EXPECT_THROW(Translator(model()).explain(" "), UsageError);
}

TEST_F(Api, EvaluatesWithPerplexityAndAlignments) {
  const Translator translator(model());
  TestSet set = read_test_set({corpus().path("dev.hi"), corpus().path("dev.en")});
  ASSERT_EQ(set.sources.size(), 2U);
  set.alignments = {"0-0 1-1 2-2", "0-0 1p1"};
  std::uint64_t done = 0;
  const Evaluation evaluation = translator.evaluate(
      set, {.metrics = {"chrf"}, .progress = [&done](std::uint64_t now, std::uint64_t) { done = now; }});
  EXPECT_EQ(done, 2U);
  ASSERT_EQ(evaluation.scores.size(), 1U);
  EXPECT_EQ(evaluation.scores.front().value,
            score_text(evaluation.translations, set.references, {"chrf"}).front().value);
  EXPECT_GT(evaluation.perplexity, 1);
  ASSERT_TRUE(evaluation.alignment.has_value());
  set.alignments = {"0-9", ""};
  EXPECT_THROW(translator.evaluate(set), DataError) << "there is no word 9";
  EXPECT_THROW(score_text({"a"}, {}), UsageError);
}

TEST_F(Api, AlignsByOneModelAndByOneOfEachDirection) {
  TrainOptions options = tiny_training("back");
  std::swap(options.train[0], options.train[1]);
  std::swap(options.valid[0], options.valid[1]);
  train(options);
  const std::vector<std::string> targets{"one two are", "five are", ""};
  Aligner one(model());
  const std::vector<AlignedPair> pairs = one.align(lines_, targets);
  EXPECT_EQ(pairs[0].source_words.size(), 3U);
  EXPECT_EQ(pairs[0].target_words.size(), 3U);
  EXPECT_FALSE(pairs[0].links.empty());
  EXPECT_TRUE(pairs[2].links.empty());
  EXPECT_NE(pairs[2].shortfall, "");
  Aligner both(model(), options.folder, {.symmetrize = "intersection"});
  const std::vector<AlignedPair> common = both.align(lines_, targets);
  EXPECT_LE(common[0].links.size(), pairs[0].links.size());
  EXPECT_NE(both.readings().find("agree"), std::string::npos);
  EXPECT_THROW(Aligner(model(), {}, {.symmetrize = "union"}), UsageError) << "needs the other direction";
}

TEST_F(Api, NamesTheFolderThatHoldsNoModel) {
  EXPECT_EQ(thrown<ModelFileError>([] { Translator("/no/such/folder"); }), "/no/such/folder: there is no such folder");
  EXPECT_THROW(Translator(model(), {.threads = -1}), UsageError);
  EXPECT_THROW(Translator(std::vector<std::filesystem::path>()), UsageError);
}

TEST_F(Api, RefusesPicturesForAModelOfText) {
  const Translator translator(model());
  EXPECT_FALSE(translator.reads_pictures());
  EXPECT_TRUE(translator.has_cross_attention());
  EXPECT_THROW(translator.caption({{.scene = "small red circle above large blue square"}}), UsageError);
}

TEST_F(Api, CaptionsAndExplainsPictures) {
  TrainOptions options{.folder = corpus().path("captions"), .preset = "caption-tiny"};
  options.more = {{"max-steps", {"2"}}, {"scenes", {"64"}}, {"hidden", {"8"}}, {"validate-sentences", {"4"}}};
  train(options);
  const Translator captioner(options.folder);
  ASSERT_TRUE(captioner.reads_pictures());
  const Picture scene{.scene = "small red circle above large blue square"};
  const std::vector<Captions> captions =
      captioner.caption({scene, {.file = "/no/such/picture.png"}}, {.details = Details::kAttention});
  ASSERT_EQ(captions.size(), 2U);
  EXPECT_EQ(captions[0].failure, "");
  EXPECT_EQ(captions[0].n_best.front().attention.rows, std::ssize(captions[0].n_best.front().target_units));
  EXPECT_NE(captions[1].failure.find("/no/such/picture.png"), std::string::npos);
  const Explanation seen = captioner.explain(scene);
  ASSERT_FALSE(seen.heads.empty());
  EXPECT_EQ(seen.heads.front().weights.cols, std::ssize(seen.source_tokens)) << "the cells of the grid";
  EXPECT_NE(draw(seen, {.format = "svg"}).find("<svg"), std::string::npos);
  EXPECT_THROW(captioner.translate("a line"), UsageError);
}

TEST_F(Api, TrainsAndTranslatesWithAGivenScore) {
  TrainOptions options = tiny_training("distance");
  options.preset = "transformer-tiny";
  options.more = {{"score", {"distance"}}, {"tokenizer", {"word"}}, {"max-steps", {"8"}},
                  {"hidden", {"16"}},      {"heads", {"2"}},        {"feed-forward", {"16"}}};
  EXPECT_THROW(train(options), UsageError) << "it was not given";
  options.scores = {distance_score()};
  train(options);
  EXPECT_THROW(Translator{options.folder}, ModelFileError) << "the model needs its score";
  const Translator translator(options.folder, {.scores = {distance_score()}});
  EXPECT_NO_THROW(translator.translate(lines_, {}));
  EXPECT_NE(translator.config().find("score: distance"), std::string::npos);
}

TEST(GivenScore, IsCheckedAgainstFiniteDifferences) {
  ScoreFunction score = distance_score();
  EXPECT_EQ(gradient_mismatch(score), "");
  score.backward = [right = score.backward](const ScoreInput& in, const RowsView& de, const ScoreGradients& add) {
    right(in, de, {.queries = add.queries, .keys = {}, .weights = add.weights});
  };
  EXPECT_NE(gradient_mismatch(score), "") << "the gradient of the keys is missing";
}

TEST(GivenScore, NeedsANameOfItsOwn) {
  ScoreFunction score = distance_score();
  score.name = "dot";
  EXPECT_THROW(gradient_mismatch(score), UsageError);
  score.name = "";
  EXPECT_THROW(gradient_mismatch(score), UsageError);
  score.name = "distance";
  score.backward = {};
  EXPECT_THROW(gradient_mismatch(score), UsageError);
}

TEST(GivenScore, MayRefuseWidthsAndIsHeldToSmallWeights) {
  ScoreFunction score = distance_score();
  score.weights = [](const ScoreWidths&) -> std::vector<ScoreWeight> { throw ConfigError("too wide"); };
  EXPECT_EQ(thrown<ConfigError>([&] { gradient_mismatch(score); }), "too wide");
  score.weights = [](const ScoreWidths&) { return std::vector<ScoreWeight>(9, {.name = "w"}); };
  EXPECT_THROW(gradient_mismatch(score), ConfigError);
  score.weights = [](const ScoreWidths&) { return std::vector<ScoreWeight>{{.name = "w", .rows = 0}}; };
  EXPECT_THROW(gradient_mismatch(score), ConfigError);
}

}  // namespace
}  // namespace dhyan::v1
