#pragma once

#include <array>
#include <string_view>

namespace dhyan {

// The parts of a corpus: for training, for model selection, and for the final measurement.
enum class Part { kTrain, kDev, kTest };
inline constexpr std::array<std::string_view, 3> kPartNames{"train", "dev", "test"};

}  // namespace dhyan
