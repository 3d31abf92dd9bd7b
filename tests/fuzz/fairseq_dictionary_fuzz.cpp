// libFuzzer: a dictionary of fairseq throws ModelFileError, or has a token for each line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/fairseq_dictionary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const FairseqDictionary dictionary = parse_fairseq_dictionary("dict.xx.txt", text);
    const auto lines = std::ranges::count(text, '\n') + (text.empty() || text.ends_with('\n') ? 0 : 1);
    if (dictionary.language != "xx" || std::ssize(dictionary.tokens) != 4 + lines) std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}
