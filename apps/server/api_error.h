#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/error.h"

namespace dhyan::server {

// Why a request is refused. Each API writes it in its own form.
class ApiError : public Error {
 public:
  ApiError(int status, const std::string& message, std::string parameter = {})
      : Error(message), status_(status), parameter_(std::move(parameter)) {}

  int status() const { return status_; }
  const std::string& parameter() const { return parameter_; }  // the one at fault; empty if it is none in particular

  std::optional<int> retry_after = {};  // seconds

 private:
  int status_;
  std::string parameter_;
};

}  // namespace dhyan::server
