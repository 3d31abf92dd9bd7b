// libFuzzer: TMX throws DataError, or gives UTF-8 pairs without line ends or tabs. The first byte chooses the sizes of
// the reads.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "data/testing/test_corpus.h"
#include "data/tmx.h"
#include "text/unicode.h"

namespace {

bool is_clean(const std::string& text) {
  return !dhyan::first_bad_byte(text) && text.find_first_of("\n\t\r") == text.npos && text.size() <= 200;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  if (size == 0) return 0;
  const ReadOptions options{.max_line_bytes = 200, .source_language = "hi", .target_language = "en"};
  const std::string_view xml(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto pairs = read_tmx(std::make_unique<MemoryBytes>(xml, 1 + data[0]), "fuzz", options);
    std::uint64_t given = 0;
    for (SentencePair pair; pairs->next(pair); ++given) {
      if (!is_clean(pair.source) || !is_clean(pair.target)) std::abort();
    }
    const ReadReport report = pairs->report();
    if (report.pairs != given || report.lines != given + report.other_language) std::abort();
  } catch (const DataError&) {
  }
  return 0;
}
