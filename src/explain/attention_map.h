#pragma once

#include <string>
#include <vector>

#include "decoding/hypothesis.h"

namespace dhyan {

enum class Units { kSubwords, kWords };

// A picture's worth of attention: source across, target down.
struct AttentionMap {
  std::vector<std::string> source;           // [S] words or pieces, </s> the last
  std::vector<std::string> target;           // [T]
  std::vector<std::vector<double>> weights;  // [T][S]; rows sum to 1
  std::string title;                         // e.g. "layer 1, head 2"; may be empty
};

}  // namespace dhyan
