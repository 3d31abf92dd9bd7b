#pragma once

#include <map>
#include <string>
#include <vector>

#include "interop/safetensors.h"

namespace dhyan {

// The settings in a model file of Marian itself.
class MarianSettings {
 public:
  // ModelFileError for text that is no YAML.
  MarianSettings(const std::string& where, const TensorEntry& entry);

  std::string text(const std::string& name, const std::string& otherwise) const;
  bool flag(const std::string& name) const { return text(name, "false") == "true"; }
  Index number(const std::string& name, Index otherwise) const;

  // ModelFileError, by the name of the setting, for a value that dhyan does not import.
  void expect(const std::string& name, const std::string& otherwise, const std::string& expected) const;

 private:
  std::string where_;
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace dhyan
