#pragma once

#include "ops/ragged.h"

namespace dhyan {

// A mask draws every element ([srivastava2014]), or one set of columns for each sentence ([gal2016]).
enum class DropoutMask { kElements, kSentences };

// Does nothing in inference. Throws ConfigError unless 0 <= probability < 1.
class Dropout {
 public:
  explicit Dropout(double probability = 0, DropoutMask mask = DropoutMask::kElements);

  Var operator()(const Ragged& x) const;  // [R,H] -> [R,H]

  double probability() const { return probability_; }

 private:
  double probability_;
  DropoutMask mask_;
};

}  // namespace dhyan
