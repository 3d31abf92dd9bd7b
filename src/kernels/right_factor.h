#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan {
class Helpers;
}

namespace dhyan::kernels {

class Int8Matrix;
class OutputScreen;
struct Int8Rows;
struct Ranked;
struct Share;

// A weight in a form that is made for products, once for many of them.
class RightFactor {
 public:
  virtual ~RightFactor() = default;

  // y = x W + b on the calling thread; b may be empty. A row of y is the same bytes whatever rows stand beside it, and
  // however many share its columns.
  void multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const;  // [M,I] -> [M,O]
  virtual void multiply_share(ConstMatrix x, std::span<const Real> bias, Matrix y, const Share& share) const = 0;
};

// The same on this thread and on helpers, if there are any and it is worth their while.
void multiply_shared(const RightFactor& w, ConstMatrix x, std::span<const Real> bias, Matrix y, Helpers* helpers);

// How a product is computed: in which precision, and by whom else.
struct ProductWay {
  Precision precision = Precision::kFull;  // or kTakenApart
  Helpers* helpers = nullptr;
};

// A weight whose numbers change no more. It is packed once enough rows have passed by, by whichever thread that is: a
// program that translates one sentence does not wait for it. Or it is of 8 bits, which take the place of the numbers.
class SettledWeight {
 public:
  SettledWeight();
  explicit SettledWeight(std::unique_ptr<const Int8Matrix> int8);
  ~SettledWeight();

  // y = x W + b, of the same w every time and the same bytes, packed or not, with helpers or alone.
  void multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y, const ProductWay& way = {}) const;

  // The same of 8 bits, for rows that were rounded before.
  void multiply(const Int8Rows& x, std::span<const Real> bias, Matrix y, Helpers* helpers = nullptr) const;

  // The k largest of each row of it, as top_k_rows of kernels/top_k.h gives them. False, and nothing is done, where the
  // product itself is as good: if w is not stored output by output, unless it is of 8 bits.
  bool find_best(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<Ranked> best,
                 const ProductWay& way = {}) const;

  const Int8Matrix* int8() const { return int8_; }  // null: the weight has numbers of its own

 private:
  // What becomes of a weight in one precision.
  struct Packing {
    std::once_flag once;
    std::unique_ptr<const RightFactor> factor;
    std::atomic<const RightFactor*> ready = nullptr;
    std::atomic<Index> rows = 0;
  };

  const Int8Matrix* int8_ = nullptr;
  mutable Packing full_, apart_;  // of 8 bits, the first holds them
  mutable std::once_flag screen_once_;
  mutable std::unique_ptr<const OutputScreen> screen_;
};

// For those: throws ShapeError unless x [M,inner] times a weight [inner,columns] and a bias fit into y.
void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y);

}  // namespace dhyan::kernels
