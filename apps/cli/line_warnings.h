#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dhyan::cli {

// A warning on standard error, at the end, for all lines of a text that share a problem: "test.hi: 2 of 100 lines ...".
// Nothing if there are none.
struct CountedLines {
  std::string name;  // of the text
  std::uint64_t count = 0, total = 0;
};
void warn_of_lines(const CountedLines& lines, std::string_view noun, std::string_view what, std::string_view hint);

// For lines whose tokens are mostly unknown to the model, as those of another language or script are.
void warn_of_mostly_unknown(const CountedLines& lines);

}  // namespace dhyan::cli
