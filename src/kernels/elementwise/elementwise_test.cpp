#include "kernels/elementwise/elementwise.h"

#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

// Runs `kernel` on n values a, b and y with a guard after y, and compares with `expected(a, b, y)`.
template <class Kernel, class Expected>
void expect_elementwise(const Kernel& kernel, const Expected& expected) {
  on_every_target([&] {
    Rng rng(3);
    for (const Index n : kLengths) {
      const Values a = random_values(rng, n), b = random_values(rng, n), before = random_values(rng, n + 1);
      Values y = before;
      kernel(std::span(a), std::span(b), std::span(y).first(a.size()));
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(y[i], expected(a[i], b[i], before[i])) << n << ' ' << i;
      EXPECT_EQ(y.back(), before.back()) << "written past the end of " << n;
    }
  });
}

TEST(Elementwise, EqualsScalarArithmeticOnEveryTarget) {
  expect_elementwise([](auto a, auto b, auto y) { add(a, b, y); }, [](Real a, Real b, Real) { return a + b; });
  expect_elementwise([](auto a, auto, auto y) { add_to(a, y); }, [](Real a, Real, Real y) { return y + a; });
  expect_elementwise([](auto, auto, auto y) { add_constant(2, y); }, [](Real, Real, Real y) { return y + 2; });
  expect_elementwise([](auto a, auto b, auto y) { multiply(a, b, y); }, [](Real a, Real b, Real) { return a * b; });
  expect_elementwise([](auto a, auto b, auto y) { multiply_add(a, b, y); },
                     [](Real a, Real b, Real y) { return y + a * b; });
  expect_elementwise([](auto a, auto, auto y) { scale(a, 3, y); }, [](Real a, Real, Real) { return a * 3; });
  expect_elementwise([](auto a, auto, auto y) { scale_add(a, -3, y); },
                     [](Real a, Real, Real y) { return y + a * -3; });
}

TEST(Elementwise, WorksInPlace) {
  Values x{1, 2, 3};
  add(x, x, x);
  EXPECT_EQ(x, (Values{2, 4, 6}));
  multiply(x, x, x);
  EXPECT_EQ(x, (Values{4, 16, 36}));
}

TEST(Elementwise, AddsABiasToEveryRowOfABlock) {
  on_every_target([] {
    Values x{1, 2, 9, 3, 4, 9}, y(6, -1);
    add_bias({x.data(), 2, 2, 3}, Values{10, 20}, {y.data(), 2, 2, 3});
    EXPECT_EQ(y, (Values{11, 22, -1, 13, 24, -1}));
  });
}

TEST(Elementwise, SumsColumnsAndRows) {
  on_every_target([] {
    Rng rng(4);
    std::vector<Index> widths(std::begin(kLengths), std::end(kLengths));
    widths.push_back(300);  // more than one block of columns
    for (const Index cols : widths) {
      if (cols == 0) continue;
      Values x = random_values(rng, 5 * cols), columns(static_cast<std::size_t>(cols), 1), rows(5, 99);
      const Matrix m = matrix_of(x, cols);
      column_sums_add(m, columns);
      row_sums(m, rows);
      for (Index j = 0; j < cols; ++j) {
        Real sum = 1;
        for (Index i = 0; i < 5; ++i) sum += m.row(i)[j];
        EXPECT_EQ(columns[static_cast<std::size_t>(j)], sum);
      }
      for (Index i = 0; i < 5; ++i) {
        double sum = 0;
        for (Index j = 0; j < cols; ++j) sum += m.row(i)[j];
        EXPECT_NEAR(rows[static_cast<std::size_t>(i)], sum, 1e-4);
      }
    }
  });
}

TEST(Elementwise, AddsOneValuePerRow) {
  on_every_target([] {
    Values y{1, 2, 3, 4};
    add_to_row_elements(Values{10, 20}, matrix_of(y, 2));
    EXPECT_EQ(y, (Values{11, 12, 23, 24}));
  });
}

TEST(Elementwise, TakesMatricesWithoutRows) {
  Values sums{1, 2}, none;
  column_sums_add({none.data(), 0, 2, 2}, sums);
  EXPECT_EQ(sums, (Values{1, 2}));
}

}  // namespace
}  // namespace dhyan::kernels
