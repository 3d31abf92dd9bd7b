#pragma once

#include <string>

namespace dhyan {

// The program that tests of the command line run.
inline const std::string kBinary = DHYAN_BINARY;

}  // namespace dhyan
