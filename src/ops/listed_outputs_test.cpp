#include "ops/listed_outputs.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "ops/prepack.h"
#include "ops/testing/int8_parameter.h"

namespace dhyan {
namespace {

constexpr Index kWords = 200, kWidth = 24, kBest = 3;

using WordList = std::vector<RowId>;

// Three sentences; the second has no rows left.
struct Lists {
  WordList first, none{}, third;
  std::vector<std::span<const RowId>> words;
  Segments rows = Segments::from_lengths({2, 0, 4});

  explicit Lists(WordList of_first = {1, 2, 3, 50, 199}) : first(std::move(of_first)) {
    for (RowId word = 0; word < kWords; word += 2) third.push_back(word);
    words = {first, none, third};
  }
  ListedWords listed() const { return {rows, words}; }
};

// The same by all logits, of which the listed ones are taken.
RankedOutputs by_all_logits(const Var& x, const OutputLayer& layer, const ListedWords& lists) {
  const Tensor z = output_logits(x, layer).value();
  RankedOutputs all;
  for (Index b = 0; b < lists.rows.count(); ++b) {
    const std::span<const RowId> words = lists.words[static_cast<std::size_t>(b)];
    for (Index row = lists.rows.begin(b); row < lists.rows.end(b); ++row) {
      std::vector<Real> listed;
      for (const RowId word : words) listed.push_back(z.row(row)[static_cast<std::size_t>(word)]);
      const Index n = std::ssize(listed), found = std::min(kBest, n);
      std::vector<kernels::Ranked> best(static_cast<std::size_t>(found));
      double log_sum = 0;
      kernels::log_sum_and_top_k_rows({listed.data(), 1, n, n}, {&log_sum, 1}, found, best);
      for (const kernels::Ranked& one : best)
        all.best.push_back({words[static_cast<std::size_t>(one.column)], one.value});
      for (Index missing = found; missing < kBest; ++missing) all.best.push_back(kernels::kNoWord);
      all.log_sums.push_back(log_sum);
    }
  }
  return all;
}

void expect_the_bytes_of_all_logits(Parameter& weight, const Tensor& bias, Precision precision) {
  Rng rng(3);
  const Lists enough, too_few({2, 9});
  Arena arena;
  Scope scope(arena, nullptr, precision);
  const Var x = scope.constant(random_tensor(rng, {6, kWidth}));
  for (const Var& b : {scope.constant(bias), Var()}) {
    for (const Lists* lists : {&enough, &too_few}) {
      const OutputLayer layer{scope.parameter(weight), b};
      const RankedOutputs expected = by_all_logits(x, layer, lists->listed()),
                          summed = listed_outputs(x, layer, lists->listed(), kBest, LogSums::kYes),
                          ordered = listed_outputs(x, layer, lists->listed(), kBest, LogSums::kNo);
      EXPECT_EQ(summed.best, expected.best);
      EXPECT_EQ(summed.log_sums, expected.log_sums);
      EXPECT_EQ(ordered.best, expected.best);
      EXPECT_TRUE(ordered.log_sums.empty());
    }
  }
}

TEST(ListedOutputs, AreTheBytesOfTheirColumnsOfAllLogits) {
  Rng rng(1);
  const Tensor bias = random_tensor(rng, {kWords});
  for (const Precision precision : {Precision::kFull, Precision::kSplitBfloat16}) {
    ParameterSet parameters;
    Parameter& w = parameters.add("w", {kWords, kWidth});
    w.value = random_tensor(rng, {kWords, kWidth});
    expect_the_bytes_of_all_logits(w, bias, precision);
    prepack(parameters);
    expect_the_bytes_of_all_logits(w, bias, precision);
  }
  Parameter w{.name = "w", .value = random_tensor(rng, {kWords, kWidth}), .role = Role::kTable};
  make_int8(w);
  expect_the_bytes_of_all_logits(w, bias, Precision::kFull);
}

TEST(ListedOutputs, RefuseListsThatDoNotFit) {
  Rng rng(2);
  Arena arena;
  Scope scope(arena);
  const OutputLayer layer{scope.constant(random_tensor(rng, {kWords, kWidth})), {}};
  const Var x = scope.constant(random_tensor(rng, {1, kWidth}));
  const auto outputs = [&](const WordList& words, Segments rows) {
    const std::span<const RowId> list = words;
    return listed_outputs(x, layer, {rows, {&list, 1}}, 2, LogSums::kYes);
  };
  EXPECT_EQ(outputs({4, 9}, Segments::one(1)).best.size(), 2U);
  EXPECT_THROW(outputs({}, Segments::one(1)), DataError);
  EXPECT_THROW(outputs({4, kWords}, Segments::one(1)), DataError);
  EXPECT_THROW(outputs({-1, 4}, Segments::one(1)), DataError);
  EXPECT_THROW(outputs({4, 9}, Segments::one(2)), ShapeError);
}

}  // namespace
}  // namespace dhyan
