#pragma once

#include <dhyan/export.h>
#include <string_view>

namespace dhyan::v1 {

// The version of the library: "0.1.0".
DHYAN_EXPORT std::string_view version();

}  // namespace dhyan::v1
