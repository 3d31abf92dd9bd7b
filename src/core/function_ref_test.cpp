#include "core/function_ref.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace dhyan {
namespace {

int applied(FunctionRef<int(int)> f, int x) { return f(x); }

TEST(FunctionRef, CallsTheObjectItselfNotACopy) {
  int calls = 0;
  auto count = [calls](int x) mutable { return x + ++calls; };
  const FunctionRef<int(int)> f = count;
  EXPECT_EQ(f(10), 11);
  EXPECT_EQ(f(10), 12);
  EXPECT_EQ(count(10), 13);
}

TEST(FunctionRef, TakesATemporaryLambdaAndAConstOne) {
  const auto twice = [](int x) { return 2 * x; };
  EXPECT_EQ(applied(twice, 4), 8);
  EXPECT_EQ(applied([](int x) { return 3 * x; }, 4), 12);
}

TEST(FunctionRef, ACopyCallsTheSameObject) {
  const auto twice = [](int x) { return 2 * x; };
  FunctionRef<int(int)> f = twice;
  const FunctionRef<int(int)> copy = f;
  f = [](int) { return 0; };
  EXPECT_EQ(copy(4), 8);
}

TEST(FunctionRef, PassesArgumentsAsTheyAre) {
  const auto take = [](std::unique_ptr<int> p, int& sum) { sum += *p; };
  int sum = 1;
  const FunctionRef<void(std::unique_ptr<int>, int&)> f = take;
  f(std::make_unique<int>(4), sum);
  EXPECT_EQ(sum, 5);
}

TEST(FunctionRef, DiscardsAnUnusedResult) {
  std::string said;
  const auto append = [&](char c) -> std::string& { return said += c; };
  const FunctionRef<void(char)> f = append;
  f('a');
  f('b');
  EXPECT_EQ(said, "ab");
}

TEST(FunctionRef, SaysWhetherItRefersToSomething) {
  EXPECT_FALSE(FunctionRef<void()>());
  const auto nothing = [] {};
  EXPECT_TRUE(FunctionRef<void()>(nothing));
}

TEST(FunctionRef, IsTwoWordsAndAcceptsOnlyCallables) {
  using Ref = FunctionRef<int(int)>;
  static_assert(sizeof(Ref) == 2 * sizeof(void*) && std::is_trivially_copyable_v<Ref>);
  const auto of_string = [](const std::string&) { return 1; };
  const auto of_int = [](long x) { return static_cast<short>(x); };
  static_assert(!std::is_constructible_v<Ref, decltype(of_string)&>);
  static_assert(std::is_constructible_v<Ref, decltype(of_int)&>);
}

}  // namespace
}  // namespace dhyan
