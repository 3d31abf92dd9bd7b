#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "phrasebook/grammar.h"
#include "phrasebook/phrase.h"
#include "phrasebook/reference_lexicon.h"

namespace dhyan::phrases::reference {
namespace {

const Phrasebook& corpus() {
  static const Phrasebook book = phrasebook(kReferenceCorpus);
  return book;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> result;
  for (const Word& word : words(text, {})) result.push_back(word.text);
  return result;
}

// A pair and the antecedent of its "it", in words.
struct Read {
  std::vector<std::string> source, target;
  std::string antecedent = {}, rival = {}, translated = {}, reason = {};
  bool feminine = false;
};

Read read(const PhrasePair& pair) {
  Read result{.source = words_of(pair.source), .target = words_of(pair.target)};
  const auto word = [](const std::vector<std::string>& words, int i) { return words.at(static_cast<std::size_t>(i)); };
  result.antecedent = word(result.source, pair.it->antecedent);
  result.rival = word(result.source, pair.it->rival);
  result.translated = word(result.target, pair.it->translated);
  result.reason = pair.source.substr(pair.source.find(" because "));
  result.feminine = std::set<std::string>{"elle", "qu'elle", "la"}.contains(result.translated);
  return result;
}

const Noun* noun_ending_in(const std::string& word) {
  for (const Scene& scene : scenes()) {
    for (const auto nouns : {scene.first, scene.second}) {
      const auto found = std::ranges::find_if(
          nouns, [&](const Noun& noun) { return noun.english == word || noun.english.ends_with(" " + word); });
      if (found != nouns.end()) return &*found;
    }
  }
  return nullptr;
}

template <class Visit>
void each_pair(Visit visit) {
  for (const auto* split : {&corpus().train, &corpus().dev, &corpus().test}) {
    for (const PhrasePair& pair : *split) visit(pair, read(pair));
  }
}

TEST(References, TranslateItByTheGenderOfItsAntecedent) {
  each_pair([](const PhrasePair& pair, const Read& words) {
    ASSERT_TRUE(pair.it.has_value());
    EXPECT_EQ(words.source[static_cast<std::size_t>(pair.it->it)], "it") << pair.source;
    EXPECT_EQ(std::ranges::count(words.source, "it"), 1) << pair.source;
    const Noun *antecedent = noun_ending_in(words.antecedent), *rival = noun_ending_in(words.rival);
    ASSERT_NE(antecedent, nullptr) << words.antecedent;
    ASSERT_NE(rival, nullptr) << words.rival;
    EXPECT_NE(antecedent, rival);
    EXPECT_EQ(pair.it->decisive, antecedent->gender != rival->gender) << pair.source;
    EXPECT_EQ(words.feminine, antecedent->gender == french::Gender::kFeminine) << pair.target;
    static const std::set<std::string> kForms = {"il", "elle", "qu'il", "qu'elle", "le", "la"};
    EXPECT_TRUE(kForms.contains(words.translated)) << words.translated << " in " << pair.target;
    EXPECT_EQ(pair.target.find('/'), std::string::npos) << pair.target;
  });
}

// No rule that reads less than the clause and both nouns can do it.
TEST(References, AreBalanced) {
  std::map<std::string, std::array<std::size_t, 2>> by_reason, by_first;
  std::array<std::size_t, 2> all{};
  each_pair([&](const PhrasePair& pair, const Read& words) {
    ++all[words.feminine ? 1 : 0];
    ++by_reason[words.reason][words.feminine ? 1 : 0];
    // where the genders differ, the first noun is the antecedent as often as not
    if (!pair.it->decisive) return;
    ++by_first[pair.it->antecedent < pair.it->rival ? words.antecedent : words.rival]
              [pair.it->antecedent < pair.it->rival ? 1 : 0];
  });
  const auto expect_even = [](const std::array<std::size_t, 2>& counts, double least, const std::string& name) {
    const double total = static_cast<double>(counts[0] + counts[1]);
    EXPECT_GT(static_cast<double>(std::min(counts[0], counts[1])) / total, least) << name;
  };
  expect_even(all, 0.45, "all");
  for (const auto& [reason, counts] : by_reason) expect_even(counts, 0.25, reason);
  for (const auto& [noun, counts] : by_first) expect_even(counts, 0.25, noun);
}

TEST(References, HoldOutTheRestaurantThatOnlyCooksVegetarianFood) {
  const auto found = std::ranges::find(
      corpus().test, "the restaurant refused to serve me a ham sandwich because it only cooks vegetarian food",
      &PhrasePair::source);
  ASSERT_NE(found, corpus().test.end());
  EXPECT_EQ(found->target,
            "le restaurant a refusé de me servir un sandwich au jambon parce qu'il ne cuisine que de la nourriture "
            "végétarienne");
  const Read words = read(*found);
  EXPECT_EQ(words.antecedent, "restaurant");
  EXPECT_EQ(words.rival, "sandwich");
  EXPECT_EQ(words.translated, "qu'il");
  for (const PhrasePair& pair : corpus().train) {
    const Read other = read(pair);
    EXPECT_FALSE(other.antecedent == "restaurant" && other.reason == words.reason) << pair.source;
  }
}

TEST(References, HoldOutNounsWithReasonsAndPairsOfNouns) {
  std::set<std::pair<std::string, std::string>> reasons, nouns;
  const auto pair_of = [](const Read& words) {
    return std::minmax(words.antecedent, words.rival, [](const auto& a, const auto& b) { return a < b; });
  };
  for (const PhrasePair& pair : corpus().train) {
    const Read words = read(pair);
    reasons.emplace(words.antecedent, words.reason);
    nouns.emplace(pair_of(words));
  }
  for (const PhrasePair& pair : corpus().test) {
    const Read words = read(pair);
    EXPECT_FALSE(reasons.contains({words.antecedent, words.reason}) && nouns.contains(pair_of(words))) << pair.source;
  }
}

TEST(References, LinkEveryWord) {
  each_pair([](const PhrasePair& pair, const Read& words) {
    std::vector<bool> source(words.source.size()), target(words.target.size());
    for (const auto& [i, j] : pair.alignment) {
      source[static_cast<std::size_t>(i)] = target[static_cast<std::size_t>(j)] = true;
    }
    EXPECT_EQ(std::ranges::count(source, false), 0) << pair.source;
    EXPECT_EQ(std::ranges::count(target, false), 0) << pair.target;
  });
}

}  // namespace
}  // namespace dhyan::phrases::reference
