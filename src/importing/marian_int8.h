#pragma once

#include "importing/foreign_tensors.h"
#include "interop/marian_bin.h"

namespace dhyan {

// The tensors of a .bin of Marian. Matrices of intgemm8 have their scale and, if the file has them (names that end in
// _QuantMultA), the multipliers of their activations; these tensors themselves are left out.
ForeignTensors tensors_of_marian_bin(const std::string& where, MarianBinFile file);

}  // namespace dhyan
