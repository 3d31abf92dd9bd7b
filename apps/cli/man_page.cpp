#include "cli/man_page.h"

#include <array>
#include <cstdio>

#include "cli/exit_code.h"
#include "core/error.h"
#include "core/version.h"
#include "text/unicode.h"

namespace dhyan::cli {

namespace {

// Text escaped for roff, so that it is printed unchanged.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char32_t code : to_utf32(text)) {
    if (code == '\\') {
      result += "\\e";
    } else if (code == '-') {
      result += "\\-";
    } else if (code < 0x80) {
      result += static_cast<char>(code);
    } else {
      std::array<char, 16> name;
      std::snprintf(name.data(), name.size(), "\\[u%04X]", static_cast<unsigned>(code));
      result += name.data();
    }
  }
  return result;
}

// A separate line, escaped if it begins like a request.
std::string text_line(std::string_view text) {
  const bool looks_like_request = text.starts_with(".") || text.starts_with("'");
  return cat(looks_like_request ? "\\&" : "", escaped(text), '\n');
}

std::string in_roff_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char letter : escaped(text)) result += letter == '"' ? std::string("\\(dq") : std::string(1, letter);
  return result + "\"";
}

std::string bold(std::string_view text) { return cat("\\fB", escaped(text), "\\fR"); }
std::string italic(std::string_view text) { return cat("\\fI", escaped(text), "\\fR"); }

std::string option_entry(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) names += cat(names.empty() ? "" : ", ", bold(name));
  std::string text = cat(".TP\n", names, option.value.empty() || names.empty() ? "" : " ",
                         option.value.empty() ? "" : italic(option.value), '\n', text_line(option.help));
  for (const std::string& detail : option.details) text += cat(".br\n", text_line(detail));
  const std::string choices = unnamed_choices(option);
  if (!choices.empty()) text += cat(".br\n", text_line("One of: " + choices));
  if (!option.needs.empty()) text += cat(".br\n", text_line("Needs: " + option.needs));
  if (!option.default_value.empty()) text += cat(".br\n", text_line("Default: " + option.default_value));
  return text;
}

std::string synopsis(const CommandText& command) {
  std::string text = bold(joined_path(command));
  if (!command.commands.empty()) text += cat(" ", italic("COMMAND"));
  text += cat(" [", italic("OPTIONS"), "]");
  for (const OptionText& positional : command.positionals) text += cat(" [", italic(positional.value), "]");
  return text + "\n";
}

std::string command_section(const CommandText& command) {
  std::string text = cat(".SS ", in_roff_quotes(joined_path(command)), '\n', text_line(command.summary + "."), ".PP\n",
                         synopsis(command));
  for (const OptionText& positional : command.positionals) text += option_entry(positional);
  std::string group;
  for (const OptionText& option : command.options) {
    if (option.group != group && option.group != "Options") text += cat(".PP\n", bold(option.group), '\n');
    group = option.group;
    text += option_entry(option);
  }
  if (command.examples.empty()) return text;
  text += ".PP\nExamples:\n.PP\n.nf\n.RS 4\n";
  for (const std::string& example : command.examples) text += text_line(example);
  return text + ".RE\n.fi\n";
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCodeEntry& entry : exit_codes()) {
    text += cat(".TP\n", bold(cat(static_cast<int>(entry.code))), '\n', text_line(entry.meaning));
  }
  return text;
}

}  // namespace

std::string man_page(const CommandText& program) {
  const std::string name = joined_path(program);
  std::string text =
      cat(".TH DHYAN 1 \"\" ", in_roff_quotes(cat(name, " ", version())), " \"User Commands\"\n.SH NAME\n", name,
          " \\- attention\\-based translation on plain CPUs\n.SH SYNOPSIS\n", synopsis(program));
  text += ".SH DESCRIPTION\n";
  text += text_line(
      "Trains translators and language models, translates with them, measures them and shows what they attend to. Text "
      "is "
      "UTF-8, one sentence per line. Results go to standard output, everything else to standard error.");
  for (const OptionText& option : program.options) text += option_entry(option);
  text += ".SH COMMANDS\n";
  for (const CommandText* command : all_commands(program)) {
    if (command != &program) text += command_section(*command);
  }
  text += exit_status();
  text += ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\n";
  text += text_line("If set and not empty, no colour is used, on a terminal either.");
  return text;
}

}  // namespace dhyan::cli
