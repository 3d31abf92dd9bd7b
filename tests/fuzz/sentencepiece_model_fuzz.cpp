// libFuzzer: our reader of SentencePiece models throws ModelFileError or reads the bytes. The library's own loader is
// not covered.
#include <cstddef>
#include <cstdint>

#include "core/error.h"
#include "text/sentencepiece_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const SubwordModel model = parse_sentencepiece_model("fuzz", bytes);
    parse_sentencepiece_model("again", as_character_model(model, bytes));
  } catch (const ModelFileError&) {
  }
  return 0;
}
