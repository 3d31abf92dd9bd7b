#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// A value and what it is called in files and on the command line. Tables of these stand beside their enum.
template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};
template <class Value>  // clang before 17 does not find it by itself
Choice(const char*, Value)->Choice<Value>;

template <class Choices>
std::vector<std::string> names_of(const Choices& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.emplace_back(choice.name);
  return names;
}

}  // namespace dhyan
