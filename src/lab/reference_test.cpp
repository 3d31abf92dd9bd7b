#include "lab/reference.h"

#include <gtest/gtest.h>

#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "lab/pronouns.h"

namespace dhyan::lab {
namespace {

class ReferenceExperiment : public FolderTest {
 protected:
  LabOptions options() const {
    LabOptions options;
    options.folder = folder_ / "reference";
    options.threads = 2;
    options.seeds = 1;
    return options;
  }
  RunObserver observer_;
};

TEST(PronounChance, IsThatOfRulesThatDoNotResolveIt) {
  const auto train = phrasebook(kReferenceCorpus, Part::kTrain), test = phrasebook(kReferenceCorpus, Part::kTest);
  const double chance = pronoun_chance(train, test);
  EXPECT_GE(chance, 0.5);
  EXPECT_LT(chance, 0.65) << "the corpus has a shortcut";
  EXPECT_LT(continuation_chance(train, test), 0.8);
}

// The direction of the claim at a small size.
TEST_F(ReferenceExperiment, SelfAttentionFindsTheAntecedent) {
  LabRun run("reference", options(), observer_);
  ReferenceSize size;
  size.one_vector.push_back("hidden: 64\nembedding: 64\nreadout-hidden: 64\nmax-steps: 300\ntotal-steps: 300\n");
  size.language.push_back("max-steps: 600\ntotal-steps: 600\n");
  const Findings findings = run_reference(run, size);
  EXPECT_TRUE(findings.holds) << findings.measured;
  ASSERT_EQ(findings.tables.size(), 3u);
  EXPECT_EQ(findings.tables[1].rows.size(), 12u) << "3 layers of 4 heads";
  EXPECT_EQ(findings.figures.size(), 2u);
}

TEST_F(ReferenceExperiment, NeedsAnEncoderWithSelfAttention) {
  LabOptions of_user = options();
  of_user.model = "rnnsearch";
  LabRun run("reference", of_user, observer_);
  const std::string step = "max-epochs: 1\nmax-steps: 1\nvalidate-epochs: 100\nhidden: 8\nembedding: 8\n";
  EXPECT_NE(thrown<UsageError>([&] { run_reference(run, {.transformer = {step}}); }).find("attends to itself"),
            std::string::npos);
}

}  // namespace
}  // namespace dhyan::lab
