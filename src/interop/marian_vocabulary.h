#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// A vocabulary of Marian: YAML, one `token: id` a line. Tokens stand as they are, in 'single' or in "double" quotes
// with escapes, or after `? `, with `: id` on the next line. Keys such as `=` and `<<` are tokens like others, which
// parsers of all of YAML refuse. ModelFileError, naming file and line, for anything else, and for an id that occurs
// twice.
std::vector<std::string> parse_marian_vocabulary(std::string_view where, std::string_view text);

}  // namespace dhyan
