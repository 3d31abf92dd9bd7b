#include "cli/command.h"

namespace dhyan::cli {

std::vector<Command> commands() { return {explain_command()}; }

}  // namespace dhyan::cli
