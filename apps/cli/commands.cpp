#include "cli/command.h"

namespace dhyan::cli {

std::vector<Command> commands() { return {explain_command(), inspect_command()}; }

}  // namespace dhyan::cli
