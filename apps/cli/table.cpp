#include "cli/table.h"

#include "core/error.h"

namespace dhyan::cli {

std::string cell(const std::string& text) { return row("", text).substr(row("").size()); }

std::string range_label(Index from, Index to) {
  if (to < 0) return cat("over ", from - 1);
  return from == to ? cat(from) : cat(from, " to ", to);
}

}  // namespace dhyan::cli
