#include "cli/parse_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

#include "cli/command_text.h"
#include "core/error.h"
#include "core/number_text.h"

namespace dhyan::cli {

namespace {

struct SplitText {
  std::string before, after;
};

std::optional<SplitText> split_at(const std::string& text, std::size_t place, std::string_view mark) {
  if (place == text.npos) return std::nullopt;
  return SplitText{text.substr(0, place), text.substr(place + mark.size())};
}

std::optional<SplitText> split_at_first(const std::string& text, std::string_view mark) {
  return split_at(text, text.find(mark), mark);
}

// The value can contain the mark; the parser's text after the mark cannot.
std::optional<SplitText> split_at_last(const std::string& text, std::string_view mark) {
  return split_at(text, text.rfind(mark), mark);
}

// Positionals are written as in the help: FILE.
std::string shown_argument(std::string name) {
  if (!name.starts_with('-'))
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

OptionText text_of_option(const std::string& name, const CLI::App& command) {
  const CommandText text = command_text(command);
  for (const OptionText& option : text.options) {
    if (std::ranges::find(option.names, name) != option.names.end()) return option;
  }
  for (const OptionText& positional : text.positionals) {
    if (positional.value == name) return positional;
  }
  return {};
}

// "hard, soft or none".
std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += cat(i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
  }
  return text;
}

bool is_whole(const OptionText& option) { return option.value == "N" || option.value == "[N]"; }

// "a whole number from 1 to 1000". The limits are text of the parser; those of doubles have six decimals.
std::string expected_number(const SplitText& limits, const std::string& name, const CLI::App& command) {
  const bool whole = limits.before.find('.') == limits.before.npos || is_whole(text_of_option(name, command));
  const std::string what = whole ? "a whole number" : "a number";
  const CLI::Option* option = command.get_option_no_throw(name);
  const double low = parse_number<double>(limits.before).value_or(0);
  const double high = parse_number<double>(limits.after).value_or(std::numeric_limits<double>::max());
  if (high < std::numeric_limits<double>::max()) {
    return cat(what, " from ", number_text(low), " to ", number_text(high));
  }
  const bool positive = option != nullptr && option->get_type_name().find(":POSITIVE") != std::string::npos;
  if (!positive) return what + " from 0 on";
  return what + (whole ? " from 1 on" : " above 0");
}

std::string validation_text(const std::string& message, const CLI::App& command) {
  const auto named = split_at_first(message, ": ");
  if (!named) return message;
  const auto& [name, problem] = *named;
  const std::string where = shown_argument(name) + ": ";
  if (const auto range = split_at_last(problem, " not in range "); range && range->before.starts_with("Value ")) {
    const auto limits = split_at_first(range->after, " to ");
    const std::string value = range->before.substr(std::string_view("Value ").size());
    if (limits) return cat(where, "expected ", expected_number(*limits, name, command), ", got '", value, "'");
  }
  if (const auto set = split_at_last(problem, " not in {")) {
    return cat(where, "expected ", alternatives(text_of_option(name, command).choices), ", got '", set->before, "'");
  }
  return where + problem;
}

std::string conversion_text(const std::string& message, const CLI::App& command) {
  constexpr std::string_view kStart = "Could not convert: ";
  const auto named = split_at_first(message, " = ");
  if (!named || !message.starts_with(kStart)) return message;
  const std::string name = named->before.substr(kStart.size());
  const CLI::Option* option = command.get_option_no_throw(name);
  const bool several = option != nullptr && option->get_delimiter() != '\0';
  const std::string what = several                                   ? "numbers, with commas between them"
                           : is_whole(text_of_option(name, command)) ? "a whole number"
                                                                     : "a number";
  return cat(shown_argument(name), ": expected ", what, ", got '", named->after, "'");
}

std::string mismatch_text(const std::string& message, const CLI::App& command) {
  const auto named = split_at_first(message, ": ");
  if (!named) return message;
  const auto& [name, problem] = *named;
  if (const auto missing = split_at_first(problem, " required "); missing && missing->after.ends_with(" missing")) {
    const OptionText option = text_of_option(name, command);
    const std::string value = option.choices.empty() ? option.value : alternatives(option.choices);
    const bool one = missing->before == "1";
    return cat(shown_argument(name), " needs ", one ? "a value" : missing->before + " values", " (", value, ")");
  }
  const auto counts = split_at_first(problem, " required but received ");
  for (const std::string_view bound : {"At least ", "At Most "}) {
    if (!counts || !counts->before.starts_with(bound)) continue;
    return cat(shown_argument(name), ": expected ", bound == "At least " ? "at least " : "at most ",
               counts->before.substr(bound.size()), ", got ", counts->after);
  }
  return message;
}

std::string exclusion_text(const std::string& message) {
  const auto both = split_at_first(message, " excludes ");
  if (!both) return message;
  std::string first = both->before, second = both->after;
  if (!first.starts_with('-')) std::swap(first, second);
  return cat(shown_argument(first), " and ", shown_argument(second), " do not go together");
}

}  // namespace

std::string parse_error_text(const CLI::ParseError& error, const CLI::App& command) {
  const std::string message = error.what(), kind = error.get_name();
  if (kind == "ValidationError") return validation_text(message, command);
  if (kind == "ConversionError") return conversion_text(message, command);
  if (kind == "ArgumentMismatch") return mismatch_text(message, command);
  if (kind == "ExcludesError") return exclusion_text(message);
  if (kind == "RequiresError") {
    const auto both = split_at_first(message, " requires ");
    return both ? cat(shown_argument(both->before), " needs ", shown_argument(both->after)) : message;
  }
  if (kind == "RequiredError") {
    const auto named = split_at_last(message, " is required");
    return named ? shown_argument(named->before) + " is required" : message;
  }
  return message;
}

}  // namespace dhyan::cli
