#include "config/settings.h"

#include <nlohmann/json.hpp>
#include <set>
#include <yaml-cpp/yaml.h>

#include "core/error.h"
#include "core/file.h"

namespace dhyan {

namespace {

constexpr std::size_t kLargestFile = 1 << 20;  // of settings; a larger file is not one

template <class WhenTooLarge>
std::string text_of(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  const auto bytes = mapped.bytes();
  if (bytes.size() > kLargestFile) {
    throw WhenTooLarge(
        cat(file.string(), ": has ", bytes.size(), " bytes, expected settings of at most ", kLargestFile));
  }
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  mapped.expect_unchanged();
  return text;
}

std::string place(std::string_view where, const YAML::Mark& mark) { return cat(where, ":", mark.line + 1); }

const std::string& scalar(const Setting& setting, const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  setting.fail(cat(setting.name, node.IsNull() ? " has no value" : " is neither a plain value nor a list of them"));
}

Setting setting_of(std::string_view where, const YAML::Node& key, const YAML::Node& value) {
  Setting setting{.where = place(where, key.Mark()), .name = {}, .values = {}};
  if (!key.IsScalar()) setting.fail("expected the name of an option");
  setting.name = key.Scalar();
  if (!value.IsSequence()) {
    setting.values.push_back(scalar(setting, value));
  } else {
    for (const YAML::Node& element : value) setting.values.push_back(scalar(setting, element));
  }
  return setting;
}

// Accepts one flat object and throws at the first other element, so that the depth is bounded.
class FlatReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  FlatReader(std::string_view where, Origin origin) : where_(where), origin_(origin) {}

  std::vector<Setting> take() { return std::move(settings_); }

  bool null() override { fail("null"); }
  bool boolean(bool value) override { return add(value ? "true" : "false", JsonType::kSwitch); }
  bool number_integer(number_integer_t value) override { return add(std::to_string(value), JsonType::kNumber); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::to_string(value), JsonType::kNumber); }
  bool number_float(number_float_t, const std::string& text) override { return add(text, JsonType::kNumber); }
  bool string(std::string& value) override { return add(value, JsonType::kString); }
  bool binary(binary_t&) override { fail("binary data"); }

  bool start_object(std::size_t) override {
    if (depth_ > 0) fail("an object");
    ++depth_;
    return true;
  }
  bool key(std::string& name) override {
    settings_.push_back({std::string(where_), name, {}, origin_});
    if (!names_.insert(name).second) settings_.back().fail(cat("'", name, "' occurs twice"));
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 1) fail("an array");
    settings_.back().is_list = true;
    ++depth_;
    return true;
  }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    object_error(cat("is not JSON at its byte ", position));
  }

 private:
  bool add(std::string value, JsonType type) {
    if (depth_ == 0) fail(cat("'", value, "'"));
    settings_.back().values.push_back(std::move(value));
    settings_.back().types.push_back(type);
    return true;
  }
  bool leave() {
    --depth_;
    return true;
  }

  [[noreturn]] void fail(const std::string& found) const {
    if (depth_ == 0) object_error(cat("is ", found, ", expected an object"));
    settings_.back().fail(cat(settings_.back().name, " holds ", found, ", expected a plain value or a list of them"));
  }

  // Fails for the whole text instead of one setting.
  [[noreturn]] void object_error(const std::string& what) const {
    Setting{.where = std::string(where_), .name = {}, .values = {}, .origin = origin_}.fail(what);
  }

  std::string_view where_;
  Origin origin_;
  std::vector<Setting> settings_;
  std::set<std::string> names_;
  int depth_ = 0;  // 1 in the object, 2 in a list
};

}  // namespace

std::string Setting::message(const std::string& what) const {
  const bool named_twice = where == "--" + name && what.starts_with(name);
  return named_twice ? cat(where, what.substr(name.size())) : cat(where, ": ", what);
}

void Setting::fail(const std::string& what) const {
  if (origin == Origin::kCommandLine || origin == Origin::kRequest) throw UsageError(message(what));
  if (origin == Origin::kModelFolder) throw ModelFileError(message(what));
  throw ConfigError(message(what));
}

std::vector<Setting> parse_yaml(std::string_view where, std::string_view text) {
  YAML::Node root;
  try {
    root = YAML::Load(std::string(text));
  } catch (const YAML::Exception& error) {  // converts the library's errors
    throw ConfigError(cat(place(where, error.mark), ": is not YAML: ", error.msg));
  }
  if (root.IsNull()) return {};
  if (!root.IsMap()) throw ConfigError(cat(place(where, root.Mark()), ": expected lines of 'option: value'"));
  std::vector<Setting> settings;
  std::set<std::string> names;
  for (const auto& entry : root) {
    settings.push_back(setting_of(where, entry.first, entry.second));
    const Setting& last = settings.back();
    if (!names.insert(last.name).second) last.fail(cat("'", last.name, "' occurs twice"));
  }
  return settings;
}

std::vector<Setting> read_yaml(const std::filesystem::path& file) {
  return parse_yaml(file.string(), text_of<ConfigError>(file));
}

std::vector<Setting> parse_json(std::string_view where, std::string_view text, Origin origin) {
  FlatReader reader(where, origin);
  nlohmann::json::sax_parse(text, &reader);
  return reader.take();
}

std::vector<Setting> read_json(const std::filesystem::path& file) {
  return parse_json(file.string(), text_of<ModelFileError>(file));
}

}  // namespace dhyan
