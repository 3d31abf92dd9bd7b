#pragma once

#include <optional>
#include <string>

#include "data/lines.h"

namespace dhyan {

// Input lines: of a file, of standard input, or of a text.
struct TextInput {
  std::string file = "-";
  std::optional<std::string> text = {};  // instead of a file

  std::string name() const;  // for messages
};

LineReader open_lines(const TextInput& input, const ReadOptions& options);

}  // namespace dhyan
