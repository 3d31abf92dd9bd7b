#pragma once

#include <cstdint>
#include <span>

#include "autograd/tape.h"

namespace dhyan {

// Pixels of pictures, byte by byte of each channel, as values between -1 and 1: (x - 127) / 128. [cells*channels] ->
// [cells,channels]
Var pixels(Scope& scope, std::span<const std::uint8_t> bytes, Index channels = 3);

}  // namespace dhyan
