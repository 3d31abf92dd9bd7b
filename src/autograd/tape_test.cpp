#include "autograd/tape.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// y = a b, element by element; the smallest op with two inputs. da += dy b, db += dy a
Var times(const Var& a, const Var& b) {
  const Tensor y = a.scope().tensor(a.shape());
  for (Index i = 0; i < y.size(); ++i) y.data()[i] = a.value().data()[i] * b.value().data()[i];
  return record(y, {a, b}, [a, b](const Var& result) {
    for (Index i = 0; i < result.value().size(); ++i) {
      if (a.needs_grad()) a.grad().data()[i] += result.grad().data()[i] * b.value().data()[i];
      if (b.needs_grad()) b.grad().data()[i] += result.grad().data()[i] * a.value().data()[i];
    }
  });
}

template <class F>
std::string usage_error_of(const F& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

TEST(Scope, KeepsTheOwnerOfAConstantUntilTheStepEnds) {
  auto owner = std::make_shared<std::vector<Real>>(std::vector<Real>{1, 2});
  const std::weak_ptr<std::vector<Real>> kept = owner;
  Real* const numbers = owner->data();
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::part_of(std::move(owner), {2}, numbers));  // [2]
  EXPECT_EQ(x.value().data()[1], 2);
  EXPECT_FALSE(kept.expired());
  arena.reset();
  EXPECT_TRUE(kept.expired());
}

class TapeTest : public testing::Test {
 protected:
  TapeTest() : weight_(parameters_.add("w", {2})), unused_(parameters_.add("unused", {3})) {
    weight_.value.data()[0] = 2;
    weight_.value.data()[1] = 3;
    tape_.start(gradients_, Rng(1));
  }

  Var variable(std::initializer_list<Real> values) {
    return scope_.variable(Tensor::of({static_cast<Index>(values.size())}, values));
  }

  ParameterSet parameters_;
  Parameter& weight_;
  Parameter& unused_;
  GradientSet gradients_{parameters_};
  Arena arena_;
  Tape tape_{parameters_};
  Scope scope_{arena_, tape_};
};

TEST_F(TapeTest, WithoutATapeTheMemoryOfAReleasedResultIsUsedAgain) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({1000}));
  const Var y = times(x, x), window = alias(y, Tensor::view({10}, y.value().data()));
  const Real *memory = y.value().data(), *constant = x.value().data();
  release(window);  // shares the memory of y
  release(x);       // a constant
  EXPECT_EQ(x.value().data(), constant);
  EXPECT_NE(times(x, x).value().data(), memory);
  release(y);
  EXPECT_TRUE(y.value().empty());
  release(y);  // released already
  EXPECT_EQ(times(x, x).value().data(), memory);
  EXPECT_NE(times(x, x).value().data(), memory);
}

TEST_F(TapeTest, AFrameEndsTheResultsMadeInItAndNoOthers) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({1000})), before = times(x, x);
  Var inside, kept, constant;
  const Real* memory = nullptr;
  {
    Frame frame(scope);
    inside = times(before, x);
    kept = frame.keep(times(inside, x));
    constant = scope.constant(Tensor::zeros({3}));
    frame.keep(before);  // is not this frame's
    frame.keep(Var());
    memory = inside.value().data();
  }
  EXPECT_TRUE(inside.value().empty());
  for (const Var& y : {x, before, kept, constant}) EXPECT_FALSE(y.value().empty());
  EXPECT_EQ(times(x, x).value().data(), memory);
}

TEST_F(TapeTest, ValuesThatAFrameKeepsEndWithTheFrameAroundIt) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({10}));
  Var to_outer, to_all, for_good, window;
  {
    Frame outer(scope);
    {
      Frame inner(scope);
      to_outer = inner.keep(times(x, x));
      to_all = inner.keep(times(x, x));
      for_good = times(x, x);
      keep_until_reset(for_good);
      const Var base = times(x, x);
      window = inner.keep(alias(base, Tensor::view({2}, base.value().data())));
    }
    for (const Var& y : {to_outer, to_all, for_good, Var(*window.node().base)}) EXPECT_FALSE(y.value().empty());
    release(to_outer);  // may end before its frame
    outer.keep(to_all);
  }
  EXPECT_TRUE(to_outer.value().empty());
  EXPECT_TRUE(window.node().base->value.empty());
  EXPECT_FALSE(to_all.value().empty());
  EXPECT_FALSE(for_good.value().empty());
}

TEST_F(TapeTest, AFrameThatAnExceptionLeavesEndsToo) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({10}));
  Var y;
  const auto fail = [&] {
    Frame frame(scope);
    y = times(x, x);
    throw DataError("in a frame");
  };
  EXPECT_THROW(fail(), DataError);
  EXPECT_TRUE(y.value().empty());
  EXPECT_EQ(scope.frame(), nullptr);
}

TEST_F(TapeTest, WithATapeAFrameEndsNothing) {
  const Var x = variable({5});
  Var y;
  {
    Frame frame(scope_);
    y = times(times(x, x), x);
  }
  tape_.backward(y);
  EXPECT_EQ(x.grad().item(), 3 * 25);
}

TEST_F(TapeTest, WithATapeAReleasedResultStaysForBackward) {
  const Var x = variable({5}), y = times(x, x);
  release(y);
  tape_.backward(times(y, x));
  EXPECT_EQ(x.grad().item(), 3 * 25);
}

TEST_F(TapeTest, PassesTheGradientBackThroughAChain) {
  const Var x = variable({5}), w = variable({7});
  tape_.backward(times(times(x, w), w));  // x w^2
  EXPECT_EQ(x.grad().item(), 49);
  EXPECT_EQ(w.grad().item(), 2 * 5 * 7);
}

TEST_F(TapeTest, AddsUpTheGradientsOfAValueUsedTwice) {
  const Var x = variable({3});
  tape_.backward(times(x, x));
  EXPECT_EQ(x.grad().item(), 6);
}

TEST_F(TapeTest, SeedsTheSweepWithAnyGradient) {
  const Var x = variable({3, 4});
  tape_.backward(times(x, x), Tensor::of({2}, {1, 10}));
  EXPECT_EQ(x.grad().data()[0], 6);
  EXPECT_EQ(x.grad().data()[1], 80);
}

TEST_F(TapeTest, RefusesASeedOfAnotherShapeAndSeveralElementsWithoutOne) {
  const Var y = times(variable({1, 2}), variable({3, 4}));
  EXPECT_THROW(tape_.backward(y), ShapeError);
  EXPECT_EQ(thrown<ShapeError>([&] {
              tape_.backward(y, Tensor::of({3}, {1, 1, 1}));
            }),
            "backward: seed is [3], expected [2]");
}

TEST_F(TapeTest, AccumulatesTheGradientOfAParameterOverSteps) {
  for (int step = 1; step <= 3; ++step) {
    arena_.reset();
    tape_.start(gradients_, Rng(1));
    tape_.backward(times(scope_.parameter(weight_), scope_.parameter(weight_)), Tensor::of({2}, {1, 1}));
    EXPECT_EQ(gradients_[weight_].value().data()[0], 4 * step);
    EXPECT_EQ(gradients_[weight_].value().data()[1], 6 * step);
  }
  EXPECT_TRUE(gradients_[weight_].all_touched());
  EXPECT_TRUE(gradients_[unused_].untouched());
}

TEST_F(TapeTest, GivesOneLeafPerParameterAndStep) {
  const Var leaf = scope_.parameter(weight_);
  EXPECT_EQ(&leaf.node(), &scope_.parameter(weight_).node());
  EXPECT_NE(&leaf.node(), &scope_.parameter(unused_).node());
  EXPECT_EQ(leaf.value().data(), weight_.value.data()) << "a leaf is not a copy";
  tape_.start(gradients_, Rng(1));
  EXPECT_NE(&leaf.node(), &scope_.parameter(weight_).node());
}

TEST_F(TapeTest, RunsBackwardNewestFirstAndWhenSweptAfterAllUsesOfTheLeaf) {
  std::vector<int> order;
  const Var leaf = scope_.parameter(weight_);
  const auto noted = [&](const Var& input, const Var& other, int name) {
    return record(input.value(), {input, other}, [&, input, name](const Var& y) {
      order.push_back(name);
      input.grad().data()[0] += y.grad().data()[0];
      if (name == 3) tape_.when_swept(arena_, scope_.parameter(unused_), [&order] { order.push_back(30); });
      if (name > 1) tape_.when_swept(arena_, leaf, [&order, name] { order.push_back(10 * name); });
    });
  };
  const Var first = noted(leaf, leaf, 1), second = noted(first, scope_.parameter(unused_), 2);
  tape_.backward(noted(second, second, 3), Tensor::of({2}, {1, 1}));
  EXPECT_EQ(order, (std::vector<int>{3, 2, 30, 1, 30, 20}));
}

// Two tapes that add to the same gradients.
TEST_F(TapeTest, TakesOneTurnAtEachParameterAndPassesItOn) {
  struct Noted final : GradientOrder {
    std::vector<std::string> calls;
    void wait(std::size_t parameter) override { calls.push_back(cat("wait ", parameter)); }
    void pass(std::size_t parameter) override { calls.push_back(cat("pass ", parameter)); }
  } order;
  tape_.start(gradients_, Rng(1), &order);
  const Var w = scope_.parameter(weight_), x = variable({1, 1});
  const Var early = times(w, x);
  tape_.when_swept(arena_, w, [&] { order.calls.push_back("last"); });
  scope_.parameter(unused_);
  tape_.backward(times(early, w), Tensor::of({2}, {1, 1}));
  EXPECT_EQ(order.calls, (std::vector<std::string>{"last", "wait 0", "pass 0"}));
  EXPECT_EQ(gradients_[weight_].value().data()[1], 6);
  EXPECT_TRUE(gradients_[unused_].untouched());
}

TEST_F(TapeTest, SkipsOpsThatNoGradientReaches) {
  const Var x = variable({1});
  record(x.value(), {x}, [](const Var&) { FAIL() << "nothing depends on this"; });
  tape_.backward(times(x, x));
}

TEST_F(TapeTest, DoesNotRecordOpsOnConstants) {
  const Var x = variable({3}), c = scope_.constant(Tensor::of({1}, {4}));
  const Var of_constants = times(c, c), y = times(x, of_constants);
  EXPECT_FALSE(of_constants.needs_grad());
  tape_.backward(y);
  EXPECT_EQ(x.grad().item(), 16);
  EXPECT_THROW(c.grad(), UsageError);
}

TEST_F(TapeTest, WithoutATapeRecordsNothingAndNeedsNoGradient) {
  struct Closure {
    std::shared_ptr<int> kept;
    void operator()(const Var&) const {}
  };
  Scope inference(arena_);
  const auto kept = std::make_shared<int>(1);
  const Var w = inference.parameter(weight_);
  const std::size_t before = arena_.used_bytes();
  const Var y = record(w.value(), {w}, Closure{kept});
  EXPECT_FALSE(w.needs_grad());
  EXPECT_FALSE(y.needs_grad());
  EXPECT_FALSE(inference.variable(w.value()).needs_grad());
  EXPECT_EQ(kept.use_count(), 1) << "no closure was kept";
  EXPECT_GT(arena_.used_bytes(), before) << "a value costs its node";
  EXPECT_EQ(usage_error_of([&] { y.grad(); }),
            "Var::grad: this value has no gradient: it is a constant, or has no tape");
}

TEST_F(TapeTest, DestroysClosuresWhenTheArenaIsReset) {
  const auto kept = std::make_shared<int>(1);
  const Var x = variable({1});
  record(x.value(), {x}, [kept](const Var&) {});
  EXPECT_EQ(kept.use_count(), 2);
  arena_.reset();
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(TapeTest, RefusesInputsOfDifferentScopes) {
  Scope other(arena_);
  const Var a = variable({1}), b = other.constant(Tensor::of({1}, {1}));
  EXPECT_EQ(usage_error_of([&] { times(a, b); }), "record: the inputs of an op are of different scopes");
  EXPECT_EQ(usage_error_of([] { make_result(Tensor(), {}); }),
            "record: an op without inputs has no scope; use Scope::constant");
}

TEST_F(TapeTest, RefusesGradientsOfAnotherModelAndUseBeforeStart) {
  ParameterSet fewer;
  fewer.add("only", {1});
  GradientSet of_fewer(fewer);
  EXPECT_EQ(usage_error_of([&] { tape_.start(of_fewer, Rng(1)); }), "Tape::start: 1 gradients for 2 parameters");

  Tape fresh(parameters_);
  Scope early(arena_, fresh);
  EXPECT_EQ(usage_error_of([&] { early.parameter(weight_); }), "Scope::parameter: the tape was not started");
}

TEST_F(TapeTest, RefusesToTrainAWeightThatIsNotFloat) {
  const Parameter quantized{.name = "w", .value = Tensor::in(arena_, {2, 3}, Dtype::kInt8)};
  EXPECT_EQ(usage_error_of([&] { Scope(arena_, tape_).parameter(quantized); }),
            "Scope::parameter: 'w' has int8 values, which cannot be trained");
  EXPECT_EQ(Scope(arena_).parameter(quantized).value().dtype(), Dtype::kInt8);
}

TEST_F(TapeTest, AnAliasSharesValueAndGradientWithItsInput) {
  const Var x = variable({1, 2, 3, 4});
  const Var square = times(x, x);
  const Var tail = alias(square, square.value().reshaped({2, 2}).row_range(1, 2));
  EXPECT_EQ(tail.value().data(), square.value().data() + 2);
  tape_.backward(tail, Tensor::of({1, 2}, {1, 10}));
  EXPECT_EQ(x.grad().data()[1], 0);
  EXPECT_EQ(x.grad().data()[2], 6);
  EXPECT_EQ(x.grad().data()[3], 80);
}

TEST_F(TapeTest, CountsTheLongestChainOfOpsThatLeadToAResult) {
  const Var x = variable({2, 3});
  EXPECT_EQ(x.node().depth, 0);
  const Var once = times(x, x), twice = times(once, x), beside = times(x, x);
  EXPECT_EQ(twice.node().depth, 2);
  EXPECT_EQ(times(beside, twice).node().depth, 3) << "the longer way counts";
  const Var window = alias(twice, Tensor::view({1}, twice.value().data()));
  EXPECT_EQ(window.node().depth, 2) << "a window computes nothing";
  EXPECT_EQ(times(window, window).node().depth, 3);
}

TEST_F(TapeTest, GradientsOfResultsShareMemory) {
  const auto gradients_of_chain = [&](int length) {
    arena_.reset();
    tape_.start(gradients_, Rng(1));
    const Var factor = scope_.constant(Tensor::of({1000}, std::vector<Real>(1000, 2)));
    Var y = scope_.variable(Tensor::zeros({1000}));
    for (int i = 0; i < length; ++i) y = times(y, factor);
    const std::size_t forward = arena_.used_bytes();
    tape_.backward(y, factor.value());
    return arena_.used_bytes() - forward;
  };
  EXPECT_EQ(gradients_of_chain(10), gradients_of_chain(3));
}

TEST_F(TapeTest, AWindowHasNoGradientBeforeOneReachesIt) {
  const Var x = variable({1, 2, 3, 4});
  const Var square = times(x, x), tail = alias(square, square.value().reshaped({2, 2}).row_range(1, 2));
  EXPECT_TRUE(square.node().grad.empty());
  EXPECT_EQ(&tail.grad().data()[1], &square.grad().data()[3]);
}

TEST_F(TapeTest, SweepsResultsOfNoRows) {
  const Var x = scope_.variable(Tensor::zeros({0, 3}));
  int swept = 0;
  tape_.backward(record(x.value(), {x}, [&swept](const Var&) { ++swept; }), Tensor::zeros({0, 3}));
  EXPECT_EQ(swept, 1);
}

TEST_F(TapeTest, GivesEachCallItsOwnNoiseAndTheSameInTheSameStep) {
  const std::uint32_t first = tape_.next_noise().next(), second = tape_.next_noise().next();
  EXPECT_NE(first, second);
  tape_.start(gradients_, Rng(1));
  EXPECT_EQ(tape_.next_noise().next(), first);
  EXPECT_EQ(tape_.next_noise().next(), second);
  tape_.start(gradients_, Rng(2));
  EXPECT_NE(tape_.next_noise().next(), first);
}

}  // namespace
}  // namespace dhyan
