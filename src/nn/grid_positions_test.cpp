#include "nn/grid_positions.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

TEST(GridPositions, EncodeTheRowInOneHalfAndTheColumnInTheOther) {
  ParameterSet parameters;
  const GridPositions positions(parameters, "p", {.grid = {2, 3}, .hidden = 4});
  EXPECT_EQ(parameters.count(), 0u);
  Arena arena;
  Scope scope(arena);
  const Tensor p = positions.add_to(scope.constant(Tensor::zeros({12, 4}))).value();  // two pictures
  for (Index cell = 0; cell < 12; ++cell) {
    const auto row = static_cast<double>(cell % 6 / 3), column = static_cast<double>(cell % 3);
    EXPECT_NEAR(p.row(cell)[0], std::sin(row), 1e-6);
    EXPECT_NEAR(p.row(cell)[1], std::cos(row), 1e-6);
    EXPECT_NEAR(p.row(cell)[2], std::sin(column), 1e-6);
    EXPECT_NEAR(p.row(cell)[3], std::cos(column), 1e-6);
  }
}

TEST(GridPositions, OfEveryKindHaveTheRightJacobian) {
  for (const PositionsEntry& entry : position_encodings()) {
    ParameterSet parameters;
    const GridPositions positions(parameters, "p", {.grid = {2, 3}, .hidden = 4, .kind = std::string(entry.name)});
    randomise(parameters, 1);
    Rng rng(2);
    EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {12, 4})},
                                       [&](Scope&, const std::vector<Var>& in) { return positions.add_to(in[0]); }),
              "")
        << entry.name;
  }
}

TEST(GridPositions, ThatAreLearnedHaveATableForEachAxis) {
  ParameterSet parameters;
  const GridPositions positions(parameters, "p", {.grid = {2, 3}, .hidden = 8, .kind = "learned"});
  EXPECT_EQ(parameters.find("p.rows.table")->value.shape(), (Shape{2, 4}));
  EXPECT_EQ(parameters.find("p.columns.table")->value.shape(), (Shape{3, 4}));
}

TEST(GridPositions, RefuseWrongShapes) {
  ParameterSet parameters;
  EXPECT_EQ(thrown<ConfigError>([&] {
              GridPositions(parameters, "p", {.grid = {2, 3}, .hidden = 5});
            }),
            "grid positions: width is 5, expected an even number: one half for each axis");
  EXPECT_THROW(GridPositions(parameters, "p", {.grid = {2, 3}, .hidden = 4, .kind = "none"}), ConfigError);
  const GridPositions positions(parameters, "p", {.grid = {2, 3}, .hidden = 4});
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<ShapeError>([&] {
              positions.add_to(scope.constant(Tensor::zeros({7, 4})));
            }),
            "grid positions: x is [7,4], expected rows of 6 cells and 4 columns");
}

}  // namespace
}  // namespace dhyan
