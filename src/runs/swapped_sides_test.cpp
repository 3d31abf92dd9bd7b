#include "runs/swapped_sides.h"

#include <gtest/gtest.h>

#include "data/testing/test_corpus.h"
#include "phrasebook/phrasebook.h"
#include "runs/testing/tiny_run.h"
#include "runs/training_run.h"

namespace dhyan {
namespace {

CorpusInput corpus_of(const std::vector<SentencePair>& pairs) {
  return {"corpus", 1, 0, [pairs] { return std::make_unique<MemoryPairs>(pairs); }};
}

std::vector<SentencePair> phrases(const char* languages, Part part, bool swapped) {
  std::vector<SentencePair> pairs;
  for (const PhrasePair& phrase : phrasebook(languages, part)) {
    SentencePair pair;
    pair.source = swapped ? phrase.target : phrase.source;
    pair.target = swapped ? phrase.source : phrase.target;
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(SwappedSides, AreDetectedInDifferentScriptsAndInOne) {
  for (const char* languages : {"hi-en", "fr-en"}) {
    const std::vector<CorpusInput> train{corpus_of(phrases(languages, Part::kTrain, false))};
    EXPECT_FALSE(looks_swapped(train, corpus_of(phrases(languages, Part::kDev, false)))) << languages;
    EXPECT_TRUE(looks_swapped(train, corpus_of(phrases(languages, Part::kDev, true)))) << languages;
  }
}

TEST(SwappedSides, AreNotReportedIfTheSidesLookAlike) {
  const std::vector<CorpusInput> copies{corpus_of({{"one two three", "one two three"}, {"four", "four"}})};
  EXPECT_FALSE(looks_swapped(copies, corpus_of({{"one four", "one four"}})));
  const std::vector<CorpusInput> train{corpus_of(phrases("hi-en", Part::kTrain, false))};
  EXPECT_FALSE(looks_swapped(train, corpus_of({{"12 34", "56 78"}})));
  EXPECT_FALSE(looks_swapped(train, corpus_of({})));
  EXPECT_FALSE(looks_swapped({}, corpus_of({{"a", "b"}})));
}

TEST(SwappedSides, AreReportedByTraining) {
  struct Notes final : RunObserver {
    void on_note(const std::string& text) override { all += text + "\n"; }
    std::string all;
  };
  const TinyCorpus corpus;
  for (const bool swapped : {false, true}) {
    Config config = corpus.config();
    if (swapped) std::swap(config.data.valid[0], config.data.valid[1]);
    Notes notes;
    const TrainingRun run(config, {.folder = corpus.path(swapped ? "swapped" : "straight")}, notes);
    const std::string warning = "warning: " + config.data.valid[0] + " and " + config.data.valid[1] +
                                ": source and target of the held-out pairs look swapped";
    EXPECT_EQ(notes.all.find(warning) != notes.all.npos, swapped) << notes.all;
  }
}

}  // namespace
}  // namespace dhyan
