#pragma once

#include <string>
#include <vector>

#include "distributed/communicator.h"

namespace dhyan {

// What must be the same on all ranks for the same result; "dhyan 0.1.0" under "version".
struct Agreed {
  std::string what;
  std::string value;
};

// The first message of each rank: tells host and process, so that failures can be named, and compares. RankError on all
// ranks, naming the first rank and value that differ from those of rank 0, if there is one.
void shake_hands(Communicator& ranks, const std::vector<Agreed>& agreed);

// Compares later facts, such as the content of data that each rank has read.
void expect_agreement(Communicator& ranks, const std::vector<Agreed>& agreed);

}  // namespace dhyan
