#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "explain/colour.h"
#include "explain/explanation.h"

namespace dhyan {

struct RenderOptions {
  Colour colour = Colour::kNo;  // of text
  Index width = 0;              // of text, in cells of the terminal; 0 for any
};

// The ways to show an explanation. A new one is an entry of the table: command line and tests go through it. Each shows
// the one fixed vector of a model that does not attend, where the others have their weights.
struct Format {
  std::string_view name;
  std::string_view extension;  // of its files
  std::string_view description;
  Summary summary;  // of several layers and heads, unless another is asked for
  std::string (*render)(const Explanation& explanation, const RenderOptions& options);
  // What is wrong with how it will look on this machine, or nothing; nullptr where nothing can be.
  std::string (*warning)(const Explanation& explanation);
};
std::span<const Format> formats();

// The format of a table that a file's extension stands for, or whose name it is; nullptr if it is none's.
template <class Entry>
const Entry* format_of_file(std::span<const Entry> table, const std::filesystem::path& path) {
  const std::string extension = path.extension();
  const auto found = std::ranges::find_if(table, [&extension](const Entry& entry) {
    return extension == entry.extension || (extension.starts_with('.') && extension.substr(1) == entry.name);
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace dhyan
