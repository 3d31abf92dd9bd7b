#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/service_options.h"

namespace dhyan::server {

// The description of all routes, OpenAPI 3.1, in JSON. Its texts are apps/server/openapi/*.yaml; version, limits,
// search options and errors are filled in.
std::string openapi_json(const ServiceOptions& options);

// Those files, as they were when this was built.
std::span<const std::string_view> openapi_texts();

}  // namespace dhyan::server
