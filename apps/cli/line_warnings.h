#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dhyan::cli {

// One warning at the end, on standard error, about all lines of a text with the same problem: "test.hi: 2 of 100 lines
// ..."; none if there are no such lines.
struct CountedLines {
  std::string name;  // of the text
  std::uint64_t count = 0, total = 0;
};
void warn_of_lines(const CountedLines& lines, std::string_view noun, std::string_view what, std::string_view hint);

// Warns about lines whose tokens are mostly unknown to the model, such as those of another language or script.
void warn_of_mostly_unknown(const CountedLines& lines);

}  // namespace dhyan::cli
