// libFuzzer: the sentences of any text ascend and cover everything but spaces.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "text/sentences.h"
#include "text/unicode.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string text = replace_bad_utf8(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto only_spaces = [&](Index begin, Index end) {
    for (const Character& character : Characters(part(text, {begin, end}))) {
      if (!is_space(character.code)) std::abort();
    }
  };
  Index last = 0;
  for (const ByteRange& range : sentence_ranges(text)) {
    if (range.begin < last || range.end <= range.begin) std::abort();
    only_spaces(last, range.begin);
    last = range.end;
  }
  only_spaces(last, static_cast<Index>(text.size()));
  return 0;
}
