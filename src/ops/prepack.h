#pragma once

#include <memory>
#include <mutex>

#include "autograd/tape.h"
#include "kernels/gemm/packed_weight.h"
#include "kernels/int8/int8_rows.h"

namespace dhyan {

// The form in which GEMMs read a weight that no longer changes (Parameter::prepacked).
struct Prepacked {
  kernels::PackedWeight panels;                               // of a float weight; packed once it pays
  std::unique_ptr<const kernels::Int8Matrix> int8 = nullptr;  // of an int8 weight

  // Of an int8 weight, for products with some of its outputs; the first call makes them.
  const kernels::Int8Rows& int8_rows() const;

 private:
  mutable std::once_flag rows_once_;
  mutable std::unique_ptr<const kernels::Int8Rows> rows_;
};

// The values no longer change: GEMMs without a tape may keep packed copies. A second call starts over.
void prepack(ParameterSet& parameters);

// The parameter becomes an int8 weight, for use without a tape; its value shares the panels.
void become_int8(Parameter& parameter, std::unique_ptr<const kernels::Int8Matrix> int8);

// The prepacked form of a weight; null if it has none, or if there is a tape.
inline const Prepacked* prepacked(const Var& weight) {
  const Parameter* parameter = weight.node().parameter;
  return parameter == nullptr || weight.scope().recording() ? nullptr : parameter->prepacked.get();
}

// The panels of a prepacked int8 weight; null for any other.
inline const kernels::Int8Matrix* prepacked_int8(const Var& weight) {
  const Prepacked* form = prepacked(weight);
  return form == nullptr ? nullptr : form->int8.get();
}

// Throw DtypeError unless GEMMs can read the weight: it is float, or prepacked as int8.
inline void expect_weight(const char* op, const Var& weight) {
  if (prepacked_int8(weight) == nullptr) expect_dtype(op, weight.value().dtype(), Dtype::kReal);
}

}  // namespace dhyan
