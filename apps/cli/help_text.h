#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command_text.h"

namespace dhyan::cli {

enum class HelpExtent { kUsual, kAll };

// The text of --help or --help-all for a command. `usual` names the options, with their dashes, that --help shows; if
// it is empty, --help shows all.
std::string help_text(const CommandText& command, const std::vector<std::string>& usual, HelpExtent extent);

// Makes the parser print help_text().
class HelpFormatter final : public CLI::FormatterBase {
 public:
  explicit HelpFormatter(std::vector<std::string> usual) : usual_(std::move(usual)) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  std::vector<std::string> usual_;
};

}  // namespace dhyan::cli
