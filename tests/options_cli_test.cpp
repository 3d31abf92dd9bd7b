// Messages about options and arguments that are wrong, missing or without effect, as a shell sees them.

#include <filesystem>
#include <gtest/gtest.h>

#include "binary.h"
#include "core/error.h"
#include "process.h"
#include "small_model.h"
#include "tiny_training.h"
#include "translated_lines.h"

namespace dhyan {
namespace {

class OptionsOfTheBinary : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  static Finished dhyan(Words words) {
    words.insert(words.begin(), kBinary);
    return run(words);
  }

  static void refused(const Words& words, int code, const std::string& message) {
    const Finished finished = dhyan(words);
    EXPECT_EQ(finished.code, code) << finished.error;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.error, cat("dhyan: error: ", message, '\n'));
  }

  std::string path(std::string_view name) const { return corpus_.path(name); }

  std::string model() const {
    make_small_model(path("model"), ContextKind::kAttention);
    return path("model");
  }

  TinyCorpus corpus_;
};

TEST_F(OptionsOfTheBinary, AreRefusedByNameIfTheyDoNotApply) {
  const std::string has_instead =
      "; model is transformer, which has hidden, heads, feed-forward, activation, norm and positions instead";
  const std::string transformer = " needs a recurrent model" + has_instead;
  const std::string encoder = " needs a recurrent encoder" + has_instead;
  const std::string recurrent =
      " needs a model of self-attention layers; model is recurrent, which has cell, embedding, directions, readout, "
      "layer-norm and residual instead";
  const std::string none =
      " needs a model with attention; context is none, which gives the decoder the last state of the encoder instead; "
      "context attention gives it attention";
  const std::vector<std::array<std::string, 4>> cases{{"transformer-tiny", "cell", "lstm", transformer},
                                                      {"transformer-tiny", "directions", "forward", encoder},
                                                      {"transformer-tiny", "readout", "tanh", transformer},
                                                      {"seq2seq", "score", "dot", none},
                                                      {"seq2seq", "window", "hard", none},
                                                      {"rnnsearch", "feed-forward", "64", recurrent},
                                                      {"rnnsearch", "positions", "learned", recurrent}};
  for (const auto& [preset, option, value, message] : cases) {
    refused({"train", "--preset", preset, "--" + option, value, "-o", path("none")}, 2, cat("--", option, message));
    const std::string file = corpus_.folder().write("mine.yaml", cat("dropout: 0.1\n", option, ": ", value, "\n"));
    refused({"train", "--preset", preset, "-c", file, "-o", path("none")}, 3, cat(file, ":2: ", option, message));
  }
  EXPECT_FALSE(std::filesystem::exists(path("none")));
}

TEST_F(OptionsOfTheBinary, AreDumpedAndReadBack) {
  for (const char* preset : {"transformer-tiny", "seq2seq", "gpt-nano"}) {
    const Finished dumped = dhyan({"train", "--preset", preset, "--dump-config"});
    EXPECT_EQ(dumped.out.find("\ncell:") != dumped.out.npos, std::string(preset) == "seq2seq") << dumped.out;
    const std::string file = corpus_.folder().write("dumped.yaml", dumped.out);
    const Finished again = dhyan({"train", "-c", file, "--dump-config"});
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_EQ(again.out, dumped.out);
  }
}

TEST_F(OptionsOfTheBinary, ReportMisspelledBeforeMissingOnes) {
  refused({"translate", "--modle", "x"}, 2,
          "unknown option '--modle'; did you mean '--model'?\nRun 'dhyan translate --help'.");
  refused({"translate"}, 2, "--model is required\nRun 'dhyan translate --help'.");
  refused({"trnslate"}, 2, "unknown command 'trnslate'; did you mean 'translate'?\nRun 'dhyan --help'.");
}

TEST_F(OptionsOfTheBinary, ReportAFileGivenAsAModel) {
  const std::string folder = model();
  refused({"translate", "-m", folder + "/config.json", "--text", "x"}, 3,
          cat(folder, "/config.json: is a file; expected the folder of a model, which is '", folder, "'"));
  std::filesystem::remove(folder + "/target.vocab");
  refused({"translate", "-m", folder, "--text", "x"}, 3,
          cat(folder, ": target.vocab is missing; expected source.vocab and target.vocab, or shared.vocab"));
}

TEST_F(OptionsOfTheBinary, TakeASentenceAsTextAndRefuseAMissingFile) {
  const std::string folder = model();
  const Finished piped = run({kBinary, "translate", "-m", folder}, {}, "मैं खाना खा\n");
  const Finished text = dhyan({"translate", "-m", folder, "--text", "मैं खाना खा"});
  EXPECT_EQ(text.out, piped.out);
  EXPECT_EQ(without_cut_warning(text.error), "");
  const Finished sentence = dhyan({"translate", "-m", folder, "मैं खाना खा"});
  EXPECT_EQ(sentence.code, 0);
  EXPECT_EQ(sentence.out, piped.out);
  EXPECT_EQ(without_cut_warning(sentence.error),
            "dhyan: note: there is no file 'मैं खाना खा'; it is translated as text (--text does so without this note)\n");
  refused({"translate", "-m", folder, "test.hi"}, 3,
          "test.hi: cannot open: No such file or directory; to translate words of the command line, use --text");
  const Finished both = dhyan({"translate", "-m", folder, "--text", "x", path("train.hi")});
  EXPECT_EQ(both.code, 2);
}

TEST_F(OptionsOfTheBinary, AreFewInHelpAndAllInHelpAll) {
  const Finished usual = dhyan({"train", "--help"}), all = dhyan({"train", "--help-all"});
  EXPECT_EQ(usual.code, 0);
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(has(usual.out, "--preset NAME"));
  EXPECT_FALSE(has(usual.out, "--decay-threshold"));
  EXPECT_TRUE(has(usual.out, "dhyan train --help-all\n"));
  EXPECT_TRUE(has(all.out, "--decay-threshold NUMBER"));
  EXPECT_TRUE(has(dhyan({"data", "clean", "--help-all"}).out, "--max-characters N"));
}

TEST_F(OptionsOfTheBinary, OfAScheduleEndTrainingWithIt) {
  const Finished finished =
      run(tiny_training(corpus_, "cosine", {"--schedule", "cosine", "--warmup-steps", "2", "--total-steps", "5"}));
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_TRUE(has(finished.error,
                  "schedule: cosine brings the learning rate down to 0 at step 5; training ends there at the latest"));
  EXPECT_TRUE(
      has(finished.out, "trained: the learning rate is 0 at the end of the schedule (total-steps) after 5 steps"));
}

}  // namespace
}  // namespace dhyan
