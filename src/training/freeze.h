#pragma once

#include <span>
#include <string>

#include "autograd/parameter.h"

namespace dhyan {

// Marks as frozen the weights that patterns name; all others are free. A pattern is a name, its beginning up to a dot
// ("encoder", "encoder.0"), or has * for any letters, ? for one and [abc] for one of some. ConfigError for a pattern
// that names nothing, with the nearest name, and if nothing is left to be trained.
void freeze(ParameterSet& parameters, std::span<const std::string> patterns);

}  // namespace dhyan
