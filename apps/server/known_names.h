#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/parameters.h"

namespace dhyan::server {

// BadRequest, with the nearest name, if an object within the parameter has a field that is not among `known`.
void expect_known_fields(const std::string& parameter, const nlohmann::json& object,
                         const std::vector<std::string>& known);

// The parameters of our own routes, as /openapi.json describes them. These routes take no others, so that a misspelled
// option does not go unnoticed. Routes of other APIs take any: their clients send more than is described.
class KnownParameters {
 public:
  explicit KnownParameters(const std::string& openapi);

  // BadRequest, with the nearest name, for a parameter that our own route of this path does not have.
  void expect_known(std::string_view path, const Parameters& given) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> names_;  // of each path
};

}  // namespace dhyan::server
