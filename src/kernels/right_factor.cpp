#include "kernels/right_factor.h"

#include <algorithm>

#include "core/error.h"
#include "core/shape.h"
#include "core/thread_pool.h"
#include "kernels/int8_matrix.h"
#include "kernels/output_screen.h"
#include "kernels/packed_matrix.h"

namespace dhyan::kernels {

namespace {

// As many as there are threads to do them. A part is worth its way to another thread if it takes ten microseconds,
// which it does because so much of the weight must come from memory or because of the rows.
Index parts_of(const ConstMatrix& x, Index columns, const Helpers* helpers) {
  constexpr Index kLeast = Index{1} << 16, kRowsWhileItComes = 16;
  if (helpers == nullptr) return 1;
  const Index worth = x.cols * columns * (kRowsWhileItComes + x.rows) / (kLeast * kRowsWhileItComes);
  return std::clamp<Index>(worth, 1, 1 + helpers->idle());
}

// product(part) for all of them, with helpers where there is more than one.
template <class Product>
void in_parts(Index parts, Helpers* helpers, const Product& product) {
  if (parts == 1) return product(Part{});
  helpers->share(parts, [&](Index i) { product(Part{i, parts}); });
}

}  // namespace

ColumnRange columns_of(const Part& part, Index columns, Index panel_width) {
  const Index panels = (columns + panel_width - 1) / panel_width;
  const Index begin = panels * part.number / part.of * panel_width;
  const Index end = std::min(columns, panels * (part.number + 1) / part.of * panel_width);
  return {begin, end - begin};
}

void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y) {
  const bool bias_fits = bias.empty() || std::ssize(bias) == columns;
  if (!x.transposed && x.cols == inner && y.rows == x.rows && y.cols == columns && bias_fits) return;
  throw ShapeError(cat("product: x is ", Shape{x.m(), x.n()}, ", the weight ", Shape{inner, columns}, ", y ",
                       Shape{y.rows, y.cols}, ", the bias has ", bias.size()));
}

void multiply_shared(const RightFactor& w, ConstMatrix x, std::span<const Real> bias, Matrix y, Helpers* helpers) {
  in_parts(parts_of(x, y.cols, helpers), helpers, [&](const Part& part) { w.multiply_part(x, bias, y, part); });
}

SettledWeight::SettledWeight() = default;
SettledWeight::~SettledWeight() = default;

SettledWeight::SettledWeight(std::unique_ptr<const Int8Matrix> int8)
    : int8_(int8.get()), factor_(std::move(int8)), ready_(factor_.get()) {}

void SettledWeight::multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                             Helpers* helpers) const {
  constexpr Index kWidestPanel = 64;
  const RightFactor* factor = ready_.load(std::memory_order_acquire);
  if (factor == nullptr && !w.transposed && few_with(x.rows)) {
    expect_product(x, w.m(), w.n(), bias, y);
    return in_parts(parts_of(x, y.cols, helpers), helpers, [&](const Part& part) {
      const ColumnRange some = columns_of(part, w.n(), kWidestPanel);
      multiply_rows(x, w.columns(some.begin, some.size), some_of(bias, some), y.columns(some.begin, some.size));
    });
  }
  if (factor == nullptr) {
    std::call_once(once_, [&] {
      factor_ = std::make_unique<PackedMatrix>(w);
      ready_.store(factor_.get(), std::memory_order_release);
    });
    factor = factor_.get();
  }
  multiply_shared(*factor, x, bias, y, helpers);
}

bool SettledWeight::find_best(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix room,
                              std::span<Ranked> best, Helpers* helpers) const {
  if (int8_ != nullptr || !w.transposed || w.m() > kMostInt8Inputs || few_with(x.rows)) return false;
  expect_product(x, w.m(), w.n(), bias, room);
  std::call_once(screen_once_, [&] { screen_ = std::make_unique<OutputScreen>(w); });
  screen_->best(x, bias, room, best, helpers);
  return true;
}

bool SettledWeight::few_with(Index rows) const {
  constexpr Index kRowsBeforePacking = 128;
  if (rows_.load(std::memory_order_relaxed) > kRowsBeforePacking) return false;
  return rows_.fetch_add(rows, std::memory_order_relaxed) + rows <= kRowsBeforePacking;
}

}  // namespace dhyan::kernels
