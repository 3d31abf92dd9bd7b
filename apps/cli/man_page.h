#pragma once

#include "cli/command_text.h"

namespace dhyan::cli {

// The manual of a program in roff, section 1: every command, every option.
std::string man_page(const CommandText& program);

}  // namespace dhyan::cli
