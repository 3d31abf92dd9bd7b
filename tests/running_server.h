#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "server/testing/http_client.h"

namespace dhyan {

// For tests: `dhyan serve` on a free port. It is told to end, and must, when this is destroyed.
class RunningServer {
 public:
  // Returns when the server says that it is ready, or has ended.
  explicit RunningServer(std::vector<std::string> arguments);
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  int port() const { return port_; }
  std::string log() const;                            // so far
  bool waits_for_log(const std::string& text) const;  // for at most ten seconds
  void signal(int number) const;
  int exit_code();  // waits for the end

  struct Answer {
    int status = 0;
    std::string head, type, body;
    nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(body); }
  };
  Answer ask(std::string_view request) const;  // with all its bytes, on a connection of its own
  Answer get(const std::string& path) const;
  Answer post(const std::string& path, const std::string& type, const std::string& body,
              const std::string& more_fields = "") const;  // "Name: value\r\n"
  Answer post(const std::string& path, const nlohmann::ordered_json& body) const;

 private:
  int error_;
  pid_t child_;
  std::optional<int> exit_code_;
  int port_ = 0;
};

}  // namespace dhyan
