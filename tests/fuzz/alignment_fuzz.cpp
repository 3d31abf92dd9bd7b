// libFuzzer: a line of links throws DataError, or gives at most one link per three bytes, and rates in [0,1].
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "metrics/alignment.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto is_rate = [](double rate) { return rate >= 0 && rate <= 1; };
  try {
    const GoldLinks links = parse_links(text, "fuzz:1");
    if (3 * (links.sure.size() + links.possible.size()) > size) std::abort();
    const AlignmentScore score = alignment_score(count_links(links.possible, links));
    if (!is_rate(score.precision) || !is_rate(score.recall) || !is_rate(score.error_rate)) std::abort();
    require_words(links, 8, 8, "fuzz:1");
  } catch (const DataError&) {
  }
  return 0;
}
