// libFuzzer: whatever the bytes, a JSON object of search options is refused with UsageError, or gives a request that
// can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "translator/search_request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  SearchRequest request;
  try {
    request = search_request_from_json("fuzz", {reinterpret_cast<const char*>(data), size});
  } catch (const UsageError&) {
    return 0;
  }
  if (to_json(search_request_from_json("again", to_json(request))) != to_json(request)) std::abort();
  return 0;
}
