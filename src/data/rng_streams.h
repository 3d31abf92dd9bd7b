#pragma once

#include "core/rng.h"

namespace dhyan {

// What the data draws at random, each from a stream of its own.
enum class StreamName : std::uint64_t { kOrder = 1, kBatches = 2, kSubwords = 3 };

inline Rng stream_of(std::uint64_t seed, StreamName name) { return Rng(seed).split(static_cast<std::uint64_t>(name)); }

}  // namespace dhyan
