// libFuzzer: an alignment file throws DataError, or links only words of its corpus.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "data/testing/test_corpus.h"
#include "memory_file.h"
#include "runs/aligned_pairs.h"

namespace {

constexpr int kWords = 3;

class ThreeLines final : public dhyan::PairSource {
 public:
  bool next(dhyan::SentencePair& pair) override {
    if (line_ == 3) return false;
    pair.source = "a b c";
    pair.target = "x y z";
    pair.line = ++line_;
    return true;
  }
  dhyan::ReadReport report() const override {
    dhyan::ReadReport report;
    report.lines = line_;
    return report;
  }

 private:
  std::uint64_t line_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const MemoryFile file(data, size);
  try {
    AlignedPairs pairs(std::make_unique<ThreeLines>(), file.path(), {.max_line_bytes = 1000});
    for (SentencePair pair; pairs.next(pair);) {
      for (const WordLink& link : pair.links) {
        const auto [source, target] = link;
        if (source < 0 || source >= kWords || target < 0 || target >= kWords) std::abort();
      }
    }
  } catch (const DataError&) {
  }
  return 0;
}
