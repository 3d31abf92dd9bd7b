#include "translator/option_table.h"

namespace dhyan::option_table {

std::vector<Option> validation_options() {
  return {
      number("validate-steps", "Validate every so many steps; 0: after every epoch", {0, kMany},
             training(&TrainingOptions::validate_steps)),
      number("patience", "Stop after so many validations without a better held-out loss; 0: never", {0, kMany},
             training(&TrainingOptions::patience)),
  };
}

std::vector<Option> checkpoint_options() {
  return {
      number("average", "At the end try the mean of so many of the best checkpoints; 0: do not", {0, 64},
             training(&TrainingOptions::average)),
  };
}

}  // namespace dhyan::option_table
