#include "server/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/choice.h"
#include "core/number_text.h"
#include "server/header_value.h"
#include "server/json_body.h"
#include "server/multipart.h"
#include "server/urlencoded.h"
#include "text/unicode.h"

namespace dhyan::server {

namespace {

using Json = nlohmann::json;

constexpr std::array kFlagNames{Choice{"true", true}, Choice{"false", false}, Choice{"1", true},  Choice{"0", false},
                                Choice{"yes", true},  Choice{"no", false},    Choice{"on", true}, Choice{"off", false}};

[[noreturn]] void fail_for(std::string_view name, const std::string& what) {
  throw BadRequest(cat(name, " ", what), std::string(name));
}

// "a number", "an array".
std::string kind_of(const Json& value) {
  const std::string kind = value.type_name();
  return cat(kind == "array" || kind == "object" ? "an " : "a ", kind);
}

// Without quotes if it is a string, and without a fraction if it is whole: 1.0 is an integer of JSON Schema.
std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>();
  constexpr double kExact = 1LL << 53;
  const double number = value.is_number_float() ? value.get<double>() : kExact;
  if (number == std::trunc(number) && std::abs(number) < kExact) return std::to_string(static_cast<long>(number));
  return value.dump();
}

std::string with_lf(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before_lf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!before_lf) result += text[i];
  }
  return result;
}

bool is_json_body(const HeaderValue& type, const std::string& body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  if (first == body.npos) return false;  // some clients name the type in requests without a body
  if (type.value == "application/json" || type.value.ends_with("+json")) return true;
  return (type.value.empty() || type.value == "text/plain") && body[first] == '{';
}

}  // namespace

class Parameters::Builder {
 public:
  Builder& add_query(const HttpRequest& request) {
    add_fields(parse_urlencoded(request.query));
    return *this;
  }

  Builder& add_body(const HttpRequest& request) {
    const HeaderValue type = parse_header_value(request.header("content-type"));
    if (is_json_body(type, request.body)) {
      add_json(parse_json_object(request.body));
    } else if (type.value == "application/x-www-form-urlencoded") {
      add_fields(parse_urlencoded(request.body));
    } else if (type.value == "multipart/form-data") {
      const auto boundary = type.parameter("boundary");
      if (!boundary) throw BadRequest("multipart: the Content-Type has no boundary");
      for (const FormPart& part : parse_multipart(request.body, *boundary)) add_part(part);
    }
    return *this;
  }

  Parameters build() {
    parameters_.values_ = std::make_shared<const Json>(std::move(values_));
    return std::move(parameters_);
  }

 private:
  static void expect_utf8(std::string_view name, std::string_view text) {
    if (first_bad_byte(name)) throw BadRequest("the name of a parameter is not valid UTF-8");
    if (!first_bad_byte(text)) return;
    if (name.size() > kMaxShownName) throw BadRequest("a parameter is not valid UTF-8");
    fail_for(name, "is not valid UTF-8");
  }

  void add_fields(const HttpFields& fields) {
    for (const auto& [name, value] : fields) add_field(name, value);
  }

  void add_field(const std::string& name, std::string_view text) {
    expect_utf8(name, text);
    const auto [at, is_new] = values_.emplace(name, with_lf(text));
    if (is_new) return;
    if (parameters_.repeated_.insert(name).second) *at = Json::array({std::move(*at)});
    at->push_back(with_lf(text));
  }

  void add_part(const FormPart& part) {
    if (!part.is_file) return add_field(part.name, part.bytes);
    expect_utf8(part.name, part.file_name);
    if (part.file_name.empty() && part.bytes.empty()) return;  // a form whose file was not chosen
    parameters_.files_.try_emplace(part.name, UploadedFile{part.file_name, part.content_type, std::string(part.bytes)});
  }

  void add_json(Json body) {
    for (const auto& [name, value] : body.items()) {
      parameters_.repeated_.erase(name);
      values_[name] = std::move(value);
    }
  }

  Parameters parameters_;
  Json values_ = Json::object();
};

Parameters Parameters::of(const HttpRequest& request) { return Builder().add_query(request).add_body(request).build(); }

Parameters Parameters::of_query(const HttpRequest& request) { return Builder().add_query(request).build(); }

const Json* Parameters::json(std::string_view name) const {
  const auto found = values_->find(name);
  return found == values_->end() || found->is_null() ? nullptr : &*found;
}

const Json* Parameters::scalar(std::string_view name) const {
  const Json* value = json(name);
  if (value != nullptr && is_repeated(name)) value = &value->front();
  if (value != nullptr && value->is_structured()) fail_for(name, cat("is ", kind_of(*value), ", expected one value"));
  return value;
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> names;
  for (const auto& value : values_->items()) names.push_back(value.key());
  for (const auto& file : files_) names.push_back(file.first);
  return names;
}

bool Parameters::has(std::string_view name) const { return json(name) != nullptr; }

bool Parameters::is_list(std::string_view name) const {
  const Json* value = json(name);
  return value != nullptr && value->is_array() && !is_repeated(name);
}

std::optional<std::string> Parameters::text(std::string_view name) const {
  const Json* value = scalar(name);
  if (value == nullptr) return std::nullopt;
  return plain_text(*value);
}

std::vector<std::string> Parameters::texts(std::string_view name) const {
  const Json* value = json(name);
  if (value == nullptr) return {};
  if (!value->is_array()) return {*text(name)};
  std::vector<std::string> texts;
  texts.reserve(value->size());
  for (const Json& item : *value) {
    if (item.is_structured() || item.is_null()) {
      fail_for(name, cat("has ", kind_of(item), " as item ", texts.size() + 1, ", expected a string"));
    }
    texts.push_back(plain_text(item));
  }
  return texts;
}

std::optional<long> Parameters::integer(std::string_view name) const {
  const auto given = text(name);
  if (!given || given->empty()) return std::nullopt;
  const auto number = parse_number<long>(*given);
  if (!number) fail_for(name, "is not an integer, or too large");
  return number;
}

std::optional<double> Parameters::real(std::string_view name) const {
  const auto given = text(name);
  if (!given || given->empty()) return std::nullopt;
  const auto number = parse_number<double>(*given);
  if (!number || !std::isfinite(*number)) fail_for(name, "is not a finite number");
  return number;
}

std::optional<bool> Parameters::flag(std::string_view name) const {
  const auto given = text(name);
  if (!given || given->empty()) return std::nullopt;
  const auto found = std::ranges::find(kFlagNames, ascii_lowercase(*given), &Choice<bool>::name);
  if (found == kFlagNames.end()) fail_for(name, "is neither true nor false");
  return found->value;
}

const UploadedFile* Parameters::file(std::string_view name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace dhyan::server
