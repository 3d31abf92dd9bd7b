#include "kernels/right_factor.h"

#include "core/error.h"
#include "core/shape.h"
#include "kernels/in_shares.h"
#include "kernels/int8_best.h"
#include "kernels/multiply_rows.h"
#include "kernels/output_screen.h"
#include "kernels/packed_matrix.h"

namespace dhyan::kernels {

void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y) {
  const bool bias_fits = bias.empty() || std::ssize(bias) == columns;
  if (!x.transposed && x.cols == inner && y.rows == x.rows && y.cols == columns && bias_fits) return;
  throw ShapeError(cat("product: x is ", Shape{x.m(), x.n()}, ", the weight ", Shape{inner, columns}, ", y ",
                       Shape{y.rows, y.cols}, ", the bias has ", bias.size()));
}

void multiply_shared(const RightFactor& w, ConstMatrix x, std::span<const Real> bias, Matrix y, Helpers* helpers) {
  in_shares({.weights = x.cols * y.cols, .rows = x.rows}, helpers,
            [&](const Share& share) { w.multiply_share(x, bias, y, share); });
}

SettledWeight::SettledWeight() = default;
SettledWeight::~SettledWeight() = default;

void RightFactor::multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const {
  multiply_share(x, bias, y, Share());
}

SettledWeight::SettledWeight(std::unique_ptr<const Int8Matrix> int8) : int8_(int8.get()) {
  full_.factor = std::move(int8);
  full_.ready = full_.factor.get();
}

void SettledWeight::multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                             const ProductWay& way) const {
  constexpr Index kRowsBeforePacking = 128, kWidestPanel = 64;
  Packing& packing = way.precision == Precision::kTakenApart && int8_ == nullptr ? apart_ : full_;
  const RightFactor* factor = packing.ready.load(std::memory_order_acquire);
  const auto few = [&] {
    return packing.rows.fetch_add(x.rows, std::memory_order_relaxed) + x.rows <= kRowsBeforePacking;
  };
  if (factor == nullptr && few() && !w.transposed) {
    expect_product(x, w.m(), w.n(), bias, y);
    return in_shares({.weights = x.cols * y.cols, .rows = x.rows}, way.helpers, [&](const Share& share) {
      const ColumnRange some = columns_of(share, w.n(), kWidestPanel);
      multiply_rows(x, w.columns(some.begin, some.size), some_of(bias, some), y.columns(some.begin, some.size),
                    way.precision);
    });
  }
  if (factor == nullptr) {
    std::call_once(packing.once, [&] {
      packing.factor = std::make_unique<PackedMatrix>(w, way.precision, way.helpers);
      packing.ready.store(packing.factor.get(), std::memory_order_release);
    });
    factor = packing.factor.get();
  }
  multiply_shared(*factor, x, bias, y, way.helpers);
}

void SettledWeight::multiply(const Int8Rows& x, std::span<const Real> bias, Matrix y, Helpers* helpers) const {
  in_shares({.weights = x.inner * y.cols, .rows = x.rows}, helpers,
            [&](const Share& share) { int8_->multiply_share(x, bias, y, share); });
}

bool SettledWeight::find_best(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<Ranked> best,
                              const ProductWay& way) const {
  expect_product(x, w.m(), w.n(), bias, Matrix{nullptr, x.rows, w.n(), w.n()});
  if (int8_ != nullptr) {
    best_of_product(*int8_, x, bias, best, way.helpers);
    return true;
  }
  if (!w.transposed || w.m() > kMostInt8Inputs) return false;
  std::call_once(screen_once_, [&] { screen_ = std::make_unique<OutputScreen>(w); });
  screen_->best(x, bias, best, way);
  return true;
}

}  // namespace dhyan::kernels
