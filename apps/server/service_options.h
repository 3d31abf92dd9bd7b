#pragma once

#include <string>
#include <vector>

#include "server/served_model.h"

namespace dhyan::server {

struct ServiceOptions {
  std::vector<ModelSpec> models;
  int threads = 1;  // that translate; 0: the service starts no thread, and handle() returns when all is answered

  // 0: any number, where it says so.
  long max_characters = 10000;     // of all texts of a request; or 0
  std::size_t max_items = 128;     // texts of a request
  long max_alternatives = 10;      // of a translation
  std::size_t max_waiting = 256;   // requests in the queue
  double deadline_seconds = 30;    // of a request
  long requests_per_minute = 600;  // of each key or address; or 0

  std::string keys_file = {};                     // empty: no key is needed
  std::vector<std::string> hosts = {};            // names of this server beside its addresses and localhost
  std::vector<std::string> cors_origins = {};     // sites whose pages may call; "*": all
  std::vector<std::string> trusted_proxies = {};  // addresses whose X-Forwarded-For is believed
};

}  // namespace dhyan::server
