#pragma once

#include "server/api_error.h"

namespace dhyan::server {

// The client sent something that cannot be answered.
class BadRequest : public ApiError {
 public:
  explicit BadRequest(const std::string& message, std::string parameter = {})
      : ApiError(400, message, std::move(parameter)) {}
};

}  // namespace dhyan::server
