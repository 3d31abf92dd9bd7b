#include "training/gradients.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/error.h"
#include "core/rng.h"
#include "core/testing/thrown.h"
#include "training/chunks.h"

namespace dhyan {
namespace {

TEST(GlobalNorm, IsTheNormOfAllGradientsAsOneVector) {
  ParameterSet parameters;
  const Parameter& a = parameters.add("a", {2});
  const Parameter& table = parameters.add("table", {3, 2});
  GradientSet gradients(parameters);
  EXPECT_EQ(global_norm(gradients), 0);
  gradients[a].touch_all().span()[1] = 3;
  gradients[table].touch_row(2)[0] = -4;
  EXPECT_DOUBLE_EQ(global_norm(gradients), 5);
  EXPECT_EQ(global_norm(GradientSet(ParameterSet())), 0);
}

TEST(GlobalNorm, DoesNotLoseSmallNumbersAmongLargeOnes) {
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {1'000'000});
  GradientSet gradients(parameters);
  gradients[w].touch_all().fill(1e-3F);
  gradients[w].touch_all().span()[0] = 1e3F;
  EXPECT_NEAR(global_norm(gradients), std::sqrt(1e6 + 1), 1e-6);
}

TEST(Clipping, ScalesOnlyGradientsAboveTheMaximumNorm) {
  ParameterSet parameters;
  const Parameter& a = parameters.add("a", {2});
  const Parameter& table = parameters.add("table", {3, 2});
  GradientSet gradients(parameters);
  gradients[a].touch_all().span()[1] = 3;
  gradients[table].touch_row(2)[0] = -4;
  EXPECT_DOUBLE_EQ(clip_by_global_norm(gradients, 10), 5);
  EXPECT_EQ(gradients[a].value().span()[1], 3);
  EXPECT_DOUBLE_EQ(clip_by_global_norm(gradients, 1), 5);
  EXPECT_NEAR(gradients[a].value().span()[1], 0.6, 1e-6);
  EXPECT_NEAR(gradients[table].value().row(2)[0], -0.8, 1e-6);
  EXPECT_EQ(gradients[table].touched_rows().size(), 1U);
}

TEST(Clipping, ReportsNanAndInfinityWithoutChange) {
  ParameterSet parameters;
  const Parameter& a = parameters.add("a", {2});
  GradientSet gradients(parameters);
  gradients[a].touch_all().fill(5);
  gradients[a].touch_all().span()[0] = std::numeric_limits<Real>::infinity();
  EXPECT_TRUE(std::isinf(clip_by_global_norm(gradients, 1)));
  EXPECT_EQ(gradients[a].value().span()[1], 5);
}

TEST(Clipping, RefusesALimitThatIsNotPositive) {
  GradientSet gradients{ParameterSet()};
  EXPECT_EQ(thrown<ConfigError>([&] { clip_by_global_norm(gradients, 0); }),
            "clip_by_global_norm: max_norm is 0, expected more than 0");
  EXPECT_THROW(clip_by_global_norm(gradients, std::nan("")), ConfigError);
}

// One weight over several chunks and a table of which some rows are touched.
struct SomeGradients {
  ParameterSet parameters;
  GradientSet set;

  SomeGradients() : set(add_to(parameters)) {
    Rng rng(0);
    for (const char* name : {"bias", "W"}) {
      for (Real& x : set[*parameters.find(name)].touch_all().span()) x = static_cast<Real>(rng.uniform(-1, 1));
    }
    Gradient& table = set[*parameters.find("table")];
    for (int n = 0; n < 40; ++n) {
      const auto row = static_cast<RowId>(rng.below(n < 20 ? 30 : table.value().rows()));
      for (Real& x : table.touch_row(row)) x = static_cast<Real>(rng.uniform(-1, 1));
    }
  }

  static const ParameterSet& add_to(ParameterSet& parameters) {
    parameters.add("bias", {5});
    parameters.add("W", {kChunkElements / 32, 75});
    parameters.add("table", {kChunkElements / 4, 7});
    parameters.add("unused", {4, 4});
    return parameters;
  }
};

TEST(GlobalNorm, AndClippingGiveTheSameBytesOnAnyNumberOfThreads) {
  SomeGradients here;
  const double norm = clip_by_global_norm(here.set, 1);
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    SomeGradients there;
    EXPECT_EQ(clip_by_global_norm(there.set, 1, &pool), norm);
    for (const Parameter& p : there.parameters) {
      EXPECT_TRUE(std::ranges::equal(there.set[p].value().span(), here.set[p].value().span())) << p.name;
    }
  }
}

}  // namespace
}  // namespace dhyan
