#include "nn/initializers.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

std::vector<Real> drawn(const std::string& parameter, const Shape& shape, const Initializer& how,
                        std::uint64_t seed = 1) {
  ParameterSet parameters;
  const Tensor& value = add_parameter(parameters, parameter, shape, how, Rng(seed))->value;
  return {value.span().begin(), value.span().end()};
}

TEST(Initializers, DrawNothingFromAnUnusedRng) {
  ParameterSet parameters;
  const Parameter* weight = add_parameter(parameters, "w", {2, 2}, {}, Rng::unused().split(3));
  for (const Real number : weight->value.span()) EXPECT_EQ(number, 0);
}

TEST(Initializers, FillEveryElementAsTheirNamesSay) {
  EXPECT_EQ(drawn("w", {2, 2}, {.name = "zeros"}), std::vector<Real>(4, 0));
  EXPECT_EQ(drawn("b", {3}, {.name = "constant", .number = 1.5}), std::vector<Real>(3, 1.5));
  const auto largest = [](const std::vector<Real>& numbers) {
    double most = 0;
    for (const Real x : numbers) most = std::max(most, std::abs(double{x}));
    return most;
  };
  EXPECT_NEAR(largest(drawn("w", {100, 10}, {.name = "uniform", .number = 0.08})), 0.08, 0.001);
  EXPECT_NEAR(largest(drawn("w", {100, 50}, {.name = "xavier"})), std::sqrt(6.0 / 150), 0.001);
  EXPECT_NEAR(largest(drawn("w", {20, 120}, {.name = "xavier", .blocks = 3})), std::sqrt(6.0 / 60), 0.001);
}

TEST(Initializers, MakeEachGateOrthogonalByItself) {
  const Index H = 6, gates = 4;
  const std::vector<Real> u = drawn("U", {H, gates * H}, {.name = "orthogonal", .blocks = gates});
  const auto at = [&](Index i, Index j) { return double{u[static_cast<std::size_t>(i * gates * H + j)]}; };
  for (Index gate = 0; gate < gates; ++gate) {
    for (Index a = 0; a < H; ++a) {
      for (Index b = 0; b < H; ++b) {
        double sum = 0;
        for (Index i = 0; i < H; ++i) sum += at(i, gate * H + a) * at(i, gate * H + b);
        EXPECT_NEAR(sum, a == b ? 1 : 0, 1e-6);
      }
    }
  }
  EXPECT_NE(at(0, 0), at(0, H)) << "the gates must differ";
}

TEST(Initializers, DrawByTheNameOfTheParameterAndTheSeedAlone) {
  ParameterSet parameters;
  add_parameter(parameters, "earlier", {7, 3}, {}, Rng(1));
  const Tensor& value = add_parameter(parameters, "w", {2, 3}, {}, Rng(1))->value;
  const std::vector<Real> second(value.span().begin(), value.span().end());
  EXPECT_EQ(second, drawn("w", {2, 3}, {}));
  EXPECT_NE(second, drawn("v", {2, 3}, {}));
  EXPECT_NE(second, drawn("w", {2, 3}, {}, 2));
}

TEST(Initializers, RecordTheUseOfAParameter) {
  ParameterSet parameters;
  EXPECT_EQ(add_parameter(parameters, "p", {2, 3}, {}, Rng(1))->role, Role::kOther);
  const Parameter &weight = *add_weight(parameters, "w", {2, 3}, {}, Rng(1)),
                  &table = *add_table(parameters, "t", {2, 3}, {}, Rng(1));
  EXPECT_EQ(weight.role, Role::kWeight);
  EXPECT_EQ(table.role, Role::kTable);
  EXPECT_TRUE(std::ranges::equal(weight.value.span(), drawn("w", {2, 3}, {})));
  EXPECT_TRUE(std::ranges::equal(table.value.span(), drawn("t", {2, 3}, {})));
}

TEST(Initializers, AreAllInTheTableAndFillAMatrix) {
  for (const InitializerEntry& entry : initializers()) {
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    for (const Real x : drawn("w", {4, 4}, {.name = std::string(entry.name), .number = 1}))
      EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(Initializers, RefuseUnknownNamesAndWrongShapes) {
  EXPECT_EQ(thrown<ConfigError>([] {
              drawn("w", {2, 2}, {.name = "xavior"});
            }),
            "initializer: 'xavior' is none of zeros, constant, uniform, xavier, orthogonal");
  EXPECT_EQ(thrown<ShapeError>([] {
              drawn("w", {2, 4}, {.name = "orthogonal", .blocks = 3});
            }),
            "orthogonal: weight is [2,4], expected columns in 3 equal blocks");
  EXPECT_THROW(drawn("b", {2}, {.name = "xavier"}), ShapeError);
}

}  // namespace
}  // namespace dhyan
