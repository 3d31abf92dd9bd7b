#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <utility>

#include "config/options.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/number_text.h"
#include "core/suggest.h"

namespace dhyan::option_kinds {

// What the table of options is written with: a function for each kind of field. `member` leads from a Config to the
// field, for reading and for writing: path(&Config::common, &ModelConfig::hidden).
template <class... Members>
constexpr auto path(Members... members) {
  return [members...](auto& config) -> auto& { return (config.*....*members); };
}

template <class T>
struct Range {
  T low, high;
};

inline constexpr std::string_view kUnset = "default";  // an optional number that is not given

inline const std::string& single(const Setting& setting) {
  if (setting.values.size() == 1) return setting.values.front();
  setting.fail(cat(setting.name, " has ", setting.values.size(), " values, expected one"));
}

template <class T>
T number_in(const Range<T>& range, const Setting& setting, const std::string& text) {
  const std::optional<T> number = parse_number<T>(text);
  if (number && *number >= range.low && *number <= range.high) return *number;
  const char* what = std::integral<T> ? "a whole number" : "a number";
  setting.fail(cat(setting.name, " is '", text, "', expected ", what, " from ", range.low, " to ", range.high));
}

[[noreturn]] inline void refuse_word(const Setting& setting, std::span<const std::string> choices) {
  const std::string& word = setting.values.front();
  std::string names;
  for (const std::string& choice : choices) names += cat(names.empty() ? "" : ", ", choice);
  setting.fail(cat(setting.name, ": '", word, "' is none of ", names, suggestion(word, choices)));
}

template <class Member>
using FieldOf = std::remove_cvref_t<std::invoke_result_t<Member, Config&>>;

template <class Member, class T = FieldOf<Member>>
Option number(std::string name, std::string help, std::type_identity_t<Range<T>> range, Member member) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kNumber,
          {},
          [member](const Config& config) { return std::vector{number_text(member(config))}; },
          [member, range](Config& config, const Setting& setting) {
            member(config) = number_in(range, setting, single(setting));
          }};
}

// Of std::optional<T>: what it is if it is not given is decided elsewhere; `unset` is the word for that.
template <class Member, class T = typename FieldOf<Member>::value_type>
Option optional_number(std::string name, std::string help, std::type_identity_t<Range<T>> range, Member member,
                       std::string_view unset = kUnset) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kNumber,
          {},
          [member, unset](const Config& config) {
            const std::optional<T>& number = member(config);
            return std::vector{number ? number_text(*number) : std::string(unset)};
          },
          [member, range, unset](Config& config, const Setting& setting) {
            const std::string& text = single(setting);
            if (text == unset) {
              member(config).reset();
            } else {
              member(config) = number_in(range, setting, text);
            }
          }};
}

template <class Member>
Option toggle(std::string name, std::string help, Member member) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kSwitch,
          {"true", "false"},
          [member](const Config& config) { return std::vector<std::string>{member(config) ? "true" : "false"}; },
          [member](Config& config, const Setting& setting) {
            const std::string& text = single(setting);
            if (text != "true" && text != "false")
              setting.fail(cat(setting.name, ": '", text, "' is not true or false"));
            member(config) = text == "true";
          }};
}

// With no choices, any word.
template <class Member>
Option word(std::string name, std::string help, std::vector<std::string> choices, Member member) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kWord,
          choices,
          [member](const Config& config) { return std::vector<std::string>{member(config)}; },
          [member, choices](Config& config, const Setting& setting) {
            const std::string& text = single(setting);
            if (!choices.empty() && std::ranges::find(choices, text) == choices.end()) refuse_word(setting, choices);
            member(config) = text;
          }};
}

// An option whose value help calls `value`: "DIR".
inline Option with_value(std::string value, Option option) {
  option.value = std::move(value);
  return option;
}

// Of an enum: `choices` is a table of Choice.
template <class Choices, class Member>
Option choice(std::string name, std::string help, const Choices& choices, Member member) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kWord,
          names_of(choices),
          [member, choices](const Config& config) {
            const auto found = std::ranges::find(choices, member(config), [](const auto& c) { return c.value; });
            return std::vector{std::string(found->name)};
          },
          [member, choices](Config& config, const Setting& setting) {
            const auto found = std::ranges::find(choices, single(setting), [](const auto& c) { return c.name; });
            if (found == choices.end()) refuse_word(setting, names_of(choices));
            member(config) = found->value;
          }};
}

// With no choices, any words.
template <class Member>
Option words(std::string name, std::string help, std::vector<std::string> choices, Member member) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kWords,
          choices,
          [member](const Config& config) { return member(config); },
          [member, choices](Config& config, const Setting& setting) {
            for (const std::string& text : setting.values) {
              if (choices.empty() || std::ranges::find(choices, text) != choices.end()) continue;
              refuse_word({setting.where, setting.name, {text}, setting.origin}, choices);
            }
            member(config) = setting.values;
          }};
}

template <class Member>
Option numbers(std::string name, std::string help, Range<double> range, Member member) {
  return {std::move(name),
          {},
          std::move(help),
          OptionKind::kNumbers,
          {},
          [member](const Config& config) {
            std::vector<std::string> texts;
            for (const double number : member(config)) texts.push_back(number_text(number));
            return texts;
          },
          [member, range](Config& config, const Setting& setting) {
            std::vector<double> numbers;
            for (const std::string& text : setting.values) numbers.push_back(number_in(range, setting, text));
            member(config) = std::move(numbers);
          }};
}

}  // namespace dhyan::option_kinds
