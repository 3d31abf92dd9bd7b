#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// A value and its name in files and on the command line. A table of choices stands beside its enum.
template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};
template <class Value>  // clang before 17 needs the guide
Choice(const char*, Value)->Choice<Value>;

template <class Choices>
std::vector<std::string> names_of(const Choices& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.emplace_back(choice.name);
  return names;
}

}  // namespace dhyan
