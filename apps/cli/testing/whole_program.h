#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/command_text.h"

namespace dhyan::cli {

// For tests: everything the binary can be told.
class WholeProgram {
 public:
  WholeProgram() : app_("dhyan", "dhyan"), runner_(add_commands(app_, commands())), text_(command_text(app_)) {}

  const CLI::App& app() const { return app_; }
  const CommandText& text() const { return text_; }

  void parse(const std::string& arguments) { app_.parse(arguments); }  // throws CLI::ParseError; nothing is run

 private:
  CLI::App app_;
  Runner runner_;
  CommandText text_;
};

}  // namespace dhyan::cli
