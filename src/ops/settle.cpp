#include "ops/settle.h"

#include "kernels/right_factor.h"

namespace dhyan {

void settle(ParameterSet& parameters) {
  for (Parameter& parameter : parameters) parameter.settled = std::make_shared<kernels::SettledWeight>();
}

}  // namespace dhyan
