#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// The origin of a setting; determines the type of its errors.
enum class Origin {
  kFile,         // ConfigError
  kCommandLine,  // UsageError
  kModelFolder,  // ModelFileError
  kRequest,      // UsageError: JSON from a client
};

enum class JsonType { kString, kNumber, kSwitch };

// The name of an option and its unparsed values.
struct Setting {
  std::string where;  // "my.yaml:3" or "--hidden"
  std::string name;
  std::vector<std::string> values;
  Origin origin = Origin::kFile;
  std::vector<JsonType> types = {};  // of the values, if they come from JSON
  bool is_list = false;              // in JSON

  // "where: what"; but "--hidden is ..." if `where` is the option that `what` starts with.
  std::string message(const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;  // throws it
};

// Parses a flat YAML map of option names to scalars or lists of scalars. ConfigError, with file and line, for anything
// else.
std::vector<Setting> parse_yaml(std::string_view where, std::string_view text);
std::vector<Setting> read_yaml(const std::filesystem::path& file);

// Parses the same in JSON. The origin decides which error is thrown.
std::vector<Setting> parse_json(std::string_view where, std::string_view text, Origin origin = Origin::kModelFolder);
std::vector<Setting> read_json(const std::filesystem::path& file);

}  // namespace dhyan
