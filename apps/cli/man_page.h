#pragma once

#include "cli/command_text.h"

namespace dhyan::cli {

// The manual page of a program in roff, section 1, with every command and option.
std::string man_page(const CommandText& program);

}  // namespace dhyan::cli
