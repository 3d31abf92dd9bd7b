#pragma once

#include <string>

#include "server/call.h"

namespace dhyan::server {

// YAML of our own as JSON: plain scalars that look like numbers are numbers, and so on; aliases and merge keys (<<) are
// written out. DataError if the text is not YAML.
JsonAnswer json_of_yaml(const std::string& text);

}  // namespace dhyan::server
