#pragma once

#include "explain/explanation.h"

namespace dhyan {

// A page that needs nothing but itself: pictures, the numbers under pointer or arrow keys, and every number in tables.
std::string to_html(const Explanation& explanation);

}  // namespace dhyan
