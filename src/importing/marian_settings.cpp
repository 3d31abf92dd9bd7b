#include "importing/marian_settings.h"

#include "config/settings.h"
#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

MarianSettings::MarianSettings(const std::string& where, const TensorEntry& entry) : where_(where) {
  std::string_view text(reinterpret_cast<const char*>(entry.bytes.data()), entry.bytes.size());
  text = text.substr(0, text.find('\0'));
  try {
    for (Setting& setting : parse_yaml(where, text)) values_[setting.name] = std::move(setting.values);
  } catch (const ConfigError& error) {
    throw ModelFileError(error.what());
  }
}

std::string MarianSettings::text(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.empty()) return otherwise;
  return found->second.front();
}

Index MarianSettings::number(const std::string& name, Index otherwise) const {
  const auto value = parse_number<Index>(text(name, cat(otherwise)));
  if (!value || *value < 0 || *value > 1 << 20) {
    throw ModelFileError(cat(where_, ": ", name, " is '", text(name, ""), "', expected a whole number"));
  }
  return *value;
}

void MarianSettings::expect(const std::string& name, const std::string& otherwise, const std::string& expected) const {
  if (text(name, otherwise) == expected) return;
  throw ModelFileError(cat(where_, ": ", name, " is '", text(name, otherwise),
                           "', which dhyan does not import; expected '", expected, "'"));
}

}  // namespace dhyan
