// libFuzzer: the bytes of a connection give the same requests whether they arrive at once or one by one, and a fault in
// both cases or in none, though it may be noticed later if they come one by one; a request has a path, fields in lower
// case and a body within the limit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "server/request_reader.h"

namespace {

using dhyan::server::HttpLimits;
using dhyan::server::HttpRequest;
using dhyan::server::RequestReader;

const HttpLimits kLimits = {.max_body = 200, .max_header = 300};

struct Outcome {
  std::vector<std::string> requests;
  bool fault = false;
};

std::string text_of(const HttpRequest& request) {
  if (request.path.empty() || request.body.size() > kLimits.max_body) std::abort();
  std::string text = request.method + ' ' + request.path + '?' + request.query + '\n';
  for (const auto& [name, value] : request.headers) {
    if (name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ \r\n:") != std::string::npos) std::abort();
    if (value.find_first_of("\r\n") != std::string::npos) std::abort();
    text += name + '=' + value + '\n';
  }
  return text + request.body;
}

Outcome read_in_pieces(std::string_view bytes, std::size_t piece) {
  RequestReader reader(kLimits);
  Outcome outcome;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(bytes.substr(at, piece));
    while (reader.advance()) outcome.requests.push_back(text_of(reader.take()));
    outcome.fault = reader.fault().has_value();
    if (outcome.fault) break;
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1000) return 0;  // a line between chunks that is too long is noticed early only if it arrives slowly
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome whole = read_in_pieces(bytes, bytes.size());
  const Outcome slow = read_in_pieces(bytes, 1);
  if (slow.requests != whole.requests) std::abort();
  if (slow.fault && !whole.fault) std::abort();
  return 0;
}
