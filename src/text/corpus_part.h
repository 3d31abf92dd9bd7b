#pragma once

#include <array>
#include <string_view>

namespace dhyan {

// What a corpus is cut into: to learn from, to choose by, to be judged by.
enum class Part { kTrain, kDev, kTest };
inline constexpr std::array<std::string_view, 3> kPartNames{"train", "dev", "test"};

}  // namespace dhyan
