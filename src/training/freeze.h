#pragma once

#include <span>
#include <string>

#include "autograd/parameter.h"

namespace dhyan {

// Freezes the weights that match a pattern and unfreezes all others. A pattern is a name, a prefix that ends before a
// dot
// ("encoder", "encoder.0"), or a glob with *, ? and [abc]. ConfigError for a pattern without a match, with the nearest
// name, and if all weights are frozen.
void freeze(ParameterSet& parameters, std::span<const std::string> patterns);

}  // namespace dhyan
