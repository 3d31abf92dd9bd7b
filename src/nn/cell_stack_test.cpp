#include "nn/cell_stack.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "nn/testing/module_jacobian.h"
#include "ops/rows.h"

namespace dhyan {
namespace {

TEST(CellStack, BeginsEachCellFromTheStateOfTheOneBefore) {
  for (const CellEntry& entry : cells()) {
    ParameterSet parameters;
    const CellStack stack(entry.name, parameters, "cell", {.in = 3, .hidden = 2}, 1, {});
    randomise(parameters, 1);
    ParameterSet apart;
    const auto first = entry.make(apart, "cell", {.in = 3, .hidden = 2}, {});
    const auto second = entry.make(apart, "cell.transition.0", {.hidden = 2}, {});
    ASSERT_EQ(apart.count(), parameters.count());
    for (Parameter& parameter : apart) {
      std::ranges::copy(parameters.find(parameter.name)->value.span(), parameter.value.data());
    }
    Rng rng(2);
    Arena arena;
    Scope scope(arena);
    const Var x = scope.constant(random_tensor(rng, {4, 3}));
    const State start = stack.zeros(scope, 4);
    const Var whole = stack.step(stack.project(x), start).h;
    const State half = first->step(first->project(x), start);
    const Var composed = second->step(second->project_nothing(scope, 4), half).h;
    EXPECT_TRUE(std::ranges::equal(whole.value().span(), composed.value().span())) << entry.name;
  }
}

TEST(CellStack, HasTheRightJacobian) {
  for (const CellEntry& entry : cells()) {
    ParameterSet parameters;
    const CellStack stack(entry.name, parameters, "cell", {.in = 3, .hidden = 2}, 2, {});
    randomise(parameters, 3);
    Rng rng(4);
    const std::vector<Tensor> inputs{random_tensor(rng, {2, 3}), random_tensor(rng, {2, 2}),
                                     random_tensor(rng, {2, 2})};
    const auto step = [&](Scope&, const std::vector<Var>& in) {
      const State end = stack.step(stack.project(in[0]), {in[1], entry.has_memory ? in[2] : Var()});
      return entry.has_memory ? concat_cols({end.h, end.c}) : end.h;
    };
    EXPECT_EQ(module_jacobian_mismatch(parameters, inputs, step), "") << entry.name;
  }
}

}  // namespace
}  // namespace dhyan
