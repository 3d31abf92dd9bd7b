#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "explain/colour.h"
#include "explain/explanation.h"

namespace dhyan {

struct RenderOptions {
  Colour colour = Colour::kNo;      // of text
  Index width = 0;                  // of text, in terminal cells; 0: unlimited
  std::function<void()> poll = {};  // called while a drawing waits for others; may throw to stop
};

// An output format of an explanation. A new format is an entry of the table, which the command line and tests iterate.
// For a model without attention each format shows the context vector instead of weights.
struct Format {
  std::string_view name;
  std::string_view extension;  // of its files
  std::string_view description;
  Summary summary;  // of several layers and heads, unless the user chooses another
  std::string (*render)(const Explanation& explanation, const RenderOptions& options);
  // Names a problem with its appearance on this machine; empty if there is none. nullptr if there can be none.
  std::string (*warning)(const Explanation& explanation);
};
std::span<const Format> formats();

// The table's format whose extension or name is the file's extension; nullptr if there is none.
template <class Entry>
const Entry* format_of_file(std::span<const Entry> table, const std::filesystem::path& path) {
  const std::string extension = path.extension();
  const auto found = std::ranges::find_if(table, [&extension](const Entry& entry) {
    return extension == entry.extension || (extension.starts_with('.') && extension.substr(1) == entry.name);
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace dhyan
