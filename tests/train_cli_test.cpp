// `dhyan train` as a shell sees it.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <pty.h>
#include <thread>
#include <unistd.h>

#include "core/error.h"
#include "process.h"
#include "tiny_training.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class TrainCommand : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  // Trains a tiny model on the tiny corpus.
  Words command(const std::string& model, const Words& more = {}) const {
    Words words{"--max-epochs", "3", "--report-steps", "4"};
    words.insert(words.end(), more.begin(), more.end());
    return tiny_training(corpus_, model, words);
  }
  Finished train(const std::string& model, const Words& more = {}) const { return run(command(model, more)); }
  Finished dhyan_train(Words words) const {
    words.insert(words.begin(), {kBinary, "train"});
    return run(words);
  }

  std::string path(std::string_view name) const { return corpus_.path(name); }
  std::string read(std::string_view name) const { return corpus_.folder().read(name); }

  TinyCorpus corpus_;
};

TEST_F(TrainCommand, TrainsLogsAndPrintsTheNextCommand) {
  const Finished finished = train("model");
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_TRUE(has(finished.out, "trained: max-epochs reached after "));
  EXPECT_TRUE(has(finished.out, cat("dhyan translate -m ", path("model"))));
  EXPECT_TRUE(has(finished.out, cat("dhyan explain -m ", path("model"))));
  EXPECT_TRUE(has(finished.error, "train.en: 40 pairs"));
  EXPECT_TRUE(has(finished.error, "step 4      epoch"));
  EXPECT_TRUE(has(finished.error, "held-out: loss "));
  EXPECT_EQ(finished.error.find('\x1b'), std::string::npos) << "no terminal, no escapes";
  EXPECT_TRUE(has(read("model/train.log"), "step 4      epoch"));
  EXPECT_EQ(load_model(path("model")).config.common.hidden, 8);
}

TEST_F(TrainCommand, DrawsAStatusLineOnATerminal) {
  int terminal = -1, inner = -1;
  winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(openpty(&terminal, &inner, nullptr, nullptr, &size), 0);
  const pid_t child =
      start(command("model", {"--max-epochs", "200"}), {.out = inner, .error = inner}, {{"TERM", "xterm"}});
  ::close(inner);
  const std::string shown = read_all(terminal);
  EXPECT_EQ(exit_code_of(child), 0);
  ::close(terminal);
  const std::size_t drawn = shown.find("\r\x1b[Kepoch ");
  ASSERT_NE(drawn, std::string::npos) << shown;
  const std::string line = shown.substr(drawn + 4, shown.find_first_of("\r\n", drawn + 4) - drawn - 4);
  EXPECT_TRUE(has(line, "/200 [")) << shown;
  EXPECT_TRUE(has(line, "  loss ")) << shown;
  EXPECT_LE(line.size(), 62u) << "as wide as the terminal, with an ellipsis";
}

TEST_F(TrainCommand, AppliesDefaultsPresetFilesAndFlagsInOrder) {
  const std::string a = corpus_.folder().write("a.yaml", "hidden: 100\nembedding: 101\nreadout-hidden: 102\n");
  const std::string b = corpus_.folder().write("b.yaml", "embedding: 201\nreadout-hidden: 202\n");
  const Finished dumped = dhyan_train({"--preset", "luong", "-c", a, "-c", b, "--readout-hidden", "302",
                                       "--encoder-layers", "2", "--residual", "--dump-config"});
  EXPECT_EQ(dumped.code, 0) << dumped.error;
  for (const char* line : {"\ncell: lstm\n", "\nhidden: 100\n", "\nembedding: 201\n", "\nreadout-hidden: 302\n",
                           "\nresidual: true\n", "\nlayer-norm: false\n"}) {
    EXPECT_TRUE(has(dumped.out, line));
  }
  const std::string again = corpus_.folder().write("dump.yaml", dumped.out);
  EXPECT_EQ(dhyan_train({"-c", again, "--dump-config"}).out, dumped.out) << "what is dumped can be read back";
}

TEST_F(TrainCommand, UsesThePhrasebookSettingsWithoutData) {
  EXPECT_TRUE(has(dhyan_train({"--dump-config"}).out, "\ntokenizer: word\n"));
  EXPECT_TRUE(has(dhyan_train({"--tokenizer", "bpe", "--dump-config"}).out, "\ntokenizer: bpe\n"));
  EXPECT_TRUE(has(dhyan_train({"--preset", "luong-paper", "--dump-config"}).out, "\nmax-epochs: 12\n"))
      << "a preset wins";
  const std::string data = corpus_.folder().write("data.yaml", "train: [a, b]\n");
  EXPECT_TRUE(has(dhyan_train({"-c", data, "--dump-config"}).out, "\ntokenizer: auto\n"));
}

TEST_F(TrainCommand, NamesTheNearestOptionAndTheLine) {
  const auto refused = [&](const Words& words, const std::string& message, int code) {
    const Finished finished = dhyan_train(words);
    EXPECT_EQ(finished.code, code);
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(has(finished.error, message));
  };
  const std::string bad = corpus_.folder().write("bad.yaml", "cell: gru\nhiden: 3\n");
  refused({"--hiden", "3"}, "unknown option '--hiden'; did you mean '--hidden'?", 2);
  refused({"-c", bad}, bad + ":2: there is no option 'hiden'; did you mean 'hidden'?", 3);
  refused({"--score", "aditive"}, "--score: 'aditive' is none of dot, ", 2);
  refused({"--hidden", "many"}, "--hidden is 'many', expected a whole number from 1 to 65536", 2);
  refused({"--preset", "rnnserch"}, "did you mean 'rnnsearch'?", 2);
  refused({"--schedule", "cosine", "--total-steps", "0"}, "schedule cosine: total-steps is 0", 3);
  refused({"--resume", "--overwrite"}, "--overwrite and --resume do not go together", 2);
  refused({"--resume", "-o", path("none")}, "none: there is no such folder", 3);
  refused({"--train", path("none.hi"), path("none.en"), "-o", path("m")}, "none.hi: cannot open", 3);
  EXPECT_FALSE(fs::exists(path("m")));
}

TEST_F(TrainCommand, LosesNothingIfItCannotStart) {
  EXPECT_EQ(train("model").code, 0);
  const std::string before = read("model/model.safetensors"), config = read("model/config.json");
  EXPECT_EQ(train("model", {"--overwrite", "--valid", path("none.tsv")}).code, 3);
  EXPECT_EQ(train("model", {"--overwrite", "--tie-embeddings", "decoder", "--readout-hidden", "7"}).code, 3);
  const std::string uneven = corpus_.folder().write("uneven.hi", "a\nb\n"),
                    one = corpus_.folder().write("one.en", "a\n");
  EXPECT_EQ(dhyan_train({"--overwrite", "-o", path("model"), "--train", uneven, one}).code, 3);
  EXPECT_EQ(read("model/model.safetensors"), before);
  EXPECT_EQ(read("model/config.json"), config);
  EXPECT_EQ(dhyan_train({"-o", path("new"), "--train", uneven, one}).code, 3);
  EXPECT_FALSE(fs::exists(path("new"))) << "nothing is left of what did not begin";
}

TEST_F(TrainCommand, ListsPresetsAndEveryOption) {
  const Finished presets = dhyan_train({"--list-presets"}), help = dhyan_train({"--help-all"});
  EXPECT_TRUE(has(presets.out, "rnnsearch-paper\n    "));
  EXPECT_TRUE(has(presets.out, "[luong2015]"));
  for (const char* part : {"\nModel:\n", "\nAttention:\n", "--score", "--learning-rate", "location", "local-p"}) {
    EXPECT_TRUE(has(help.out, part));
  }
}

TEST_F(TrainCommand, DoesNotOverwriteWithoutTheFlag) {
  EXPECT_EQ(train("model").code, 0);
  const std::string before = read("model/model.safetensors");
  const Finished refused = train("model", {"--seed", "5"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.error, "holds a model; --resume continues its training, --overwrite starts over"));
  EXPECT_EQ(read("model/model.safetensors"), before);
  EXPECT_EQ(train("model", {"--seed", "5", "--overwrite"}).code, 0);
  EXPECT_NE(read("model/model.safetensors"), before);
}

TEST_F(TrainCommand, GivesTheSameBytesOnAnyNumberOfThreadsInEitherPrecision) {
  for (const std::string precision : {"float32", "bfloat16"}) {
    for (const std::string threads : {"1", "2", "3"}) {
      EXPECT_EQ(train(precision + threads, {"--precision", precision, "--threads", threads}).code, 0);
      EXPECT_EQ(read(cat(precision, threads, "/model.safetensors")), read(precision + "1/model.safetensors"))
          << threads;
    }
  }
  EXPECT_NE(read("float321/model.safetensors"), read("bfloat161/model.safetensors"));
}

TEST_F(TrainCommand, ValidatesByMetricsAndAveragesCheckpoints) {
  const std::string gold = corpus_.folder().write("gold", "0-0 1-1 2-2\n0-0 1-1\n");
  const Finished finished =
      train("model", {"--validate-metrics", "bleu", "chrf", "aer", "--valid-alignments", gold, "--stop-on", "chrf",
                      "--keep-best", "bleu", "--keep-last", "2", "--accumulate", "2", "--workspace", "1"});
  ASSERT_EQ(finished.code, 0) << finished.error;
  for (const char* part :
       {"memory: weights 0.0 MB, gradients ", "  bleu ", "  chrf ", "  aer ", "  attention_entropy_nats "}) {
    EXPECT_TRUE(has(finished.error, part));
  }
  EXPECT_TRUE(has(read("model/training/samples.jsonl"), "\"reference\":\"one two are\",\"weights\":[["));
  EXPECT_TRUE(fs::exists(path("model/model-best-bleu.safetensors")));

  const Finished averaged = run({kBinary, "average", path("model"), "--last", "2", "-o", path("averaged")});
  EXPECT_EQ(averaged.code, 0) << averaged.error;
  EXPECT_TRUE(has(averaged.out, cat("The mean of 2 checkpoints is in ", path("averaged"))));
  EXPECT_NO_THROW(load_model(path("averaged")));
  EXPECT_EQ(run({kBinary, "average", path("model"), "--last", "2", "-o", path("averaged")}).code, 2) << "it is there";
  EXPECT_EQ(run({kBinary, "average", path("model"), "--last", "9", "-o", path("more")}).code, 3);
  EXPECT_FALSE(fs::exists(path("more")));
}

TEST_F(TrainCommand, RefusesMetricsItCannotComputeBeforeTheFirstStep) {
  const auto refused = [&](const Words& more, const std::string& message, int code) {
    const Finished finished = train("model", more);
    EXPECT_EQ(finished.code, code);
    EXPECT_TRUE(has(finished.error, message));
    EXPECT_FALSE(fs::exists(path("model")));
  };
  refused(
      {"--validate-metrics", "blue"},
      "'blue' is none of loss, perplexity, bleu, chrf, coco-bleu4, cider-d, true-captions, aer; did you mean 'bleu'?",
      2);
  refused({"--stop-on", "bleu"}, "stop-on is bleu, which validate-metrics does not have", 3);
  refused({"--validate-metrics", "aer"}, "there are no gold alignments", 3);
  refused({"--validate-metrics", "aer", "--valid-alignments", path("none")}, "none: cannot open", 3);
}

// Long enough to be interrupted.
const std::vector<std::string> kLong{"--max-epochs", "2000", "--max-steps", "1000", "--validate-steps", "100"};

TEST_F(TrainCommand, SavesOnAnInterruptAndResumesToTheSameBytes) {
  const int said = ::open(path("said").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const pid_t child = start(command("model", kLong), {.out = said, .error = said});
  ::close(said);
  for (int tries = 0; tries < 1000 && !has(read("model/train.log"), "step 8 "); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(child, SIGINT);
  EXPECT_EQ(exit_code_of(child), 130);
  EXPECT_TRUE(has(read("said"), cat("all saved. To continue: dhyan train --resume -o ", path("model"))));
  EXPECT_NO_THROW(load_model(path("model")));
  EXPECT_FALSE(has(read("model/train.log"), "step 1000 ")) << "it was not over yet";

  const Finished resumed = run({kBinary, "train", "--resume", "-o", path("model")});
  EXPECT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_TRUE(has(resumed.error, "resumed after step "));
  EXPECT_EQ(train("straight", kLong).code, 0);
  EXPECT_EQ(read("model/model.safetensors"), read("straight/model.safetensors"));
}

TEST_F(TrainCommand, StartsFromAnotherModelAndKeepsFrozenWeights) {
  ASSERT_EQ(train("first", {"--word-dropout", "0.1", "--max-steps", "3"}).code, 0);
  const Finished second = dhyan_train({"--init-from", path("first"), "--train", path("train.hi"), path("train.en"),
                                       "--freeze", "encoder", "--max-steps", "3", "-o", path("second")});
  EXPECT_EQ(second.code, 0) << second.error;
  EXPECT_TRUE(has(second.error, cat(" from ", path("first"))));
  const LoadedModel was = load_model(path("first")), is = load_model(path("second"));
  EXPECT_EQ(is.config.common.hidden, 8) << "its settings were taken";
  EXPECT_TRUE(is.config.data.valid.empty()) << "its data was not";
  for (const Parameter& weight : was.model->parameters()) {
    const bool frozen = weight.name.starts_with("encoder.");
    const Parameter& now = *is.model->parameters().find(weight.name);
    EXPECT_EQ(std::ranges::equal(now.value.span(), weight.value.span()), frozen) << weight.name;
  }
  const Finished none = dhyan_train({"--init-from", path("nowhere"), "-o", path("third")});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.error, cat("dhyan: error: ", path("nowhere"), ": there is no such folder\n"));
  const Finished unknown = train("third", {"--freeze", "encodr"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_TRUE(has(unknown.error, "freeze: no weight of the model is named 'encodr'; did you mean 'encoder'?\n"));
  EXPECT_FALSE(fs::exists(path("third")));
}

TEST_F(TrainCommand, DoesNotInheritTheValidationOfItsInitialModel) {
  const std::string gold = corpus_.folder().write("gold", "0-0 1-1 2-2\n0-0 1-1\n");
  ASSERT_EQ(
      train("first", {"--valid-alignments", gold, "--stop-on", "aer", "--keep-best", "aer", "--max-steps", "3"}).code,
      0);
  const Finished second = dhyan_train({"--init-from", path("first"), "--train", path("train.hi"), path("train.en"),
                                       "--max-steps", "3", "-o", path("second")});
  EXPECT_EQ(second.code, 0) << second.error;
}

TEST_F(TrainCommand, ResumesFromAnotherFolder) {
  const auto shell = [&](const std::string& folder, const std::string& arguments) {
    return run(
        {"/bin/sh", "-c", cat("cd '", folder, "' && exec '", kBinary, "' train -o '", path("model"), "' ", arguments)});
  };
  const Finished begun = shell(path(""),
                               "--train train.hi train.en --valid dev.hi dev.en --tokenizer word "
                               "--embedding 8 --hidden 8 --readout-hidden 8 --max-steps 2");
  ASSERT_EQ(begun.code, 0) << begun.error;
  const Finished resumed = shell("/", "--resume --max-steps 4");
  EXPECT_EQ(resumed.code, 0) << resumed.error;
}

}  // namespace
}  // namespace dhyan
