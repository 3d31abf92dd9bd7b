// libFuzzer: a multipart body throws BadRequest, or its parts lie in it in order, without overlap and without a line
// that is the boundary. The first line is the value of Content-Type.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "server/bad_request.h"
#include "server/header_value.h"
#include "server/multipart.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan::server;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  if (line == text.npos) return 0;
  const std::string boundary = parse_header_value(text.substr(0, line)).parameter("boundary").value_or("");
  const std::string_view body = text.substr(line + 1);
  try {
    const char* read = body.data();
    for (const FormPart& part : parse_multipart(body, boundary)) {
      if (part.name.empty() || part.bytes.data() < read) std::abort();
      read = part.bytes.data() + part.bytes.size();
      if (read > body.data() + body.size()) std::abort();
      if (part.bytes.find("\r\n--" + boundary + "\r\n") != part.bytes.npos) std::abort();
    }
  } catch (const BadRequest&) {
  }
  return 0;
}
