#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace dhyan::cli {

// What is wrong with a command line, in our words: "--beam-size: expected a whole number from 1 to 1000, got 'x'". The
// parser's own sentences name C++ types, print limits such as the largest double, and never say what was typed.
std::string parse_error_text(const CLI::ParseError& error, const CLI::App& command);

}  // namespace dhyan::cli
