#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace dhyan::server {

// The variables of the environment by which systemd hands sockets to a service it starts: LISTEN_PID and LISTEN_FDS.
struct Activation {
  std::string process, sockets;

  static Activation of_environment();  // takes them out, so that programs that we start do not see them
};

// Descriptors of listening sockets, from 3 on; none if they are meant for another process. UsageError for a malformed
// number.
std::vector<int> activated_sockets(const Activation& activation, pid_t self);

}  // namespace dhyan::server
