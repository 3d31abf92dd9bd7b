// Trainings on pictures and their captions, from files and from the built-in picture book.

#include <gtest/gtest.h>
#include <regex>

#include "runs/testing/tiny_captions.h"
#include "translator/picture_test_set.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

std::string untimed(const std::string& log) {
  static const std::regex times("[0-9.]+ tokens/s|\"(seconds|tokens_per_second)\":[0-9.e+-]+");
  return std::regex_replace(log, times, "");
}

TEST_F(CaptionRuns, LeaveACompleteFolder) {
  EXPECT_EQ(train("model", Existing::kRefuse, 2), Ended::kEpochs);
  for (const char* file : {"config.json", "model.safetensors", "shared.vocab", "train.log", "train.jsonl", "README.md",
                           "training/state.safetensors", "training/pixels-16x16.pictures"}) {
    EXPECT_TRUE(fs::exists(fs::path(model()) / file)) << file;
  }
  const std::string missing = note("warning: 2 pictures of 23 cannot be read; their captions are left out: ");
  EXPECT_NE(missing.find(pictures_.path("gone.png") + ": there is no such file"), missing.npos) << missing;
  EXPECT_NE(missing.find(pictures_.path("broken.png") + ": "), missing.npos) << missing;
  EXPECT_NE(note("warning: 1 picture of 5 cannot be read").find("gone too.png"), std::string::npos);
  EXPECT_EQ(note("pictures: 21"), "pictures: 21 pictures, 16 x 16 pixels; 20 not in the cache");
  EXPECT_EQ(note("pictures: 4"), "pictures: 4 pictures, 16 x 16 pixels; 4 not in the cache");
  EXPECT_EQ(facts_.train.front().counts.pairs, 2u * 21);
  EXPECT_EQ(facts_.train.front().counts.empty, 4u) << "captions without a picture";
  EXPECT_EQ(facts_.valid.front().counts.pairs, 2u * 4);

  EXPECT_EQ(load_config(model()).validation.sentences, 12) << "the split has held-out pictures";

  const std::string readme = read("model/README.md");
  for (const std::string& part :
       {pictures_.path("captions.tsv") + ": 42 captions", cat("dhyan caption -m ", model(), " PICTURES"),
        cat("dhyan explain -m ", model(), " PICTURE"),
        cat("dhyan evaluate -m ", model(), " --test CAPTIONS --images DIR"), std::string("; a vocabulary of ")}) {
    EXPECT_NE(readme.find(part), std::string::npos) << part << "\n" << readme;
  }
  const Translator translator{fs::path(model())};
  EXPECT_TRUE(translator.model().pictures());
  std::vector<std::string> unreadable;
  const TestSet set =
      caption_test_set(pictures_.path("captions.tsv"), Part::kDev, pictures_.folder().path(), {16, 16}, unreadable);
  EXPECT_EQ(translator.translate(set.inputs(), {}).size(), 4u);
}

TEST_F(CaptionRuns, LearnFromThePictureBook) {
  config_ = TinyPictures::book_config();
  config_.training.max_epochs = 12;
  config_.data.scenes = 200;
  EXPECT_EQ(train("model"), Ended::kEpochs);
  EXPECT_EQ(note("the picture book en (train)"),
            "the picture book en (train): 200 scenes in an epoch, different in each epoch");
  EXPECT_EQ(note("the picture book en (dev)"), "the picture book en (dev): 500 scenes in an epoch");
  EXPECT_LT(notes_.metrics.back().front().value, 0.7 * notes_.metrics.front().front().value);
  EXPECT_NE(read("model/README.md").find(" --scene \"small red circle above large blue square\""), std::string::npos);
  EXPECT_EQ(facts_.train.front().counts.pairs, 200u);
  double words = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const std::string text = picturebook::example(picturebook::Language::kEnglish, Part::kTrain, number).caption.text;
    words += static_cast<double>(std::ranges::count(text, ' ') + 1);
  }
  EXPECT_NEAR(static_cast<double>(facts_.train.front().counts.target_tokens), words, words / 20);
}

TEST_F(CaptionRuns, GiveTheSameBytesOnAnyNumberOfThreads) {
  for (const bool book : {true, false}) {
    for (const char* kind : {"recurrent", "transformer"}) {
      config_ = book ? TinyPictures::book_config() : pictures_.config();
      config_.model = kind;
      if (!book) config_.common.encoder = "patches";
      for (const int threads : {1, 2, 3}) train(cat("m", threads), Existing::kOverwrite, threads);
      EXPECT_EQ(weights("m1"), weights("m2")) << kind;
      EXPECT_EQ(weights("m1"), weights("m3")) << kind;
      EXPECT_EQ(untimed(read("m1/train.jsonl")), untimed(read("m3/train.jsonl")));
      config_.training.seed = 2;
      train("other", Existing::kOverwrite);
      EXPECT_NE(weights("m1"), weights("other"));
    }
  }
}

TEST_F(CaptionRuns, StoppedAndResumedEqualNeverStopped) {
  for (const bool book : {true, false}) {
    for (const char* kind : {"recurrent", "transformer"}) {
      SCOPED_TRACE(cat(book ? "picture book " : "files ", kind));
      config_ = book ? TinyPictures::book_config() : pictures_.config();
      config_.model = kind;
      config_.training.loss.r_drop = 1;
      config_.common.word_dropout = 0.1;
      config_.tokenizer.kind = "unigram";
      config_.tokenizer.settings.vocabulary_size = 60;
      const bool guided = book && config_.model == "recurrent";
      config_.tokenizer.sampled = !guided;
      config_.validation.metrics = {"cider-d"};
      if (guided) config_.data.guided_alignment = {"picturebook"};
      train("straight", Existing::kOverwrite);
      ASSERT_EQ(train("model", Existing::kOverwrite, 1, 3), Ended::kOnRequest);
      EXPECT_NO_THROW(load_model(model())) << "it can be used as it is";
      EXPECT_EQ(train("model", Existing::kResume, 2), Ended::kEpochs);
      EXPECT_EQ(weights("model"), weights("straight"));
      for (const char* name : {"/train.log", "/train.jsonl", "/training/samples.jsonl"}) {
        EXPECT_EQ(untimed(read("model" + std::string(name))), untimed(read("straight" + std::string(name)))) << name;
      }
      EXPECT_EQ(notes_.notes.back(), "resumed after step 3");
    }
  }
}

TEST_F(CaptionRuns, CanBeResumedWithEveryContextAndWindow) {
  config_.training.max_epochs = 1;
  config_.training.max_steps = 6;
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    config_.recurrent.context = context;
    config_.common.attention.window = context == ContextKind::kAttention ? "hard" : "global";
    train("straight", Existing::kOverwrite);
    train("model", Existing::kOverwrite, 1, 3);
    train("model", Existing::kResume);
    EXPECT_EQ(weights("model"), weights("straight"));
  }
}

// Polls in steps, during validation and between files.
TEST_F(CaptionRuns, StoppedAtAnyPollAndResumedEqualNeverStopped) {
  struct Stop {};
  config_.validation.metrics = {"coco-bleu4"};
  RunObserver nobody;
  const auto run = [&](const std::string& name, Existing existing, std::function<void()> poll) {
    TrainingRun training(config_, {.folder = model(name), .existing = existing, .poll = std::move(poll)}, nobody);
    return training.run([] { return false; });
  };
  int polls = 0;
  ASSERT_EQ(run("straight", Existing::kRefuse, [&] { ++polls; }), Ended::kEpochs);
  int resumed = 0;
  for (int part = 1; part <= 10; ++part) {
    SCOPED_TRACE(part);
    int left = polls * part / 10 - 1;
    fs::remove_all(model());
    try {
      EXPECT_EQ(run("model", Existing::kRefuse,
                    [&] {
                      if (left-- == 0) throw Stop();
                    }),
                Ended::kOnRequest);
    } catch (const Stop&) {
      EXPECT_FALSE(fs::exists(model()));
      continue;
    }
    ++resumed;
    EXPECT_EQ(run("model", Existing::kResume, {}), Ended::kEpochs);
    EXPECT_EQ(weights("model"), weights("straight"));
    EXPECT_EQ(untimed(read("model/train.jsonl")), untimed(read("straight/train.jsonl")));
  }
  EXPECT_GT(resumed, 2);
}

TEST_F(CaptionRuns, DecodeNoPictureAgainWhenResumed) {
  train("model", Existing::kRefuse, 1, 2);
  train("model", Existing::kResume);
  EXPECT_EQ(note("pictures: 21"), "pictures: 21 pictures, 16 x 16 pixels; 0 not in the cache");
  EXPECT_EQ(note("pictures: 4"), "pictures: 4 pictures, 16 x 16 pixels; 0 not in the cache");
  train("model", Existing::kOverwrite);
  EXPECT_EQ(note("pictures: 21"), "pictures: 21 pictures, 16 x 16 pixels; 20 not in the cache");
}

TEST_F(CaptionRuns, DecodeEachPictureOnceForAllTrainings) {
  config_.training.max_steps = 2;
  config_.data.picture_cache = pictures_.path("cache/of mine");
  train("model");
  const std::string first = weights();
  EXPECT_TRUE(fs::exists(pictures_.path("cache/of mine/pixels-16x16.pictures")));
  EXPECT_FALSE(fs::exists(fs::path(model()) / "training/pixels-16x16.pictures"));
  train("again");
  EXPECT_EQ(note("pictures: 21"), "pictures: 21 pictures, 16 x 16 pixels; 0 not in the cache");
  EXPECT_EQ(weights("again"), first);
  fs::remove_all(pictures_.path("cache"));
  train("again", Existing::kOverwrite);
  EXPECT_EQ(weights("again"), first);
}

TEST_F(CaptionRuns, AreRefusedWithoutPictures) {
  config_.data.images = pictures_.path("elsewhere");
  const std::string refusal = thrown<DataError>([&] { train("model"); });
  EXPECT_NE(refusal.find("no picture can be read: "), refusal.npos) << refusal;
  EXPECT_NE(refusal.find("; and 18 more"), refusal.npos) << refusal;
  EXPECT_FALSE(fs::exists(model()));
  config_ = pictures_.config();
  config_.data.guided_alignment = {"links"};
  EXPECT_EQ(thrown<ConfigError>([&] { train("model"); }),
            "guided-alignment of pictures needs the regions of words, which only the picture book has");
  config_ = TinyPictures::book_config();
  config_.data.guided_alignment = {"phrasebook"};
  EXPECT_EQ(thrown<ConfigError>([&] { train("model"); }),
            "guided-alignment is phrasebook; expected 'picturebook' for the built-in corpus");
}

TEST_F(CaptionRuns, LeaveNothingIfStoppedWhileDecoding) {
  struct Stop {};
  for (const int last : {1, 10, 30, 50}) {
    int polls = 0;
    RunObserver nobody;
    EXPECT_THROW(TrainingRun(config_,
                             {.folder = model(),
                              .poll =
                                  [&] {
                                    if (++polls == last) throw Stop();
                                  }},
                             nobody),
                 Stop)
        << last;
    EXPECT_FALSE(fs::exists(model()));
  }
}

TEST_F(CaptionRuns, ValidateOnAllPicturesOfAllFiles) {
  std::string first, second;
  for (const auto& [file, from] : {std::pair{&first, 0}, {&second, 1}}) {
    for (int i = from; i < 3 + from; ++i) {
      const int number = TinyPictures::kTrain + i;
      *file += cat("p", number, ".png\t", TinyPictures::captions_of(static_cast<std::uint64_t>(number))[0].text, "\n");
    }
  }
  config_.data.train = {pictures_.path("train.tsv")};
  config_.data.valid = {pictures_.folder().write("first.tsv", first), pictures_.folder().write("second.tsv", second)};
  config_.validation.metrics = {"cider-d", "coco-bleu4"};
  config_.validation.samples = 9;
  config_.training.max_epochs = 1;
  train("model");
  EXPECT_EQ(notes_.samples.size(), 4u) << "of both files, each picture once";
  ASSERT_EQ(notes_.metrics.size(), 1u);
  std::vector<std::string> names;
  for (const NamedScore& metric : notes_.metrics.front()) names.push_back(metric.name);
  EXPECT_EQ(names, (std::vector<std::string>{"loss", "perplexity", "coco-bleu4", "cider-d", "attention_entropy_nats"}));
  EXPECT_EQ(notes_.samples.front().source, (std::vector<std::string>{"0,0", "0,1", "1,0", "1,1"}));
  EXPECT_EQ(notes_.samples.front().weights.front().size(), 4u);
  const auto metrics = notes_.metrics;
  train("threads", Existing::kRefuse, 3);
  EXPECT_EQ(notes_.metrics, metrics);
}

TEST_F(CaptionRuns, MeasureTrueCaptionsOfScenesOnly) {
  config_.validation.metrics = {"true-captions"};
  EXPECT_EQ(thrown<ConfigError>([&] { train("model"); }),
            "validate-metrics has true-captions, which needs held-out scenes of the picture book");
  config_ = TinyPictures::book_config();
  config_.validation.metrics = {"true-captions", "cider-d"};
  config_.training.max_epochs = 1;
  train("model");
  const double share = value_of(notes_.metrics.front(), "true-captions");
  EXPECT_GE(share, 0);
  EXPECT_LE(share, 100);
  EXPECT_GE(value_of(notes_.metrics.front(), "cider-d"), 0);
  config_.common.encoder = "text";
  EXPECT_THROW(train("text"), ConfigError);
}

TEST_F(CaptionRuns, KeepTheLastWeightsWithoutHeldOutPictures) {
  config_.data.train = {pictures_.path("train.tsv")};
  config_.training.max_epochs = 1;
  train("model");
  EXPECT_FALSE(note("nothing is held out").empty());
  EXPECT_TRUE(notes_.metrics.empty());
  config_.data.train = {pictures_.folder().write("train_part.tsv", "image\tcaption\tsplit\np0.png\tone\ttrain\n")};
  train("split without a held-out part");
  EXPECT_FALSE(note("nothing is held out").empty());
}

}  // namespace
}  // namespace dhyan
