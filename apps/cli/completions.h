#pragma once

#include <span>
#include <string_view>

#include "cli/command_text.h"

namespace dhyan::cli {

// The shells that can be taught to complete command lines.
struct Shell {
  std::string_view name;
  std::string_view description;  // where its script goes
  std::string (*script)(const CommandText& program);
};
std::span<const Shell> shells();

}  // namespace dhyan::cli
