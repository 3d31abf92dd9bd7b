#include "server/http.h"

#include <algorithm>

namespace dhyan::server {

std::string_view HttpRequest::header(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(headers, lower_case_name, &HttpFields::value_type::first);
  return found == headers.end() ? std::string_view() : found->second;
}

}  // namespace dhyan::server
