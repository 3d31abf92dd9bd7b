#pragma once

#include "core/matrix.h"
#include "core/segments.h"

namespace dhyan::kernels {

struct ScanInputs {
  ConstMatrix x, f;   // [R,H]
  ConstMatrix start;  // [B,H]
};

// Where gradients are added; one without data is skipped.
struct ScanGradients {
  Matrix x, f;   // [R,H]
  Matrix start;  // [B,H]
};

// c_r = f_r c_{r-1} + (1 - f_r) x_r down the rows of each sentence b; its first row follows start_b. Rows are computed
// alike whatever their place, so that a sentence can be continued row by row with the same bytes.
void gated_scan(const ScanInputs& in, const Segments& segments, Matrix c);  // [R,H]
void gated_scan_backward(const ScanInputs& in, const Segments& segments, ConstMatrix c, ConstMatrix dc, Matrix carry,
                         const ScanGradients& into);  // carry [1,H], overwritten

}  // namespace dhyan::kernels
