#include "core/version.h"

namespace dhyan {

std::string_view version() { return DHYAN_VERSION; }

}  // namespace dhyan
