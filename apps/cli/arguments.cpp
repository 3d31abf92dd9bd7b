#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/number_text.h"

namespace dhyan::cli {

namespace {

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (below->get_name() == name) return below;
  }
  return nullptr;
}

// The deepest command that the first arguments name; `words` receives their number.
const CLI::App& command_at(const CLI::App& program, const std::vector<std::string>& arguments, std::size_t& words) {
  const CLI::App* at = &program;
  for (words = 0; words < arguments.size(); ++words) {
    const CLI::App* below = command_named(*at, arguments[words]);
    if (below == nullptr) break;
    at = below;
  }
  return *at;
}

bool may_leave_out_its_number(const CLI::Option& option) {
  return option.get_expected_min() == 0 && option.get_items_expected_max() == 1 &&
         option.get_type_name().starts_with("[N]");
}

}  // namespace

std::vector<std::string> arguments_for(const CLI::App& program, std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words.front() == "version" && words.size() == 1) return {"--version"};
  std::size_t names = 0;
  if (words.front() == "help") {
    words.erase(words.begin());
    const CLI::App& asked = command_at(program, words, names);
    const bool has_commands = !asked.get_subcommands([](const CLI::App*) { return true; }).empty();
    const bool unknown = names < words.size() && has_commands;
    words.resize(unknown ? names + 1 : names);   // drops words that would run a command
    if (!unknown) words.emplace_back("--help");  // an unknown name is refused with the nearest one
    return words;
  }
  const CLI::App& command = command_at(program, words, names);
  for (std::size_t i = names; i + 1 < words.size() && words[i] != "--"; ++i) {
    const CLI::Option* option = words[i].starts_with("--") ? command.get_option_no_throw(words[i]) : nullptr;
    if (option == nullptr || !may_leave_out_its_number(*option)) continue;
    const std::string& next = words[i + 1];
    if (next.starts_with('-') && next != "-") continue;
    if (!parse_number<double>(next)) words[i] += "=" + option->get_default_str();
  }
  return words;
}

}  // namespace dhyan::cli
