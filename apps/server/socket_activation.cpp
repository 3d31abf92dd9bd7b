#include "server/socket_activation.h"

#include <cstdlib>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan::server {

namespace {

constexpr int kFirst = 3;  // after standard input, output and error
constexpr int kMost = 64;

std::string taken(const char* name) {
  const char* value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

}  // namespace

Activation Activation::of_environment() {
  Activation activation{taken("LISTEN_PID"), taken("LISTEN_FDS")};
  taken("LISTEN_FDNAMES");
  return activation;
}

std::vector<int> activated_sockets(const Activation& activation, pid_t self) {
  if (activation.process.empty() || activation.process != std::to_string(self)) return {};
  const std::optional<int> count = parse_number<int>(activation.sockets);
  if (!count || *count < 0 || *count > kMost) {
    throw UsageError(cat("serve: LISTEN_FDS is '", activation.sockets, "', expected a number from 0 to ", kMost));
  }
  std::vector<int> descriptors;
  for (int i = 0; i < *count; ++i) descriptors.push_back(kFirst + i);
  return descriptors;
}

}  // namespace dhyan::server
