#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dhyan::cli {

// Rewrites the words of a command line for the parser, in order:
// - "help train" becomes "train --help", "version" becomes "--version";
// - after an option with an optional number, such as --beam [N], a non-numeric word is the next argument. The parser
//   alone would take any word as the value.
std::vector<std::string> arguments_for(const CLI::App& program, std::vector<std::string> words);

}  // namespace dhyan::cli
