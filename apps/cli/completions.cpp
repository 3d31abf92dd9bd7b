#include "cli/completions.h"

#include <algorithm>
#include <array>
#include <functional>

#include "core/error.h"

namespace dhyan::cli {

namespace {

bool takes_folder(const OptionText& option) { return option.value == "DIR" || option.value == "FOLDER"; }
bool takes_file(const OptionText& option) { return option.value.starts_with("FILE") || option.value == "SYSTEM"; }

// The help without the colon before a list of choices.
std::string brief(const OptionText& option) {
  return option.help.ends_with(':') ? option.help.substr(0, option.help.size() - 1) : option.help;
}

std::string with_blanks(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += cat(text.empty() ? "" : " ", word);
  return text;
}

std::vector<std::string> below(const CommandText& command) {
  std::vector<std::string> names;
  for (const CommandText& one : command.commands) names.push_back(one.path.back());
  return names;
}

// Text between single quotes, for bash and zsh; fish has \' instead.
std::string in_quotes(const std::string& text, const std::string& quote) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? quote : std::string(1, letter);
  return result + "'";
}

std::string shell_quoted(const std::string& text) { return in_quotes(text, "'\\''"); }
std::string fish_quoted(const std::string& text) { return in_quotes(text, "\\'"); }

// Finds the command that the words before the cursor name, then completes the values of an option, or names of options
// and commands. Otherwise the shell completes files.
constexpr std::string_view kBashFunction = R"(_dhyan_values() {  # of a list, what follows the last comma
  local before=
  [[ $current == *,* ]] && before=${current%,*},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${current##*,}"))
}

_dhyan() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=dhyan words= i
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
      @commands@) command+=" ${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $previous" in
@values@  esac
  case "$command" in
@names@  esac
  if [[ $current == -* || $words != -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o bashdefault -o default -F _dhyan dhyan
)";

std::string filled(std::string text, const std::string& name, const std::string& by) {
  return text.replace(text.find(name), name.size(), by);
}

std::string bash_script(const CommandText& program) {
  std::string commands, values, names;
  for (const CommandText* command : all_commands(program)) {
    const std::string path = joined_path(*command);
    if (command != &program) commands += cat(commands.empty() ? "" : "|", '"', path, '"');
    std::vector<std::string> words = below(*command);
    for (const OptionText& option : command->options) {
      words.insert(words.end(), option.names.begin(), option.names.end());
      if (!option.value_required) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += cat(patterns.empty() ? "" : "|", '"', path, ' ', name, '"');
      const std::string reply = cat("_dhyan_values \"", with_blanks(option.choices), "\"; ");
      values += cat("    ", patterns, ") ", option.choices.empty() ? "" : reply, "return ;;\n");
    }
    for (const OptionText& positional : command->positionals) {
      words.insert(words.begin(), positional.choices.begin(), positional.choices.end());
    }
    names += cat("    \"", path, "\") words=\"", with_blanks(words), "\" ;;\n");
  }
  std::string script = filled(std::string(kBashFunction), "@commands@", commands);
  script = filled(std::move(script), "@values@", values);
  return cat("# dhyan's completions for bash, made by 'dhyan completion bash'.\n",
             filled(std::move(script), "@names@", names));
}

std::string zsh_action(const OptionText& option) {
  if (!option.choices.empty()) return cat("(", with_blanks(option.choices), ")");
  if (takes_folder(option)) return "_files -/";
  return takes_file(option) ? "_files" : " ";
}

// Escapes a description or message for _arguments.
std::string zsh_escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

std::string zsh_function_name(const CommandText& command) {
  std::string name;
  for (const std::string& part : command.path) name += "_" + part;
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string zsh_options(const CommandText& command) {
  std::string text;
  for (const OptionText& option : command.options) {
    for (const std::string& name : option.names) {
      std::string one = cat("*", name,
                            option.value.empty() || !name.starts_with("--") ? ""
                            : option.value_required                         ? "="
                                                                            : "=-",
                            "[", zsh_escaped(brief(option)), "]");
      if (!option.value.empty()) {
        one += cat(option.value_required ? ":" : "::", zsh_escaped(option.value), ":", zsh_action(option));
      }
      text += cat(" \\\n    ", shell_quoted(one));
    }
  }
  return text;
}

std::string zsh_function(const CommandText& command) {
  std::string text = cat("\n", zsh_function_name(command), "() {\n");
  if (command.commands.empty()) {
    text += cat("  _arguments -S", zsh_options(command));
    for (const OptionText& positional : command.positionals) {
      text += cat(" \\\n    ", shell_quoted(cat("*:", zsh_escaped(positional.value), ":",
                                                positional.choices.empty() ? "_files" : zsh_action(positional))));
    }
    return text + "\n}\n";
  }
  text +=
      cat("  local line state\n  local -a commands\n  _arguments -C", zsh_options(command),
          " \\\n    '1:command:->command' '*::argument:->argument'\n  case $state in\n    command)\n      commands=(");
  for (const CommandText& below : command.commands) {
    text += cat("\n        ", shell_quoted(cat(below.path.back(), ":", zsh_escaped(below.summary))));
  }
  text += ")\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n";
  for (const CommandText& below : command.commands) {
    text += cat("        ", below.path.back(), ") ", zsh_function_name(below), " ;;\n");
  }
  return text + "      esac ;;\n  esac\n}\n";
}

std::string zsh_script(const CommandText& program) {
  std::string text = "#compdef dhyan\n# dhyan's completions for zsh, made by 'dhyan completion zsh'.\n";
  for (const CommandText* command : all_commands(program)) text += zsh_function(*command);
  // The completion system runs the script as the function itself; sourced, the script registers the function.
  return text + "\nif [[ $funcstack[1] == _dhyan ]]; then\n  _dhyan \"$@\"\nelse\n  compdef _dhyan dhyan\nfi\n";
}

// The condition that the words before the cursor name this command and none of its subcommands.
std::string fish_condition(const CommandText& command) {
  if (command.path.size() == 1) return "__fish_use_subcommand";
  std::string text;
  for (const std::string& name : std::span(command.path).subspan(1)) {
    text += cat(text.empty() ? "" : "; and ", "__fish_seen_subcommand_from ", name);
  }
  if (!command.commands.empty()) text += cat("; and not __fish_seen_subcommand_from ", with_blanks(below(command)));
  return text;
}

std::string fish_option(const std::string& start, const OptionText& option) {
  std::string text = start;
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? cat(" -l ", name.substr(2)) : cat(" -s ", name.substr(1));
  }
  text += cat(" -d ", fish_quoted(brief(option)));
  if (!option.choices.empty()) return cat(text, " -x -a ", fish_quoted(with_blanks(option.choices)), '\n');
  if (!option.value_required) return text + "\n";
  return cat(text, takes_folder(option) ? " -x -a '(__fish_complete_directories)'" : " -r", '\n');
}

std::string fish_script(const CommandText& program) {
  std::string text = "# dhyan's completions for fish, made by 'dhyan completion fish'.\ncomplete -c dhyan -e\n";
  for (const CommandText* command : all_commands(program)) {
    const std::string start = cat("complete -c dhyan -n ", fish_quoted(fish_condition(*command)));
    for (const CommandText& below : command->commands) {
      text += cat(start, " -f -a ", below.path.back(), " -d ", fish_quoted(below.summary), '\n');
    }
    for (const OptionText& option : command->options) text += fish_option(start, option);
    for (const OptionText& positional : command->positionals) {
      if (positional.choices.empty()) continue;
      text += cat(start, " -f -a ", fish_quoted(with_blanks(positional.choices)), '\n');
    }
  }
  return text;
}

constexpr std::array<Shell, 3> kShells{{
    {"bash", "~/.local/share/bash-completion/completions/dhyan", bash_script},
    {"zsh", "_dhyan in a folder of $fpath", zsh_script},
    {"fish", "~/.config/fish/completions/dhyan.fish", fish_script},
}};

}  // namespace

std::span<const Shell> shells() { return kShells; }

}  // namespace dhyan::cli
