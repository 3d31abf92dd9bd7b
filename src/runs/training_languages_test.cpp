#include "runs/training_languages.h"

#include <gtest/gtest.h>

#include "data/testing/test_corpus.h"
#include "runs/average.h"
#include "runs/quantize.h"
#include "runs/testing/training_runs.h"
#include "text/language_detector.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

// "hi to en" for these files.
std::string derived(const std::vector<std::string>& files, DataKind data_kind = DataKind::kPairs,
                    DataConfig data = {}) {
  data.train = files;
  derive_languages(data, data_kind);
  return cat(data.source_language, " to ", data.target_language);
}

TEST(DerivedLanguages, ComeFromFileNames) {
  EXPECT_EQ(derived({"a/train.hi", "a/train.en"}), "hi to en");
  EXPECT_EQ(derived({"train.lc.tok.en.gz", "train.lc.tok.de.zst"}), "en to de");
  EXPECT_EQ(derived({"train.PT_br.txt", "train.EN.txt.gz"}), "pt-BR to en");
  EXPECT_EQ(derived({"a.hi", "a.en", "b.hi", "b.src"}), "hi to en");
  EXPECT_EQ(derived({"train.en", "novel.en.txt"}, DataKind::kText), "en to ");
  EXPECT_EQ(derived({"captions.hi.tsv"}, DataKind::kCaptions), " to hi");
}

TEST(DerivedLanguages, StayOpenIfFileNamesHaveNoneOrDiffer) {
  EXPECT_EQ(derived({"train.src", "train.tgt"}), " to ");
  EXPECT_EQ(derived({"hi", "en"}), " to ");
  EXPECT_EQ(derived({"train.hi.tsv"}), " to ") << "a file of both languages";
  EXPECT_EQ(derived({"a.hi", "a.en", "b.fr", "b.en"}), " to en");
}

TEST(DerivedLanguages, ComeFromTheBuiltInCorpus) {
  DataConfig other;
  other.phrasebook = "fr-en";
  other.picturebook = picturebook::Language::kHindi;
  EXPECT_EQ(derived({}), "hi to en");
  EXPECT_EQ(derived({}, DataKind::kPairs, other), "fr to en");
  EXPECT_EQ(derived({}, DataKind::kLines), "en to ");
  EXPECT_EQ(derived({}, DataKind::kCaptions), " to en");
  EXPECT_EQ(derived({}, DataKind::kCaptions, other), " to hi");
}

TEST(DerivedLanguages, DoNotReplaceThoseOfTheUser) {
  DataConfig data;
  data.source_language = "mr";
  EXPECT_EQ(derived({"train.hi", "train.en"}, DataKind::kPairs, data), "mr to en");
}

TEST(TrainingTrigrams, AreCountedForSidesOfTextOnly) {
  const std::vector<CorpusInput> corpora(
      2, {"corpus", 1, 0, [] {
            return std::make_unique<MemoryPairs>(std::vector<SentencePair>{{"ab", "cde"}});
          }});
  const SideTrigrams pairs = trigrams_of(corpora, DataKind::kPairs);
  EXPECT_EQ(pairs.source.total, 4U);
  EXPECT_EQ(pairs.target.total, 6U);
  EXPECT_TRUE(trigrams_of(corpora, DataKind::kCaptions).source.empty());
  EXPECT_EQ(trigrams_of(corpora, DataKind::kCaptions).target.total, 6U);
  EXPECT_EQ(trigrams_of(corpora, DataKind::kLines).source.total, 4U);
  EXPECT_TRUE(trigrams_of(corpora, DataKind::kLines).target.empty());
}

TEST(TrainingTrigrams, DistinguishTheLanguagesOfThePhrasebook) {
  LanguageDetector detector;
  for (const char* pair : {"hi-en", "fr-en"}) {
    DataConfig data;
    data.phrasebook = pair;
    derive_languages(data, DataKind::kPairs);
    const SideTrigrams sides = trigrams_of(training_corpora(data, DataKind::kPairs), DataKind::kPairs);
    detector.add(data.source_language, sides.source);
    detector.add(data.target_language, sides.target);
  }
  EXPECT_EQ(detector.detect("मैं खाना खा रहा हूँ").front().code, "hi");
  EXPECT_EQ(detector.detect("je vais manger").front().code, "fr");
  EXPECT_EQ(detector.detect("I am going to eat").front().code, "en");
}

TEST_F(TrainingRuns, RecordTheirLanguages) {
  config_.training.keep_last = 2;
  train({.folder = model()});
  const ModelLanguages languages = languages_of(model(), load_config(model()));
  EXPECT_EQ(languages.source, "hi");
  EXPECT_EQ(languages.target, "en");
  ASSERT_TRUE(languages.source_trigrams && languages.target_trigrams);
  LanguageDetector detector;
  detector.add("hi", *languages.source_trigrams);
  detector.add("en", *languages.target_trigrams);
  EXPECT_EQ(detector.detect("two").front().code, "en");
  const std::string readme = corpus_.folder().read("model/README.md");
  EXPECT_NE(readme.find("\nLanguages: Hindi (hi) to English (en).\n"), std::string::npos) << readme;

  const std::string trigrams = corpus_.folder().read("model/trigrams.json");
  quantize_model(model(), model("int8"), Existing::kRefuse);
  average_models(checkpoints_of({.inputs = {model()}, .last = 2}), model("mean"));
  EXPECT_EQ(corpus_.folder().read("int8/trigrams.json"), trigrams);
  EXPECT_EQ(corpus_.folder().read("mean/trigrams.json"), trigrams);
}

TEST_F(TrainingRuns, KeepTheTrigramsOfAResumedFolder) {
  config_.training.max_epochs = 1;
  train({.folder = model()});
  const SideTrigrams others{{.total = 1, .commonest = {{{U'a', U'b', U'c'}, 1}}}, {}};
  save_trigrams(model(), others);
  config_.training.max_epochs = 2;
  train({.folder = model(), .existing = Existing::kResume});
  EXPECT_EQ(corpus_.folder().read("model/trigrams.json"), to_json(others));
}

TEST_F(TrainingRuns, AddTheLanguagesThatAnOlderFolderLacks) {
  config_.training.max_epochs = 1;
  train({.folder = model()});
  const std::string trigrams = corpus_.folder().read("model/trigrams.json");
  Config older = load_config(model());
  older.data.source_language.clear();
  older.data.target_language.clear();
  save_config(model(), older);
  fs::remove(fs::path(model()) / kTrigramsFile);
  config_ = older;
  config_.training.max_epochs = 2;
  train({.folder = model(), .existing = Existing::kResume});
  EXPECT_EQ(load_config(model()).data.source_language, "hi");
  EXPECT_EQ(load_config(model()).data.target_language, "en");
  EXPECT_EQ(corpus_.folder().read("model/trigrams.json"), trigrams);
}

}  // namespace
}  // namespace dhyan
