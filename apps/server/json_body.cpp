#include "server/json_body.h"

#include <nlohmann/json.hpp>

#include "server/bad_request.h"
#include "text/unicode.h"

namespace dhyan::server {

namespace {

// `depth` counts the objects and arrays around the value, `values` all so far.
bool expect_bounded_object(int depth, nlohmann::json::parse_event_t event, std::size_t& values) {
  using Event = nlohmann::json::parse_event_t;
  if (depth == 0 && (event == Event::array_start || event == Event::value)) {
    throw BadRequest("the JSON body is not an object");
  }
  if (depth >= kMaxJsonDepth && (event == Event::array_start || event == Event::object_start)) {
    throw BadRequest(cat("the JSON body is deeper than ", kMaxJsonDepth, " levels"));
  }
  const bool begins = event == Event::array_start || event == Event::object_start || event == Event::value;
  if (begins && ++values > kMaxJsonValues) {
    throw BadRequest(cat("the JSON body has more than ", kMaxJsonValues, " values"));
  }
  return true;
}

}  // namespace

nlohmann::json parse_json_object(std::string_view text) {
  if (const auto bad = first_bad_byte(text)) throw BadRequest(cat("the body is not valid UTF-8 at byte ", *bad + 1));
  std::size_t values = 0;
  const auto check = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json&) {
    return expect_bounded_object(depth, event, values);
  };
  try {
    return nlohmann::json::parse(text, check);
  } catch (const nlohmann::json::parse_error& error) {  // the library's own kinds of error end here
    throw BadRequest(cat("the body is not valid JSON at byte ", error.byte));
  } catch (const nlohmann::json::exception&) {  // "1e999"
    throw BadRequest("the JSON body has a number that is too large");
  }
}

}  // namespace dhyan::server
