// libFuzzer: lines and TSV throw DataError, or give UTF-8 without line ends or tabs, and all lines are counted. The
// first byte chooses the policies and the sizes of the reads.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "data/parallel.h"
#include "data/testing/test_corpus.h"
#include "text/unicode.h"

namespace {

bool is_clean(const std::string& text) {
  return !dhyan::first_bad_byte(text) && text.find_first_of("\n\t") == text.npos && text.find('\0') == text.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  if (size == 0) return 0;
  const ReadOptions options{.on_bad_utf8 = static_cast<OnBadUtf8>(data[0] % 3),
                            .on_bad_columns = static_cast<OnBadColumns>(data[0] / 3 % 2),
                            .max_line_bytes = 200};
  const std::size_t step = 1 + data[0] / 6;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto pairs =
        read_tsv(LineReader(std::make_unique<MemoryBytes>(text, step), "fuzz", options), options.on_bad_columns);
    std::uint64_t given = 0;
    for (SentencePair pair; pairs->next(pair); ++given) {
      if (!is_clean(pair.source) || !is_clean(pair.target)) std::abort();
    }
    const ReadReport report = pairs->report();
    const std::uint64_t skipped = options.on_bad_utf8 == OnBadUtf8::kSkip ? report.bad_utf8 : 0;
    if (report.pairs != given || report.lines != given + report.bad_columns + skipped) std::abort();
  } catch (const DataError&) {
  }
  return 0;
}
