#include "models/key_value_cache.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/bfloat16/bfloat16_rows.h"

namespace dhyan {
namespace {

using Texts = std::vector<std::vector<Real>>;  // of each hypothesis

// Words are numbers. Layer l keeps one as the key (word, l) and the value word + 1000 l; the test compares
// the content of the cache with texts that it keeps itself.
class Caches : public testing::TestWithParam<Dtype> {
 protected:
  static constexpr Index kLayers = 2;

  void begin(Index hypotheses) {
    cache_ = KeyValueCache(kLayers, hypotheses);
    texts_.assign(static_cast<std::size_t>(hypotheses), {});
  }

  void follow(const std::vector<RowId>& rows) {
    cache_.follow(rows);
    Texts next;
    for (const RowId row : rows) next.push_back(texts_[static_cast<std::size_t>(row)]);
    texts_ = next;
  }

  void add(const Texts& words) {
    std::vector<Index> lengths;
    for (std::size_t b = 0; b < words.size(); ++b) {
      lengths.push_back(std::ssize(words[b]));
      texts_[b].insert(texts_[b].end(), words[b].begin(), words[b].end());
    }
    const Segments segments = Segments::from_lengths(lengths);
    for (Index layer = 0; layer < kLayers; ++layer) expect_texts(added(words, layer), layer);
    cache_.advance(segments);
    for (std::size_t b = 0; b < texts_.size(); ++b) EXPECT_EQ(cache_.lengths()[b], std::ssize(texts_[b]));
  }

  // Adds one new word to each hypothesis.
  void add_one_each() {
    Texts words;
    for (std::size_t b = 0; b < texts_.size(); ++b) words.push_back({next_++});
    add(words);
  }

  // The address of the keys of each hypothesis in layer 0. The word added to find it is overwritten by the next one.
  std::vector<const void*> key_places() {
    const Memory memory = added(Texts(texts_.size(), {0}), 0);
    std::vector<const void*> begins;
    for (Index b = 0; b < memory.segments.count(); ++b) {
      begins.push_back(row_of(memory.keys, memory.segments.begin(b)));
    }
    return begins;
  }

  KeyValueCache cache_{kLayers, 0};

 private:
  static bool rounds() { return GetParam() == Dtype::kBfloat16; }

  static const void* row_of(const Var& rows, Index row) {
    return rounds() ? static_cast<const void*>(kernels::bfloat16_matrix(rows.value()).row(row))
                    : rows.value().row(row).data();
  }

  // Checks a row of the cache against `expected`, rounded to the dtype of the cache.
  static void expect_number(const Var& rows, Index row, std::size_t column, Real expected) {
    if (rounds()) {
      EXPECT_EQ(kernels::bfloat16_matrix(rows.value()).row(row)[column].bits,
                kernels::bfloat16_bits(static_cast<float>(expected)));
    } else {
      EXPECT_EQ(rows.value().row(row)[column], expected);
    }
  }

  Memory added(const Texts& words, Index layer) { return cache_.add(scope_, layer, made(words, layer), GetParam()); }

  Memory made(const Texts& words, Index layer) {
    std::vector<Real> keys, values;
    std::vector<Index> lengths;
    for (const auto& text : words) {
      lengths.push_back(std::ssize(text));
      for (const Real word : text) {
        keys.insert(keys.end(), {word, static_cast<Real>(layer)});
        values.push_back(word + 1000 * static_cast<Real>(layer));
      }
    }
    const auto tensor = [](const std::vector<Real>& numbers, Index width) {
      Tensor x = Tensor::zeros({std::ssize(numbers) / width, width});
      std::ranges::copy(numbers, x.data());
      return x;
    };
    return {scope_.constant(tensor(keys, 2)), scope_.constant(tensor(values, 1)), Segments::from_lengths(lengths)};
  }

  void expect_texts(const Memory& memory, Index layer) {
    ASSERT_EQ(memory.segments.count(), std::ssize(texts_));
    ASSERT_EQ(memory.keys.rows(), memory.segments.rows());
    for (Index b = 0; b < memory.segments.count(); ++b) {
      const auto& text = texts_[static_cast<std::size_t>(b)];
      ASSERT_EQ(memory.segments.length(b), std::ssize(text));
      for (Index i = 0; i < memory.segments.length(b); ++i) {
        const Index row = memory.segments.begin(b) + i;
        const Real word = text[static_cast<std::size_t>(i)];
        SCOPED_TRACE(cat("word ", i, " of hypothesis ", b));
        expect_number(memory.keys, row, 0, word);
        expect_number(memory.keys, row, 1, static_cast<Real>(layer));
        expect_number(memory.values, row, 0, word + 1000 * static_cast<Real>(layer));
      }
    }
  }

  Texts texts_;
  Real next_ = 1;
  Arena arena_;
  Scope scope_{arena_};
};

TEST_P(Caches, KeepTheWordsOfContinuedHypotheses) {
  begin(3);
  for (int t = 0; t < 4; ++t) {
    follow({0, 1, 2});
    add_one_each();
  }
}

TEST_P(Caches, StartWithTheHypothesesOfTheFirstStep) {
  begin(2);
  follow({0, 0, 0, 1});
  add_one_each();
  follow({3, 2, 1, 0});
  add_one_each();
}

TEST_P(Caches, SwapCopyAndDropHypotheses) {
  begin(3);
  add_one_each();
  follow({2, 0, 1});
  add_one_each();
  follow({1, 1, 1, 0, 2});
  add_one_each();
  follow({4, 0});
  add_one_each();
  follow({0});  // the last ones end
  add_one_each();
  follow({0, 0, 0});
  add_one_each();
  follow({});
  add_one_each();
}

TEST_P(Caches, CopyOnlyHypothesesContinuedTwice) {
  begin(3);
  add_one_each();
  const std::vector<const void*> at = key_places();
  follow({0, 1, 2});
  EXPECT_EQ(key_places(), at);
  follow({2, 0, 1});
  EXPECT_EQ(key_places(), (std::vector{at[2], at[0], at[1]}));
  follow({1, 2});
  EXPECT_EQ(key_places(), (std::vector{at[0], at[1]}));
  follow({1, 1, 0});
  EXPECT_EQ(key_places(), (std::vector{at[1], at[2], at[0]}));
}

// As in beam search, and again after all but one have ended.
TEST_P(Caches, KeepTheirWordsInRandomSearches) {
  Rng rng(1);
  begin(4);
  for (const int most : {12, 12, 1, 9}) {
    for (int step = 0; step < 25; ++step) {
      std::vector<RowId> rows;
      for (int i = 0; i < most; ++i) rows.push_back(static_cast<RowId>(rng.below(cache_.lengths().size())));
      follow(rows);
      add_one_each();
    }
  }
}

TEST_P(Caches, GiveASecondContinuationTheMostSimilarFreeSlot) {
  begin(2);
  follow({0, 0, 1, 1});
  add_one_each();
  follow({0, 0, 2, 2});  // hypotheses 0 and 1 begin alike, and 2 and 3
  add_one_each();
  const std::vector<const void*> at = key_places();
  follow({2, 2, 0, 0});
  EXPECT_EQ(key_places(), (std::vector{at[2], at[3], at[0], at[1]}));
}

TEST_P(Caches, GrowBeyondTheirCapacity) {
  begin(2);
  for (int t = 0; t < 150; ++t) {
    if (t % 7 == 3) follow({1, 0});
    add_one_each();
  }
}

TEST_P(Caches, StartWithTextsOfDifferentLengths) {
  begin(3);
  add({{1, 2, 3}, {}, {4}});
  add({{5}, {6}, {7}});
  follow({2, 1, 1, 0});
  add({{8, 9}, {}, {10}, {}});
  std::vector<Real> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<Real>(i);
  add({{}, many, {}, {11}});
  add_one_each();
}

TEST_P(Caches, RefuseAMissingHypothesis) {
  begin(2);
  EXPECT_EQ(thrown<UsageError>([&] {
              cache_.follow(std::vector<RowId>{0, 2});
            }),
            "Decoding::step: goes on from hypothesis 2, there were 2");
  add_one_each();
  EXPECT_THROW(cache_.follow(std::vector<RowId>{-1}), UsageError);
  follow({1});
  EXPECT_THROW(cache_.follow(std::vector<RowId>{1}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(OfEitherDtype, Caches, testing::Values(Dtype::kReal, Dtype::kBfloat16));

}  // namespace
}  // namespace dhyan
