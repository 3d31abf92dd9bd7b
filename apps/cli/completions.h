#pragma once

#include <span>
#include <string_view>

#include "cli/command_text.h"

namespace dhyan::cli {

// The shells with a completion script.
struct Shell {
  std::string_view name;
  std::string_view description;  // where to install its script
  std::string (*script)(const CommandText& program);
};
std::span<const Shell> shells();

}  // namespace dhyan::cli
