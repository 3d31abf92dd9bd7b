// libFuzzer: any bytes can be repaired, normalised, split into clusters and displayed; positions map back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "text/display.h"
#include "text/graphemes.h"
#include "text/nfc.h"
#include "text/scripts.h"
#include "text/unicode.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Index replaced = 0;
  const std::string text = replace_bad_utf8(bytes, &replaced);
  require(!first_bad_byte(text));
  require(first_bad_byte(bytes).has_value() == (replaced > 0));

  Index end = 0;
  for (const Character& character : Characters(bytes)) {  // also over what is not UTF-8
    require(character.begin == end && character.end > end);
    end = character.end;
  }
  require(end == static_cast<Index>(bytes.size()));

  end = 0;
  for (const ByteRange& cluster : clusters(text)) {
    require(cluster.begin == end && cluster.end > end);
    end = cluster.end;
  }
  require(end == static_cast<Index>(text.size()));

  const NfcLine line(text);
  require(!first_bad_byte(line.text()));
  Index last = 0;
  for (Index at = 0; at <= static_cast<Index>(line.text().size()); ++at) {
    const Index original = line.original(at);
    require(original >= last && original <= static_cast<Index>(text.size()));
    last = original;
  }
  require(last == static_cast<Index>(text.size()));

  require(display_width(cut(text, 7)) <= 7);
  require(dominant_script(text).letters <= dominant_script(text).of);
  return 0;
}
