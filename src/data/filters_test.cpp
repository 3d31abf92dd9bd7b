#include "data/filters.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "data/statistics.h"

namespace dhyan {
namespace {

// The reason a pair is dropped for; "" if it is kept.
std::string reason(PairFilter& filter, std::string source, std::string target) {
  SentencePair pair{std::move(source), std::move(target)};
  const Verdict verdict = filter.judge(pair);
  return verdict.reason == nullptr ? "" : std::string(verdict.reason->name);
}

const Filter& named(std::string_view name) {
  for (const Filter& filter : filters()) {
    if (filter.name == name) return filter;
  }
  throw UsageError(cat("no filter ", name));
}

TEST(Measure, CountsWordsAndCharacters) {
  const Measure hindi = measure("  मैं खाना\u3000खा ");
  EXPECT_EQ(hindi.words, 3);
  EXPECT_EQ(hindi.characters, 14);
  EXPECT_EQ(hindi.script, Script::kDevanagari);
  EXPECT_FALSE(hindi.has_control);
  EXPECT_EQ(measure("").words, 0);
  EXPECT_EQ(measure(" \t ").words, 0);
  EXPECT_FALSE(measure("a\tb").has_control);
  for (const char* text : {"a\x01", "a\x7f", "a\u0085", "a\rb", "\x1b[2J"}) EXPECT_TRUE(measure(text).has_control);
}

TEST(Filters, CountADroppedPairForOneReason) {
  PairFilter filter({.max_words = 5, .max_characters = 40, .max_ratio = 3}, true);
  filter.learn_scripts(std::vector<SentencePair>{{"मैं", "I"}, {"OK", "OK"}, {"तुम", "you"}, {"123", "123"}});
  EXPECT_EQ(filter.source_script(), Script::kDevanagari);
  EXPECT_EQ(filter.target_script(), Script::kLatin);
  EXPECT_EQ(reason(filter, "मैं खाना", "I eat"), "");
  EXPECT_EQ(reason(filter, "", "I eat"), "empty");
  EXPECT_EQ(reason(filter, "मैं खाना", " \t "), "empty");
  EXPECT_EQ(reason(filter, "मैं\x02", "I"), "control");
  EXPECT_EQ(reason(filter, "मैं मैं मैं मैं मैं", "I I I I I I"), "too-long");
  EXPECT_EQ(reason(filter, "मैं मैं मैं मैं मैं", std::string(41, 'I')), "too-long");
  EXPECT_EQ(reason(filter, "मैं", "I am eating"), "ratio");
  EXPECT_EQ(reason(filter, "मैं", "nine char"), "") << "three times is not over three times";
  EXPECT_EQ(reason(filter, "2024", "2024"), "identical");
  EXPECT_EQ(reason(filter, "मैं", "तुम"), "script");
  EXPECT_EQ(reason(filter, "me", "I am"), "script");
  EXPECT_EQ(reason(filter, "मैं  खाना ", "I eat"), "duplicate") << "white space does not matter";
  EXPECT_EQ(reason(filter, "मैं खाना", "I ate"), "") << "another target";
  EXPECT_EQ(filter.judged(), 13U);
  EXPECT_EQ(filter.kept(), 3U);
  EXPECT_EQ(filter.count(named("empty")).dropped, 2U);
  EXPECT_EQ(filter.count(named("script")).dropped, 2U);
}

TEST(Filters, CanBeTurnedOnAndOff) {
  PairFilter filter({.with = {"duplicate-source"}, .without = {"empty", "identical"}}, true);
  EXPECT_TRUE(filter.is_on(named("duplicate-source")));
  EXPECT_FALSE(filter.is_on(named("empty")));
  EXPECT_EQ(reason(filter, "a", ""), "");
  EXPECT_EQ(reason(filter, "a", "b"), "duplicate-source");
  EXPECT_EQ(reason(filter, "c", "c"), "");
  EXPECT_EQ(filter.count(named("identical")).matched, 1U) << "counted all the same";
  EXPECT_EQ(filter.count(named("identical")).dropped, 0U);
  EXPECT_EQ(thrown<UsageError>([] { PairFilter({.without = {"emtpy"}}, true); }),
            "filters: there is no 'emtpy'; expected one of empty, control, too-long, ratio, identical, script, "
            "duplicate, duplicate-source");
}

TEST(Filters, DuplicatesAreCountedAgainstKeptPairsOnly) {
  PairFilter filter({.with = {"duplicate-source"}}, true);
  EXPECT_EQ(reason(filter, "a", ""), "empty");
  EXPECT_EQ(reason(filter, "a", "b"), "");
  EXPECT_EQ(reason(filter, "a", "c"), "duplicate-source");
}

TEST(Filters, IgnoreTheTargetsOfPlainText) {
  PairFilter filter({.with = {"duplicate-source"}}, false);
  EXPECT_EQ(reason(filter, "a sentence that is long enough", ""), "");
  EXPECT_EQ(reason(filter, "", ""), "empty");
  EXPECT_EQ(reason(filter, "a sentence that is long enough", ""), "duplicate");
}

TEST(Filters, CutLongSidesOnRequest) {
  PairFilter filter({.max_words = 3, .max_characters = 12, .on_too_long = OnTooLong::kCut}, true);
  SentencePair pair{"one two three four", "eins zwei drei vier"};
  const Verdict verdict = filter.judge(pair);
  EXPECT_EQ(verdict.reason, nullptr);
  EXPECT_TRUE(verdict.cut);
  EXPECT_EQ(verdict.source.words, 4) << "as it was";
  EXPECT_EQ(pair.source, "one two");
  EXPECT_EQ(pair.target, "eins zwei");
  SentencePair fits{"one two", "eins"};
  EXPECT_FALSE(filter.judge(fits).cut);
  EXPECT_EQ(filter.cut(), 1U);
  EXPECT_EQ(filter.count(named("too-long")).dropped, 0U);
}

TEST(CutLength, KeepsWholeWordsAndCharacters) {
  const auto cut = [](std::string_view text, Index words, Index characters) {
    return std::string(text.substr(0, cut_length(text, words, characters)));
  };
  EXPECT_EQ(cut("one two three", 2, 100), "one two");
  EXPECT_EQ(cut("one two three", 9, 13), "one two three");
  EXPECT_EQ(cut("one two three", 9, 12), "one two");
  EXPECT_EQ(cut("one two three", 9, 7), "one two");
  EXPECT_EQ(cut("one two three", 9, 6), "one");
  EXPECT_EQ(cut("onetwo", 9, 4), "onet");
  EXPECT_EQ(cut("कक्षि", 9, 3), "क") << "a conjunct is one letter";
  EXPECT_EQ(cut("", 1, 1), "");
  EXPECT_EQ(cut("a", 0, 1), "");
}

TEST(HashWords, IgnoresWhiteSpace) {
  std::string storage;
  const auto hash = [&](std::string_view text) { return hash_words(text, storage); };
  EXPECT_EQ(hash("a b"), hash(" a \t b\u3000"));
  EXPECT_NE(hash("a b"), hash("ab"));
  EXPECT_NE(hash("a b"), hash("b a"));
  EXPECT_NE(hash_words("a", storage, 1), hash_words("a", storage, 2));
}

TEST(HashSet, ContainsInsertedHashes) {
  HashSet set;
  for (std::uint64_t i = 0; i < 10'000; ++i) EXPECT_TRUE(set.insert(i * i * 1'000'003));
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    EXPECT_FALSE(set.insert(i * i * 1'000'003));
    EXPECT_TRUE(set.contains(i * i * 1'000'003));
    EXPECT_FALSE(set.contains(i * i * 1'000'003 + 1));
  }
  EXPECT_EQ(set.size(), 10'000U);
}

TEST(CorpusStatistics, CountLengths) {
  PairFilter filter({}, true);
  CorpusStatistics statistics;
  for (const char* text : {"", "a", "a b c d e", "a b c d e f"}) {
    SentencePair pair{text, "x"};
    statistics.add(filter.judge(pair));
  }
  EXPECT_EQ(statistics.pairs, 4U);
  EXPECT_EQ(statistics.source.words, 12U);
  EXPECT_EQ(statistics.source.characters, 21U);
  EXPECT_EQ(statistics.source.longest, 6);
  EXPECT_EQ(statistics.source.histogram[0], 1U);
  EXPECT_EQ(statistics.source.histogram[1], 2U);
  EXPECT_EQ(statistics.source.histogram[2], 1U);
  EXPECT_EQ(statistics.target.histogram[1], 4U);
  SideStatistics side;
  side.add({.words = 201});
  EXPECT_EQ(side.histogram.back(), 1U);
}

}  // namespace
}  // namespace dhyan
