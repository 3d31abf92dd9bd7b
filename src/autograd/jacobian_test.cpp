#include "autograd/jacobian.h"

#include <gtest/gtest.h>
#include <limits>

namespace dhyan {
namespace {

// y = x^3 with dx = `slope`(x) dy
template <class Slope>
DifferentiableFunction cube(Slope slope) {
  return [slope](Scope& scope, const std::vector<Var>& in) {
    const Var x = in[0];
    const Tensor y = scope.tensor(x.shape());
    for (Index i = 0; i < y.size(); ++i) y.data()[i] = x.value().data()[i] * x.value().data()[i] * x.value().data()[i];
    return record(y, {x}, [x, slope](const Var& result) {
      for (Index i = 0; i < x.value().size(); ++i) {
        x.grad().data()[i] += slope(x.value().data()[i]) * result.grad().data()[i];
      }
    });
  };
}

Real right(Real x) { return 3 * x * x; }
Real wrong(Real x) { return Real(3.2) * x * x; }

TEST(Jacobian, AcceptsARightGradient) {
  EXPECT_EQ(jacobian_mismatch(cube(right), {Tensor::of({2, 2}, {1, 2, -1, Real(0.5)})}), "");
}

TEST(Jacobian, DescribesTheWorstElementOfAWrongGradient) {
  // Wrong by 0.2 x^2 everywhere: the relative error is the same, the message names an element on the diagonal.
  const std::string mismatch = jacobian_mismatch(cube(wrong), {Tensor::of({1}, {2})});
  EXPECT_NE(mismatch.find("d(output[0])/d(input 0[0]): backward gives 12.8, differences give 12"), std::string::npos)
      << mismatch;
}

TEST(Jacobian, FindsAGradientThatOverwritesInsteadOfAdding) {
  const DifferentiableFunction overwriting = [](Scope&, const std::vector<Var>& in) {
    const auto square_of = [](const Var& x) {
      const Tensor y = x.scope().tensor({1});
      y.data()[0] = x.value().item() * x.value().item();
      return record(y, {x}, [x](const Var& result) {
        x.grad().data()[0] = 2 * x.value().item() * result.grad().item();  // not +=
      });
    };
    const Var a = square_of(in[0]), b = square_of(in[0]);
    const Tensor y = in[0].scope().tensor({1});
    y.data()[0] = a.value().item() + b.value().item();
    return record(y, {a, b}, [a, b](const Var& result) {
      a.grad().data()[0] += result.grad().item();
      b.grad().data()[0] += result.grad().item();
    });
  };
  EXPECT_NE(jacobian_mismatch(overwriting, {Tensor::of({1}, {1})}), "");
}

TEST(Jacobian, FindsAGradientThatLeaksToAnotherElement) {
  const DifferentiableFunction leaking = [](Scope& scope, const std::vector<Var>& in) {
    const Var x = in[0];
    const Tensor y = scope.tensor({2});
    y.data()[0] = x.value().data()[0];
    y.data()[1] = x.value().data()[1];
    return record(y, {x}, [x](const Var& result) {
      for (const Index i : {0, 1}) x.grad().data()[i] += result.grad().data()[0] + result.grad().data()[1];
    });
  };
  EXPECT_NE(jacobian_mismatch(leaking, {Tensor::of({2}, {1, 2})}), "");
}

TEST(Jacobian, RefusesNan) {
  const auto nan = [](Real) { return std::numeric_limits<Real>::quiet_NaN(); };
  EXPECT_NE(jacobian_mismatch(cube(nan), {Tensor::of({1}, {1})}), "");
}

TEST(Jacobian, ChecksEveryInput) {
  const DifferentiableFunction second_only = [](Scope& scope, const std::vector<Var>& in) {
    const Var a = in[0], b = in[1];
    const Tensor y = scope.tensor({1});
    y.data()[0] = a.value().item() + b.value().item();
    return record(y, {a, b}, [a](const Var& result) { a.grad().data()[0] += result.grad().item(); });
  };
  const std::string mismatch = jacobian_mismatch(second_only, {Tensor::of({1}, {1}), Tensor::of({1}, {1})});
  EXPECT_NE(mismatch.find("d(input 1[0])"), std::string::npos) << mismatch;
}

TEST(Jacobian, OfNoElementsAgrees) { EXPECT_EQ(jacobian_mismatch(cube(wrong), {Tensor::zeros({0, 3})}), ""); }

TEST(Jacobian, DrawsTheSameNoiseAtEveryEvaluation) {
  const DifferentiableFunction noisy = [](Scope& scope, const std::vector<Var>& in) {
    const Var x = in[0];
    const Real factor = scope.tape()->next_noise().next() % 2 == 0 ? 1 : 3;
    const Tensor y = scope.tensor({1});
    y.data()[0] = factor * x.value().item();
    return record(y, {x}, [x, factor](const Var& result) { x.grad().data()[0] += factor * result.grad().item(); });
  };
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_EQ(jacobian_mismatch(noisy, {Tensor::of({1}, {1})}, {.noise_seed = seed}), "");
  }
}

TEST(RandomTensor, IsReproducibleAndWithinItsBounds) {
  Rng rng(3), same(3);
  const Tensor x = random_tensor(rng, {4, 5}, -2, -1), y = random_tensor(same, {4, 5}, -2, -1);
  for (Index i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x.data()[i], y.data()[i]);
    EXPECT_TRUE(x.data()[i] >= -2 && x.data()[i] <= -1);
  }
}

}  // namespace
}  // namespace dhyan
