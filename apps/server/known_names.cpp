#include "server/known_names.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/error.h"
#include "core/suggest.h"
#include "server/service.h"

namespace dhyan::server {

namespace {

// "there is no parameter 'beam_sise'; did you mean 'beam_size'?"
std::string no_such_name(std::string_view kind, std::string_view name, std::span<const std::string> known) {
  if (name.size() > kMaxShownName) return cat("there is no ", kind, " with a name of ", name.size(), " bytes");
  return cat("there is no ", kind, " '", name, "'", suggestion(name, known));
}

bool is_among(std::string_view name, std::span<const std::string> names) {
  return std::ranges::find(names, name) != names.end();
}

const nlohmann::json& referred_to(const nlohmann::json& document, const nlohmann::json& node) {
  const auto reference = node.find("$ref");
  if (reference == node.end()) return node;
  return document.at(nlohmann::json::json_pointer(reference->get_ref<const std::string&>().substr(1)));  // without "#"
}

// Those of the query, of each kind of body, and of every operation: a key.
std::vector<std::string> described_names(const nlohmann::json& document, const nlohmann::json& operation) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (!is_among(name, names)) names.push_back(name);
  };
  for (const nlohmann::json& parameter : operation.value("parameters", nlohmann::json::array())) {
    add(parameter.at("name").get<std::string>());
  }
  if (const auto body = operation.find("requestBody"); body != operation.end()) {
    for (const nlohmann::json& content : body->at("content")) {
      for (const auto& property : referred_to(document, content.at("schema")).at("properties").items()) {
        add(property.key());
      }
    }
  }
  for (const nlohmann::json& scheme : document.at("components").at("securitySchemes")) {
    if (scheme.value("in", "") == "query") add(scheme.at("name").get<std::string>());
  }
  return names;
}

}  // namespace

void expect_known_fields(const std::string& parameter, const nlohmann::json& object,
                         const std::vector<std::string>& known) {
  for (const auto& field : object.items()) {
    if (is_among(field.key(), known)) continue;
    throw BadRequest(cat(parameter, ": ", no_such_name("field", field.key(), known)), parameter);
  }
}

KnownParameters::KnownParameters(const std::string& openapi) {
  const auto document = nlohmann::json::parse(openapi);
  for (const Route& route : routes()) {
    if (route.api != Api::kDhyan || route.public_access) continue;
    const std::string path(route.path);
    const char* method = route.method == "GET" ? "get" : "post";
    names_[path] = described_names(document, document.at("paths").at(path).at(method));
  }
}

void KnownParameters::expect_known(std::string_view path, const Parameters& given) const {
  const auto known = names_.find(path);
  if (known == names_.end()) return;
  for (const std::string& name : given.names()) {
    if (is_among(name, known->second)) continue;
    throw BadRequest(no_such_name("parameter", name, known->second), name.size() > kMaxShownName ? "" : name);
  }
}

}  // namespace dhyan::server
