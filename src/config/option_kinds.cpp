#include "config/option_kinds.h"

#include "core/suggest.h"

namespace dhyan::option_kinds {

const std::string& single(const Setting& setting) {
  if (setting.values.size() == 1) return setting.values.front();
  setting.fail(cat(setting.name, " has ", setting.values.size(), " values, expected one"));
}

std::string expected_of(std::span<const std::string> choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += cat(i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ", choices[i]);
  }
  return text;
}

void refuse_word(const Setting& setting, std::span<const std::string> choices) {
  const std::string& word = setting.values.front();
  std::string names;
  for (const std::string& choice : choices) names += cat(names.empty() ? "" : ", ", choice);
  setting.fail(cat(setting.name, ": '", word, "' is none of ", names, suggestion(word, choices)));
}

}  // namespace dhyan::option_kinds
