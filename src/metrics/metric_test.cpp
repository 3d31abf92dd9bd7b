#include "metrics/metric.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "core/version.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

namespace dhyan {
namespace {

using References = std::vector<std::vector<std::string>>;

TEST(Metrics, SumTheCountsOfSentences) {
  const Bleu bleu;
  const std::vector<std::string> hypotheses{"a b c d", "e f g h x"};
  const References references{{"a b c d"}, {"e f g h"}};
  const std::vector<Counts> sentences = sentence_counts(bleu, {hypotheses, references});
  ASSERT_EQ(sentences.size(), 2u);
  const BleuScore result = bleu.scored(sum_of(sentences));
  EXPECT_NEAR(result.precisions[0], 100.0 * 8 / 9, 1e-12);
  EXPECT_EQ(result.hypothesis_length, 9);
  EXPECT_EQ(result.reference_length, 8);
}

TEST(Metrics, HaveASignatureWithAllSettings) {
  const std::string version_part = cat("|version:dhyan-", version());
  EXPECT_EQ(signature(Bleu(), References{{"a"}, {"b"}}), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" + version_part);
  EXPECT_EQ(signature(Bleu({.smoothing = "floor", .lowercase = true}), References{{"a"}, {"b", "c"}}),
            "nrefs:var|case:lc|eff:no|tok:13a|smooth:floor[0.10]" + version_part);
  EXPECT_EQ(signature(Chrf({.word_order = 2}), References{{"a", "b"}}),
            "nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no" + version_part);
  EXPECT_EQ(Chrf({.word_order = 2}).name(), "chrF2++");
  EXPECT_EQ(signature(Ter({.no_punct = true}), References{{"a"}}, "bs:1000|seed:1"),
            "nrefs:1|bs:1000|seed:1|case:lc|tok:tercom|norm:no|punct:no|asian:no" + version_part);
}

TEST(Metrics, RefuseTextsOfDifferentSizes) {
  const Bleu bleu;
  const std::vector<std::string> two{"a", "b"};
  EXPECT_EQ(thrown<UsageError>([&] {
              sentence_counts(bleu, {two, References{{"a"}}});
            }),
            "BLEU: 2 translations and references for 1; expected references for each");
  EXPECT_EQ(thrown<UsageError>([&] {
              sentence_counts(bleu, {two, References{{"a"}, {}}});
            }),
            "BLEU: sentence 2 has no reference");
  EXPECT_EQ(thrown<UsageError>([] { sum_of({}); }), "sum_of: no sentence; a score needs at least one");
}

}  // namespace
}  // namespace dhyan
