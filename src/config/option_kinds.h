#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <utility>

#include "config/field_path.h"
#include "config/option.h"
#include "core/error.h"
#include "core/number_text.h"

// The functions that make the rows of tables of options: one for each kind of field.
namespace dhyan::option_kinds {

template <class Path>
using RowOf = OptionOf<typename Path::Target>;

template <class T>
struct Range {
  T low, high;
};

inline constexpr std::string_view kUnset = "default";  // an optional number that is not set

const std::string& single(const Setting& setting);              // its only value; fails unless there is one
std::string expected_of(std::span<const std::string> choices);  // "full, likely or certain"
[[noreturn]] void refuse_word(const Setting& setting, std::span<const std::string> choices);

// "a whole number from 1 to 1000"
template <class T>
std::string expected_in(const Range<T>& range) {
  const std::string from = cat(std::integral<T> ? "a whole number" : "a number", " from ", range.low);
  return range.high == std::numeric_limits<T>::max() ? from + " on" : cat(from, " to ", range.high);
}

template <class T>
NumberRange number_range(const Range<T>& range) {
  const bool open = range.high == std::numeric_limits<T>::max();
  return {.low = static_cast<double>(range.low),
          .high = open ? std::numeric_limits<double>::infinity() : static_cast<double>(range.high),
          .whole = std::integral<T>};
}

template <class T>
T number_in(const Range<T>& range, const Setting& setting, const std::string& text) {
  const std::optional<T> number = parse_number<T>(text);
  if (number && *number >= range.low && *number <= range.high) return *number;
  setting.fail(cat(setting.name, " is '", text, "', expected ", expected_in(range)));
}

template <class Path, class T = FieldOf<Path>>
RowOf<Path> number(std::string name, std::string help, std::type_identity_t<Range<T>> range, Path field) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kNumber,
          {},
          expected_in(range),
          [field](const auto& target) { return std::vector{number_text(field(target))}; },
          [field, range](auto& target, const Setting& setting) {
            field(target) = number_in(range, setting, single(setting));
          },
          {},
          {},
          {},
          number_range(range)};
}

// A std::optional<T>. `unset` is the word for no value, with which the user of the field decides.
template <class Path, class T = typename FieldOf<Path>::value_type>
RowOf<Path> optional_number(std::string name, std::string help, std::type_identity_t<Range<T>> range, Path field,
                            std::string_view unset = kUnset) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kNumber,
          {},
          cat(expected_in(range), unset == kUnset ? "" : cat(" or ", unset)),
          [field, unset](const auto& target) {
            const std::optional<T>& number = field(target);
            return std::vector{number ? number_text(*number) : std::string(unset)};
          },
          [field, range, unset](auto& target, const Setting& setting) {
            const std::string& text = single(setting);
            if (text == unset) {
              field(target).reset();
            } else {
              field(target) = number_in(range, setting, text);
            }
          },
          {},
          {},
          {},
          number_range(range)};
}

template <class Path>
RowOf<Path> toggle(std::string name, std::string help, Path field) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kSwitch,
          {"true", "false"},
          "true or false",
          [field](const auto& target) { return std::vector<std::string>{field(target) ? "true" : "false"}; },
          [field](auto& target, const Setting& setting) {
            const std::string& text = single(setting);
            if (text != "true" && text != "false")
              setting.fail(cat(setting.name, ": '", text, "' is not true or false"));
            field(target) = text == "true";
          },
          {},
          {},
          "true"};
}

// Without choices, any word.
template <class Path>
RowOf<Path> word(std::string name, std::string help, std::vector<std::string> choices, Path field) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kWord,
          choices,
          expected_of(choices),
          [field](const auto& target) { return std::vector<std::string>{field(target)}; },
          [field, choices](auto& target, const Setting& setting) {
            const std::string& text = single(setting);
            if (!choices.empty() && std::ranges::find(choices, text) == choices.end()) refuse_word(setting, choices);
            field(target) = text;
          }};
}

// An enum; `choices` is a table of Choice.
template <class Choices, class Path>
RowOf<Path> choice(std::string name, std::string help, const Choices& choices, Path field) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kWord,
          names_of(choices),
          expected_of(names_of(choices)),
          [field, choices](const auto& target) {
            const auto found = std::ranges::find(choices, field(target), [](const auto& c) { return c.value; });
            return std::vector{std::string(found->name)};
          },
          [field, choices](auto& target, const Setting& setting) {
            const auto found = std::ranges::find(choices, single(setting), [](const auto& c) { return c.name; });
            if (found == choices.end()) refuse_word(setting, names_of(choices));
            field(target) = found->value;
          }};
}

// Without choices, any words.
template <class Path>
RowOf<Path> words(std::string name, std::string help, std::vector<std::string> choices, Path field) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kWords,
          choices,
          expected_of(choices),
          [field](const auto& target) { return field(target); },
          [field, choices](auto& target, const Setting& setting) {
            for (const std::string& text : setting.values) {
              if (choices.empty() || std::ranges::find(choices, text) != choices.end()) continue;
              refuse_word({setting.where, setting.name, {text}, setting.origin}, choices);
            }
            field(target) = setting.values;
          }};
}

template <class Path>
RowOf<Path> numbers(std::string name, std::string help, Range<double> range, Path field) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kNumbers,
          {},
          expected_in(range),
          [field](const auto& target) {
            std::vector<std::string> texts;
            for (const double number : field(target)) texts.push_back(number_text(number));
            return texts;
          },
          [field, range](auto& target, const Setting& setting) {
            std::vector<double> numbers;
            for (const std::string& text : setting.values) numbers.push_back(number_in(range, setting, text));
            field(target) = std::move(numbers);
          },
          {},
          {},
          {},
          number_range(range)};
}

// The option with `value` as the name of its value in help: "DIR".
template <class Target>
OptionOf<Target> with_value(std::string value, OptionOf<Target> option) {
  option.value = std::move(value);
  return option;
}

// An option with one more name on the command line: "-b".
template <class Target>
OptionOf<Target> also(std::string alias, OptionOf<Target> option) {
  option.aliases.push_back(std::move(alias));
  return option;
}

}  // namespace dhyan::option_kinds
