#pragma once

#include "core/rng.h"

namespace dhyan {

// The random streams of data loading: one for each purpose.
enum class StreamName : std::uint64_t { kOrder = 1, kBatches = 2, kSubwords = 3 };

inline Rng stream_of(std::uint64_t seed, StreamName name) { return Rng(seed).split(static_cast<std::uint64_t>(name)); }

}  // namespace dhyan
