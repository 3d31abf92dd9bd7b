#include "server/site_rules.h"

#include <algorithm>
#include <arpa/inet.h>

#include "core/error.h"
#include "server/header_value.h"

namespace dhyan::server {

namespace {

// "[::1]:8080" is ::1, "localhost:8080" is localhost.
std::string without_port(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(1, std::min(host.find(']'), host.size()) - 1));
  const std::size_t colon = host.rfind(':');
  return std::string(host.substr(0, colon));
}

bool is_address(const std::string& text) {
  in6_addr address;
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1 || ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

// The values of all fields of that name, in their order: some proxies add a field to the client's own.
std::string joined_values(const HttpRequest& request, std::string_view name) {
  std::string values;
  for (const auto& [field, value] : request.headers) {
    if (field == name) values += cat(values.empty() ? "" : ", ", value);
  }
  return values;
}

bool contains(std::span<const std::string> list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

}  // namespace

bool is_own_host(std::string_view host, std::span<const std::string> names) {
  const std::string name = ascii_lowercase(without_port(host));
  if (name == "localhost" || name.ends_with(".localhost") || is_address(name)) return true;
  return std::ranges::any_of(names, [&](const std::string& own) { return ascii_lowercase(own) == name; });
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  const std::size_t scheme = origin.find("://");
  return scheme != origin.npos && ascii_lowercase(origin.substr(scheme + 3)) == ascii_lowercase(host);
}

bool is_allowed_origin(std::string_view origin, std::span<const std::string> allowed) {
  return contains(allowed, "*") || contains(allowed, origin);
}

std::string address_of_client(const HttpRequest& request, std::span<const std::string> trusted_proxies) {
  std::string address = request.peer;
  const std::string list = joined_values(request, "x-forwarded-for");
  std::string_view forwarded = list;
  while (contains(trusted_proxies, address.empty() ? "unix" : address) && !forwarded.empty()) {
    const std::size_t comma = forwarded.rfind(',');
    address = trimmed(forwarded.substr(comma == forwarded.npos ? 0 : comma + 1));
    forwarded = comma == forwarded.npos ? std::string_view() : forwarded.substr(0, comma);
  }
  return address;
}

}  // namespace dhyan::server
