#include "phrasebook/phrasebook.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "phrasebook/book.h"

namespace dhyan {
namespace {

struct Made {
  const phrases::Grammar& grammar;
  std::size_t max_words;
  phrases::Book book;
};

// Made once; all tests share the corpora: the usual ones, then those of the longest sentences.
const std::vector<Made>& made() {
  static const std::vector<Made> books = [] {
    std::vector<Made> result;
    for (const Index max_words : {kUsualWords, kMostWords}) {
      for (const phrases::Grammar* grammar : {&phrases::hindi_grammar(), &phrases::french_grammar()}) {
        const auto most = static_cast<std::size_t>(max_words);
        result.push_back({*grammar, most, phrases::make_book(*grammar, most)});
      }
    }
    return result;
  }();
  return books;
}

// The corpus as the public function returns it, made once per pair.
const Phrasebook& published(std::string_view pair) {
  static std::map<std::string, Phrasebook, std::less<>> books;
  auto found = books.find(pair);
  if (found == books.end()) found = books.emplace(pair, phrasebook(pair)).first;
  return found->second;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> result;
  for (const phrases::Word& word : phrases::words(text, {})) result.push_back(word.text);
  return result;
}

template <class Visit>
void each_entry(const phrases::Book& book, Visit visit) {
  for (const auto* split : {&book.train, &book.dev, &book.test}) {
    for (const phrases::Entry& entry : *split) visit(entry);
  }
}

TEST(Phrasebook, HasThePromisedSizes) {
  for (const Made& one : made()) {
    EXPECT_GE(one.book.train.size(), one.grammar.pair == "hi-en" ? 12000u : 4000u);
    EXPECT_GE(one.book.dev.size(), 300u) << one.grammar.pair;
    EXPECT_GE(one.book.test.size(), 300u) << one.grammar.pair;
  }
}

TEST(Phrasebook, HasSentencesOfTwoWordsToTheMost) {
  for (const Made& one : made()) {
    std::size_t shortest = 99, longest = 0, over_twenty = 0, pairs = 0;
    each_entry(one.book, [&](const phrases::Entry& entry) {
      const std::size_t length = split_words(entry.pair.source).size();
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
      over_twenty += length > 20 ? 1 : 0;
      ++pairs;
    });
    EXPECT_EQ(shortest, 2u) << one.grammar.pair;
    EXPECT_EQ(longest, one.max_words) << one.grammar.pair;
    const std::size_t percent = one.grammar.pair == "hi-en" ? 8 : 3;
    EXPECT_GE(over_twenty * 100, pairs * percent) << one.grammar.pair;
  }
}

// Enough of every length to measure BLEU by length.
TEST(Phrasebook, HasLongSentencesInTrainAndTestIfAskedFor) {
  for (const Made& one : made()) {
    if (one.max_words != static_cast<std::size_t>(kMostWords)) continue;
    for (const auto& [split, least] : {std::pair{&one.book.train, 80u}, std::pair{&one.book.test, 40u}}) {
      std::array<std::size_t, 6> of_length{};
      for (const phrases::Entry& entry : *split) ++of_length[(split_words(entry.pair.source).size() - 1) / 10];
      for (const std::size_t count : of_length) EXPECT_GE(count, least) << one.grammar.pair;
    }
  }
}

TEST(Phrasebook, JoinsClausesNaturally) {
  for (const Made& one : made()) {
    each_entry(one.book, [&](const phrases::Entry& entry) {
      for (const std::string_view odd : {"while when ", "while before ", "while after ", "and and ", "but but "}) {
        EXPECT_EQ(entry.pair.target.find(odd), std::string::npos) << entry.pair.target;
      }
    });
  }
}

TEST(Phrasebook, KeepsShortSentencesShort) {
  for (const PhrasePair& pair : phrasebook("hi-en", Part::kTrain, 30)) {
    EXPECT_LE(split_words(pair.source).size(), 30u) << pair.source;
  }
  EXPECT_EQ(thrown<UsageError>([] { phrasebook("hi-en", Part::kTrain, 61); }),
            "phrasebook: max-words is 61; expected 10 to 60");
}

// A model trained on short sentences may be tested on long ones.
TEST(Phrasebook, HoldsOutTheSameCombinationsForEveryLength) {
  for (const Made& longer : made()) {
    if (longer.max_words != static_cast<std::size_t>(kMostWords)) continue;
    for (const phrases::Entry& entry : longer.book.test) {
      EXPECT_TRUE(std::ranges::any_of(entry.combinations, [&](const std::string& combination) {
        return phrases::part_of(longer.grammar, combination) == Part::kTest;
      })) << entry.pair.source;
    }
  }
}

TEST(Phrasebook, GivesEverySourceOneTranslationInOneSplit) {
  for (const Made& one : made()) {
    std::set<std::string> sources;
    each_entry(one.book, [&](const phrases::Entry& entry) {
      EXPECT_TRUE(sources.insert(entry.pair.source).second) << entry.pair.source;
    });
  }
}

TEST(Phrasebook, HoldsOutCombinationsThatTrainLacks) {
  for (const Made& one : made()) {
    std::set<std::string> trained;
    for (const phrases::Entry& entry : one.book.train) {
      trained.insert(entry.combinations.begin(), entry.combinations.end());
    }
    for (const auto* split : {&one.book.dev, &one.book.test}) {
      for (const phrases::Entry& entry : *split) {
        EXPECT_FALSE(std::ranges::all_of(entry.combinations, [&](const auto& c) { return trained.contains(c); }))
            << entry.pair.source;
      }
    }
  }
}

// The same, checked on the text instead of the combinations of the grammar.
TEST(Phrasebook, HasNoHeldOutCombinationInLongerSentencesOfTrain) {
  for (const Made& one : made()) {
    for (const phrases::Entry& entry : one.book.train) {
      if (one.grammar.pair == "hi-en") {
        EXPECT_EQ(entry.pair.target.find("I am eating"), std::string::npos) << entry.pair.target;
        continue;
      }
      EXPECT_EQ(entry.pair.source.find("je vais manger"), std::string::npos) << entry.pair.source;
      EXPECT_EQ(entry.pair.target.find("European Economic Area"), std::string::npos) << entry.pair.target;
    }
  }
}

TEST(Phrasebook, HasNoTestWordThatTrainLacks) {
  for (const Made& one : made()) {
    std::set<std::string> sources, targets;
    for (const phrases::Entry& entry : one.book.train) {
      for (std::string& word : split_words(entry.pair.source)) sources.insert(std::move(word));
      for (std::string& word : split_words(entry.pair.target)) targets.insert(std::move(word));
    }
    for (const auto* split : {&one.book.dev, &one.book.test}) {
      for (const phrases::Entry& entry : *split) {
        for (const std::string& word : split_words(entry.pair.source)) EXPECT_TRUE(sources.contains(word)) << word;
        for (const std::string& word : split_words(entry.pair.target)) EXPECT_TRUE(targets.contains(word)) << word;
      }
    }
  }
}

TEST(Phrasebook, LinksEveryWordExceptCorrelatives) {
  const std::set<std::string> unlinked = {"तब", "तो", "वह"};
  for (const Made& one : made()) {
    each_entry(one.book, [&](const phrases::Entry& entry) {
      const auto source = split_words(entry.pair.source), target = split_words(entry.pair.target);
      std::vector<bool> source_linked(source.size()), target_linked(target.size());
      for (const auto& [i, j] : entry.pair.alignment) {
        ASSERT_TRUE(i >= 0 && i < static_cast<int>(source.size()) && j >= 0 && j < static_cast<int>(target.size()));
        source_linked[static_cast<std::size_t>(i)] = target_linked[static_cast<std::size_t>(j)] = true;
      }
      for (std::size_t i = 0; i < source.size(); ++i) {
        EXPECT_TRUE(source_linked[i] || unlinked.contains(source[i])) << source[i] << " in " << entry.pair.source;
      }
      for (std::size_t j = 0; j < target.size(); ++j) {
        EXPECT_TRUE(target_linked[j]) << target[j] << " in " << entry.pair.target;
      }
      EXPECT_TRUE(std::ranges::is_sorted(entry.pair.alignment));
    });
  }
}

// Clauses are translated one by one: no link crosses "but" or "because".
TEST(Phrasebook, LinksNeverCrossAConjunction) {
  const std::pair<std::string, std::string> conjunctions[] = {
      {"लेकिन", "but"}, {"क्योंकि", "because"}, {"इसलिए", "so"}, {"mais", "but"}};
  std::size_t seen = 0;
  for (const Made& one : made()) {
    each_entry(one.book, [&](const phrases::Entry& entry) {
      const auto source = split_words(entry.pair.source), target = split_words(entry.pair.target);
      for (const auto& [here, there] : conjunctions) {
        if (std::ranges::count(source, here) != 1) continue;
        const auto i = std::ranges::find(source, here) - source.begin(),
                   j = std::ranges::find(target, there) - target.begin();
        for (const auto& [a, b] : entry.pair.alignment) EXPECT_EQ(a < i, b < j) << entry.pair.source;
        ++seen;
      }
    });
  }
  EXPECT_GT(seen, 2000u);
}

// NFC decomposes letters with nukta, except three; French has no combining accents.
TEST(Phrasebook, IsInNfc) {
  for (const Made& one : made()) {
    each_entry(one.book, [&](const phrases::Entry& entry) {
      const std::string& text = entry.pair.source;
      for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const std::string_view three = std::string_view(text).substr(i, 3);
        EXPECT_FALSE(three >= "\u0958" && three <= "\u095F") << text;
      }
      for (const std::string_view loose :
           {"न\u093C", "र\u093C", "ळ\u093C", "\u0300", "\u0301", "\u0302", "\u0308", "\u0327"}) {
        EXPECT_EQ(text.find(loose), std::string::npos) << text;
      }
    });
  }
}

TEST(Phrasebook, SeparatesWordsByOneSpace) {
  for (const Made& one : made()) {
    each_entry(one.book, [&](const phrases::Entry& entry) {
      for (const std::string& text : {entry.pair.source, entry.pair.target}) {
        EXPECT_EQ(text.find("  "), std::string::npos) << text;
        EXPECT_FALSE(text.empty() || text.front() == ' ' || text.back() == ' ') << text;
        EXPECT_EQ(text.find_first_of("0123456789=,.?!"), std::string::npos) << text;
      }
    });
  }
}

TEST(Phrasebook, HasTheDemonstrationSentencesInTest) {
  const auto expect = [](std::string_view pair, std::string_view source, std::string_view target,
                         std::string_view links) {
    const std::vector<PhrasePair>& test = published(pair).test;
    const auto found = std::ranges::find(test, source, &PhrasePair::source);
    ASSERT_NE(found, test.end()) << source;
    EXPECT_EQ(found->target, target);
    EXPECT_EQ(to_pharaoh(found->alignment), links) << source;
  };
  expect("hi-en", "मैं खाना खा रहा हूँ", "I am eating food", "0-0 1-3 2-2 3-1 4-1");
  expect("hi-en", "मुझे खाना बहुत पसंद है", "I love to eat", "0-0 1-2 1-3 2-1 3-1 4-1");
  expect("hi-en", "मुझे खाना खाना बहुत पसंद है", "I love to eat food", "0-0 1-4 2-2 2-3 3-1 4-1 5-1");
  expect("hi-en", "मैं खेलने जा रहा हूँ", "I am going to play", "0-0 1-3 1-4 2-2 3-1 4-1");
  expect("fr-en", "zone économique européenne", "European Economic Area", "0-2 1-1 2-0");
  expect("fr-en", "je vais manger", "I will eat", "0-0 1-1 2-2");
}

TEST(Phrasebook, ReturnsTheSplitsOfTheWholeBook) {
  const Phrasebook& book = published("fr-en");
  const std::vector<PhrasePair> dev = phrasebook("fr-en", Part::kDev);
  ASSERT_EQ(dev.size(), book.dev.size());
  for (std::size_t i = 0; i < dev.size(); ++i) EXPECT_EQ(dev[i].source, book.dev[i].source);
  EXPECT_EQ(phrasebook("fr-en", Part::kTrain).size(), book.train.size());
}

// Results of different builds are compared on these bytes. Change the hash only with an intended change of lexicon or
// grammar.
TEST(Phrasebook, IsTheSameBytesEverywhere) {
  const auto hash_of = [](std::string_view pair) {
    const Phrasebook& book = published(pair);
    std::uint64_t state = 0xcbf29ce484222325;
    for (const auto* split : {&book.train, &book.dev, &book.test}) {
      for (const PhrasePair& one : *split) {
        for (const char c : one.source + '\t' + one.target + '\t' + to_pharaoh(one.alignment) + '\n') {
          state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        }
      }
    }
    return state;
  };
  EXPECT_EQ(hash_of("hi-en"), 17830995230920124590u);
  EXPECT_EQ(hash_of("fr-en"), 17452065610250283101u);
  EXPECT_EQ(hash_of("en-fr"), 4978989092732988551u);
}

TEST(Phrasebook, ListsTheKnownPairsForAnUnknownOne) {
  try {
    phrasebook("de-en", Part::kTrain);
    FAIL() << "expected UsageError";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "phrasebook: language pair 'de-en' is none of hi-en, fr-en, en-fr");
  }
}

TEST(Pharaoh, WritesSourceBeforeTarget) {
  EXPECT_EQ(to_pharaoh({{0, 0}, {1, 3}, {2, 1}}), "0-0 1-3 2-1");
  EXPECT_EQ(to_pharaoh({}), "");
}

}  // namespace
}  // namespace dhyan
