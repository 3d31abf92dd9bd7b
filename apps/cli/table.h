#pragma once

#include <iomanip>
#include <sstream>
#include <string>
#include <utility>

#include "core/real.h"

namespace dhyan::cli {

// A label, and cells to the right of it.
template <class... Cells>
std::string row(const std::string& label, const Cells&... cells) {
  std::ostringstream out;
  out << std::left << std::setw(18) << label << std::right;
  ((out << std::setw(14) << cells), ...);
  return std::move(out).str();
}

// One more cell of a row.
std::string cell(const std::string& text);

// "1 to 5"; "7" if both are; "over 50" if `to` is below 0: no end.
std::string range_label(Index from, Index to);

}  // namespace dhyan::cli
