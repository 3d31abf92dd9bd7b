// libFuzzer: a binary shortlist of Marian throws ModelFileError, or its places are within its words, and it is written
// as it was read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/marian_shortlist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    const MarianShortlist shortlist = parse_marian_shortlist("fuzz", bytes);
    for (std::size_t i = 0; i + 1 < shortlist.begins.size(); ++i) {
      if (shortlist.begins[i] > shortlist.begins[i + 1] || shortlist.begins[i + 1] > shortlist.words.size())
        std::abort();
    }
    const std::string written = to_bytes(shortlist);
    if (!std::ranges::equal(std::as_bytes(std::span(written)), bytes)) std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}
