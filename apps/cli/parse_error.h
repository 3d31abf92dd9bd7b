#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace dhyan::cli {

// The error of a command line in plain words: "--beam-size: expected a whole number from 1 to 1000, got 'x'". The
// parser's own messages name C++ types, print limits such as the largest double, and omit the given value.
std::string parse_error_text(const CLI::ParseError& error, const CLI::App& command);

}  // namespace dhyan::cli
