#include "cli/line_warnings.h"

#include <iostream>

#include "core/error.h"
#include "core/pluralize.h"

namespace dhyan::cli {

void warn_of_lines(const CountedLines& lines, std::string_view noun, std::string_view what, std::string_view hint) {
  if (lines.count == 0) return;
  std::cerr << cat("dhyan: warning: ", lines.name, ": ", grouped(lines.count), " of ", pluralize(lines.total, noun),
                   " ", what, " (", hint, ")\n");
}

void warn_of_mostly_unknown(const CountedLines& lines) {
  const bool one = lines.count == 1;
  warn_of_lines(lines, "line", cat(one ? "is" : "are", " mostly unknown words to the model"),
                cat(one ? "is it" : "are they", " in the language it translates from?"));
}

}  // namespace dhyan::cli
