#pragma once

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include "decoding/testing/fake_decoding.h"

namespace dhyan {

// For tests: the translations that search should find in FakeDecoding, by enumerating all of them.

inline std::vector<FakeDecoding::Sentence> several_sentences() {
  return {{1, 3}, {2, 1}, {3, 5}, {4, 2}, {5, 2}, {6, 4}};
}

using Fits = std::function<bool(const Phrase& tokens)>;

inline void add_translations(const FakeDecoding::Sentence& sentence, const SearchOptions& options,
                             const Hypothesis& prefix, std::vector<Hypothesis>& all) {
  if (std::ssize(prefix.tokens) == options.max_length) return all.push_back(prefix);  // cut there
  for (TokenId token = 0; token < FakeDecoding::kVocabulary; ++token) {
    if (token == kPad || token == kBegin || (token == kUnknown && !options.allow_unknown)) continue;
    Hypothesis longer = prefix;
    longer.log_probability += FakeDecoding::log_probability(sentence, prefix.tokens, token);
    longer.tokens.push_back(token);
    longer.score =
        normalised(longer.log_probability, std::ssize(longer.tokens), options.length_penalty, options.length_norm);
    if (token == kEnd) {
      all.push_back(longer);
    } else {
      add_translations(sentence, options, longer, all);
    }
  }
}

// All translations for which `fits` holds, by score. They end within max_length or are cut there.
inline std::vector<Hypothesis> exhaustive_search(const FakeDecoding::Sentence& sentence, const SearchOptions& options,
                                                 const Fits& fits = {}) {
  std::vector<Hypothesis> all;
  add_translations(sentence, options, {}, all);
  if (fits) std::erase_if(all, [&](const Hypothesis& one) { return !fits(one.tokens); });
  std::ranges::sort(all, std::ranges::greater(), &Hypothesis::score);
  return all;
}

inline std::vector<std::vector<Hypothesis>> found(const std::vector<FakeDecoding::Sentence>& sentences,
                                                  const SearchOptions& options, Index layers = 0) {
  FakeDecoding decoding(sentences, layers);
  std::vector<Index> lengths;
  for (const FakeDecoding::Sentence& sentence : sentences) lengths.push_back(sentence.source_length);
  return search(decoding, lengths, options);
}

inline std::vector<Hypothesis> found(const FakeDecoding::Sentence& sentence, const SearchOptions& options) {
  return found(std::vector{sentence}, options).front();
}

// One task for each sentence.
inline std::vector<SearchResult> found_for(const std::vector<FakeDecoding::Sentence>& sentences,
                                           std::vector<SearchTask> tasks, const SearchOptions& options,
                                           Index layers = 0) {
  FakeDecoding decoding(sentences, layers);
  for (std::size_t b = 0; b < tasks.size(); ++b) tasks[b].source_length = sentences[b].source_length;
  return search_for(decoding, tasks, options);
}

inline void expect_same(const Hypothesis& a, const Hypothesis& b) {
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.token_scores, b.token_scores);
  EXPECT_EQ(a.log_probability, b.log_probability);
  EXPECT_EQ(a.score, b.score);
}

// The same translations in the same order, scores up to rounding.
inline void expect_found(const std::vector<Hypothesis>& best, const std::vector<Hypothesis>& all, std::size_t count) {
  ASSERT_EQ(best.size(), std::min(count, all.size()));
  for (std::size_t i = 0; i < best.size(); ++i) {
    EXPECT_EQ(best[i].tokens, all[i].tokens) << i;
    EXPECT_NEAR(best[i].score, all[i].score, 1e-5);
    EXPECT_NEAR(best[i].log_probability, all[i].log_probability, 1e-5);
  }
}

}  // namespace dhyan
