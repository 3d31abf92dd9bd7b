#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dhyan::cli {

// The words of a command line as the parser is to read them, in order:
// - "help train" asks for "train --help", "version" for "--version";
// - after an option whose number can be left out, such as --beam [N], a word that is no number is the next argument.
//   The parser would take any word for the value.
std::vector<std::string> arguments_for(const CLI::App& program, std::vector<std::string> words);

}  // namespace dhyan::cli
