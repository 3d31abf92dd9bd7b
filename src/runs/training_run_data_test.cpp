#include <algorithm>
#include <gtest/gtest.h>

#include "runs/corpora.h"
#include "runs/testing/training_runs.h"
#include "translator/evaluation.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

TEST_F(TrainingRuns, ChooseATokenizerAndRecordIt) {
  config_.tokenizer.kind = kChosenKind;
  config_.training.max_epochs = 1;
  train({.folder = model()});
  const Config saved = load_config(model());
  EXPECT_EQ(saved.tokenizer.kind, "bpe");
  EXPECT_EQ(saved.tokenizer.settings.vocabulary_size, 1000);
  EXPECT_EQ(saved.tokenizer.settings.character_coverage, 1);
  EXPECT_TRUE(noted("chosen from the text: tokenizer bpe; vocabulary-size 1000: "));
  EXPECT_TRUE(noted(" tokens, fewer than the vocabulary-size chosen"));
  EXPECT_FALSE(noted("is not reached"));
  EXPECT_TRUE(noted("source: no <unk>; target: no <unk>"));
  const std::string first = weights("model");

  config_.tokenizer = saved.tokenizer;
  train({.folder = model("again")});
  EXPECT_EQ(weights("again"), first) << "what was recorded gives the same model";
  config_.tokenizer = {};
  config_.tokenizer.from = model();
  train({.folder = model("taken")});
  EXPECT_EQ(load_config(model("taken")).tokenizer.kind, "bpe") << "that of the folder";
  config_.tokenizer.kind = "char";
  const auto refused = [&] { return thrown<UsageError>([&] { train({.folder = model("broken")}); }); };
  const std::string refusal =
      cat("tokenizer is char, but the tokenizers are taken from ", model(), ", whose tokenizer is bpe");
  EXPECT_EQ(refused(), refusal);
  config_.tokenizer.from.clear();
  config_.init_from = model();
  EXPECT_EQ(refused(), refusal);
  EXPECT_FALSE(fs::exists(model("broken")));
}

TEST_F(TrainingRuns, RefuseAVocabularyThatIsTooSmallBeforeWriting) {
  config_.tokenizer.settings.vocabulary_size = 5;
  EXPECT_EQ(thrown<ConfigError>([&] { train({.folder = model()}); }),
            "vocabulary-size is 5, expected 7 or more: with fewer, more than half of the running words are <unk>");
  EXPECT_FALSE(fs::exists(model()));
}

TEST_F(TrainingRuns, ReportAVocabularySmallerThanConfigured) {
  config_.training.max_steps = 1;
  for (const char* kind : {"word", "char", "bpe"}) {
    config_.tokenizer.kind = kind;
    config_.tokenizer.settings.vocabulary_size = 500;
    train({.folder = model(), .existing = Existing::kOverwrite});
    EXPECT_TRUE(noted("vocabulary-size 500 is not reached: the text gives ")) << kind;
  }
  config_.tokenizer.kind = "word";
  config_.tokenizer.settings.vocabulary_size.reset();
  train({.folder = model(), .existing = Existing::kOverwrite});
  EXPECT_FALSE(noted("is not reached") || noted("fewer than"));
}

TEST_F(TrainingRuns, ReportUnknownTokens) {
  config_.tokenizer.settings.vocabulary_size = 8;
  config_.training.max_epochs = 1;
  train({.folder = model()});
  EXPECT_TRUE(std::ranges::any_of(notes_.notes, [](const std::string& note) {
    return note.find("; target: <unk> ") != note.npos && note.find(" tokens (") != note.npos;
  }));
}

TEST_F(TrainingRuns, ReportUnknownTokensOnceForPlainText) {
  config_.model = "masked-language-model";
  config_.common.tying = Tying::kDecoder;
  config_.transformer.feed_forward = 16;
  config_.data.train = {corpus_.path("train.en")};
  config_.data.valid = {corpus_.path("dev.en")};
  config_.training.max_epochs = 1;
  train({.folder = model()});
  EXPECT_TRUE(noted("train.en: no <unk>"));
  EXPECT_FALSE(noted("target: "));
}

TEST_F(TrainingRuns, FindBadDataBeforeTraining) {
  config_.data.train = {corpus_.path("train.hi")};
  EXPECT_EQ(refusal<DataError>(), corpus_.path("train.hi") +
                                      ": plain text, expected sentences with their translations: "
                                      "a second file beside it, or tabs between source and target");
  config_.data.train = {corpus_.path("train.hi"), corpus_.path("none.en")};
  EXPECT_EQ(refusal<IoError>(), corpus_.path("none.en") + ": cannot open: No such file or directory");
  config_ = corpus_.config();
  config_.data.weights = {1, 2};
  EXPECT_EQ(refusal<ConfigError>(), "train-weights has 2 values for 1 corpora; expected one for each");
  config_ = corpus_.config();
  config_.data.valid = {corpus_.path("dev.hi")};
  EXPECT_EQ(refusal<DataError>().substr(0, corpus_.path("dev.hi").size() + 12),
            corpus_.path("dev.hi") + ": plain text");
  EXPECT_FALSE(fs::exists(model())) << "nothing was made";
}

TEST_F(TrainingRuns, NameAnEmptyFileBeforeTokenizersAreChosen) {
  corpus_.folder().write("empty.hi", "");
  corpus_.folder().write("empty.en", "");
  config_.tokenizer.kind = kChosenKind;
  config_.data.train = {corpus_.path("empty.hi"), corpus_.path("empty.en")};
  EXPECT_EQ(refusal<DataError>(), corpus_.path("empty.hi") + ": is empty; expected lines of text");
  config_.data.train = {corpus_.path("train.hi"), corpus_.path("empty.en")};
  EXPECT_EQ(refusal<DataError>(), corpus_.path("empty.en") + ": is empty; expected lines of text");
  EXPECT_TRUE(notes_.notes.empty());
}

TEST_F(TrainingRuns, FindFilesOfDifferentLengths) {
  corpus_.folder().write("long.en", "one\n");
  config_.data.valid = {corpus_.path("dev.hi"), corpus_.path("long.en")};
  EXPECT_EQ(refusal<DataError>(), corpus_.path("dev.hi") + ":2: 1 more line than " + corpus_.path("long.en") +
                                      " (1); parallel files must have equally many lines");
}

TEST_F(TrainingRuns, NeedAtLeastOneSentencePair) {
  config_.data.max_length = 1;
  EXPECT_EQ(refusal<DataError>(), corpus_.path("train.hi") + " and " + corpus_.path("train.en") +
                                      ": 0 pairs, 0 + 0 tokens; left out, too long: 40; expected at least one pair");
}

TEST_F(TrainingRuns, UseTheTokenizersOfAnotherModel) {
  train({.folder = model()});
  config_.tokenizer.from = model();
  config_.data.train = {corpus_.path("dev.hi"), corpus_.path("dev.en")};
  train({.folder = model("second")});
  EXPECT_EQ(load_model(model("second")).tokenizers.source->fingerprint(),
            load_model(model()).tokenizers.source->fingerprint());
}

TEST_F(TrainingRuns, TrainAttentionWithAlignments) {
  std::string links;
  for (int i = 0; i < 40; ++i) {  // each word is aligned to the one at its position
    for (int j = 0; j <= i % 3 + 1; ++j) links += cat(j, "-", j, " ");
    links += '\n';
  }
  corpus_.folder().write("train.links", links);
  config_.data.guided_alignment = {corpus_.path("train.links")};
  config_.training.loss.guided = 1;
  config_.training.max_epochs = 20;
  const auto error_rate = [&](const std::string& folder) {
    train({.folder = folder, .existing = Existing::kOverwrite});
    const Translator translator(folder);
    TestSet set{.name = "dev", .sources = {"एक दो हैं", "पाँच हैं"}, .references = {{"one two are"}, {"five are"}}};
    set.alignments = {{{{0, 0}, {1, 1}, {2, 2}}, {}}, {{{0, 0}, {1, 1}}, {}}};
    return evaluate(translator, set, {}).forced.alignment->error_rate;
  };
  for (const char* kind : {"recurrent", "transformer"}) {
    config_.model = kind;
    config_.transformer.feed_forward = 16;
    config_.common.dropout = 0;
    EXPECT_LT(error_rate(model(kind)), 0.25) << kind;
  }
  train({.folder = model("half")}, 5);
  train({.folder = model("half"), .existing = Existing::kResume, .threads = 2});
  EXPECT_EQ(weights("half"), weights("transformer")) << "stopped and resumed";
  config_.data.guided_alignment.push_back("more");
  EXPECT_EQ(refusal<ConfigError>(), "guided-alignment has 2 files for 1 corpora; expected one for each");
  config_.recurrent.context = ContextKind::kNone;
  config_.model = "recurrent";
  EXPECT_EQ(refusal<ConfigError>(), "guided-alignment needs a decoder that attends to the source; this model has none");
}

TEST_F(TrainingRuns, KeepTheLastWeightsWithoutHeldOutData) {
  config_.data.valid.clear();
  EXPECT_EQ(train({.folder = model()}), Ended::kEpochs);
  EXPECT_TRUE(facts_.held_out.empty());
  EXPECT_NO_THROW(load_model(model()));
}

TEST_F(TrainingRuns, ReportTheFallbackWithoutHeldOutData) {
  config_.data.valid.clear();
  config_.training.average = 2;
  config_.training.patience = 3;
  train({.folder = model()});
  const std::string log = corpus_.folder().read("model/train.log");
  for (const char* part :
       {"averaging the last 2 checkpoints\n", "patience is 3, and nothing is held out: patience has no effect\n",
        "mean of 2 checkpoints:"}) {
    EXPECT_NE(log.find(part), std::string::npos) << part;
  }
}

TEST_F(TrainingRuns, UseThePhrasebookWithoutFiles) {
  config_.data.train.clear();
  config_.data.valid.clear();
  config_.training.max_steps = 1;
  config_.training.batch.max_tokens = 4000;
  train({.folder = model()});
  EXPECT_EQ(facts_.train.front().name, "the phrasebook hi-en (train)");
  EXPECT_EQ(facts_.train.front().counts.pairs, 16'000u);
  EXPECT_EQ(facts_.valid.front().name, "the phrasebook hi-en (dev)");
}

TEST_F(TrainingRuns, ReadPhrasebookSentencesUpToMaxWords) {
  const auto longest = [](Index max_words) {
    DataConfig data;
    data.max_words = max_words;
    const std::unique_ptr<PairSource> pairs = training_corpora(data, DataKind::kPairs).front().open();
    std::ptrdiff_t most = 0;
    for (SentencePair pair; pairs->next(pair);) most = std::max(most, 1 + std::ranges::count(pair.source, ' '));
    return most;
  };
  EXPECT_EQ(longest(12), 12);
  EXPECT_EQ(longest(55), 55);
}

}  // namespace
}  // namespace dhyan
