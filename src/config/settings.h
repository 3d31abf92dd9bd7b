#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// Where a setting was written down decides what kind of error a wrong one is.
enum class Origin {
  kFile,         // ConfigError
  kCommandLine,  // UsageError
  kModelFolder,  // ModelFileError
};

// An option by name and what it was given, not looked at yet.
struct Setting {
  std::string where;  // "my.yaml:3" or "--hidden"
  std::string name;
  std::vector<std::string> values;
  Origin origin = Origin::kFile;

  // "where: what", or "--hidden is ..." where `what` begins with the name of the option that `where` is.
  std::string message(const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;  // throws it
};

// One flat map of YAML: a key is the name of an option, a value a scalar or a list of them. ConfigError for anything
// else, with file and line.
std::vector<Setting> parse_yaml(std::string_view where, std::string_view text);
std::vector<Setting> read_yaml(const std::filesystem::path& file);

// The same in JSON, from a model's folder: ModelFileError.
std::vector<Setting> parse_json(std::string_view where, std::string_view text);
std::vector<Setting> read_json(const std::filesystem::path& file);

}  // namespace dhyan
