#include "autograd/parameter.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <type_traits>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// A copy would share the values but not the record of touched rows.
static_assert(!std::is_copy_constructible_v<Gradient>);

bool all_zero(const Tensor& x) {
  return std::ranges::all_of(x.span(), [](Real value) { return value == 0; });
}

TEST(ParameterSet, KeepsParametersInOrderAtStableAddresses) {
  ParameterSet set;
  Parameter& first = set.add("first", {2, 3});
  for (int i = 0; i < 100; ++i) set.add(cat("more ", i), {1});
  EXPECT_EQ(set.find("first"), &first);
  EXPECT_EQ(first.index, 0u);
  EXPECT_EQ(set.find("more 99")->index, 100u);
  EXPECT_EQ(set.find("none"), nullptr);
  EXPECT_EQ(set.count(), 101u);
  EXPECT_EQ(set.element_count(), 106);
  EXPECT_TRUE(all_zero(first.value));
}

TEST(ParameterSet, RefusesANameTwice) {
  ParameterSet set;
  set.add("w", {1});
  EXPECT_EQ(thrown<ConfigError>([&] { set.add("w", {2}); }), "ParameterSet: there are two parameters named 'w'");
  EXPECT_EQ(set.count(), 1u);
}

TEST(Gradient, KnowsWhichRowsWereTouchedInOrderAndOnce) {
  Gradient gradient({5, 2});
  EXPECT_TRUE(gradient.untouched());
  gradient.touch_row(3)[1] += 7;
  gradient.touch_row(1)[0] += 8;
  gradient.touch_row(3)[1] += 1;
  EXPECT_FALSE(gradient.untouched());
  EXPECT_FALSE(gradient.all_touched());
  EXPECT_TRUE(std::ranges::equal(gradient.touched_rows(), std::vector<RowId>{3, 1}));
  EXPECT_EQ(gradient.value().row(3)[1], 8);
  EXPECT_EQ(gradient.value().row(1)[0], 8);
}

TEST(Gradient, ClearsTouchedRowsAndTheirRecord) {
  Gradient gradient({5, 2});
  std::ranges::fill(gradient.touch_row(4), Real{9});
  gradient.clear();
  EXPECT_TRUE(all_zero(gradient.value()));
  EXPECT_TRUE(gradient.untouched());

  gradient.touch_row(4)[0] = 1;
  gradient.touch_all().fill(2);
  gradient.clear();
  EXPECT_TRUE(all_zero(gradient.value()));
  EXPECT_TRUE(gradient.untouched());

  gradient.touch_row(4)[0] = 1;
  EXPECT_EQ(gradient.touched_rows().size(), 1u) << "seen again after a clear";
}

TEST(Gradient, ClearingTouchesOnlyTheTouchedRows) {
  Gradient gradient({3, 1});
  gradient.touch_row(0)[0] = 1;
  gradient.value().row(2)[0] = 5;  // behind its back
  gradient.clear();
  EXPECT_EQ(gradient.value().row(0)[0], 0);
  EXPECT_EQ(gradient.value().row(2)[0], 5);
}

TEST(Gradient, CountsAsUntouchedAfterForgetAndIsZeroAtTheNextTouch) {
  Gradient gradient({3, 2});
  const auto forget_sevens = [&] {
    gradient.touch_all().fill(7);
    gradient.forget();
    EXPECT_TRUE(gradient.untouched());
  };
  forget_sevens();
  EXPECT_TRUE(all_zero(gradient.touch_all()));
  forget_sevens();
  gradient.touch_row(1)[0] = 2;
  EXPECT_EQ(gradient.value().row(1)[1] + gradient.value().row(2)[0], 0);
  EXPECT_FALSE(gradient.all_touched());
  gradient.clear();
  forget_sevens();
  gradient.forget();  // again, with nothing in between
  gradient.clear_forgotten();
  EXPECT_TRUE(all_zero(gradient.value()));
  forget_sevens();
  EXPECT_EQ(gradient.touch_to_overwrite().row(0)[0], 7) << "no time was spent on it";
  EXPECT_TRUE(gradient.all_touched());
  gradient.clear_forgotten();
  EXPECT_EQ(gradient.value().row(0)[0], 7) << "it is new";
}

TEST(Gradient, NeedsNoMemoryToTouchEveryRow) {
  Gradient gradient({100, 1});
  gradient.touch_row(0);
  const RowId* rows = gradient.touched_rows().data();
  for (RowId row = 0; row < 100; ++row) gradient.touch_row(row);
  EXPECT_EQ(gradient.touched_rows().data(), rows);
  EXPECT_EQ(gradient.touched_rows().size(), 100u);
}

TEST(Gradient, RefusesARowItDoesNotHave) {
  Gradient gradient({5, 2});
  EXPECT_THROW(gradient.touch_row(5), ShapeError);
  EXPECT_THROW(gradient.touch_row(-1), ShapeError);
  EXPECT_TRUE(gradient.untouched());
}

TEST(GradientSet, HasOneGradientOfTheShapeOfEachParameter) {
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {2, 3});
  const Parameter& b = parameters.add("b", {3});
  GradientSet gradients(parameters);
  EXPECT_EQ(gradients.size(), 2u);
  EXPECT_EQ(gradients[w].value().shape(), Shape({2, 3}));
  EXPECT_EQ(gradients[b].value().shape(), Shape({3}));

  gradients[w].touch_all().fill(1);
  gradients[b].touch_row(0)[1] = 1;
  gradients.clear();
  EXPECT_TRUE(gradients[w].untouched() && gradients[b].untouched());
  EXPECT_TRUE(all_zero(gradients[w].value()) && all_zero(gradients[b].value()));
}

}  // namespace
}  // namespace dhyan
