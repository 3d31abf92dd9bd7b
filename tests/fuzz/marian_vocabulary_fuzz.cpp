// libFuzzer: a vocabulary of Marian throws ModelFileError, or becomes a vocabulary of ours.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "importing/marian_vocabulary.h"
#include "importing/vocabulary_order.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    const auto tokens = parse_marian_vocabulary("fuzz", std::string_view(reinterpret_cast<const char*>(data), size));
    if (tokens.size() > 1000) return 0;  // ids are few, but may be large
    const VocabularyOrder order = our_order(tokens, std::ssize(tokens), {.unknown = 0, .end = 0});
    if (order.vocabulary().size() != std::ssize(order.tokens)) std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}
