#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/http.h"

namespace dhyan::server {

// Whether a Host header names this server: an address, localhost, or one of the given names; a port does not matter. A
// page that lets its own name lead to this machine (DNS rebinding) is refused by this.
bool is_own_host(std::string_view host, std::span<const std::string> names);

// Whether a page of this Origin came from the server itself.
bool is_same_origin(std::string_view origin, std::string_view host);

bool is_allowed_origin(std::string_view origin, std::span<const std::string> allowed);  // "*" allows all

// The client's address: the peer, or the last address in X-Forwarded-For before those of trusted proxies. "unix"
// among them trusts requests through the UNIX socket.
std::string address_of_client(const HttpRequest& request, std::span<const std::string> trusted_proxies);

}  // namespace dhyan::server
