#pragma once

#include "autograd/parameter.h"

namespace dhyan {

// From now on the numbers stay as they are, and products without a tape may keep them in a form of their own. Calling
// it again begins anew.
void prepack(ParameterSet& parameters);

}  // namespace dhyan
