// libFuzzer: a vocabulary file throws ModelFileError or is written back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "text/vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  // Most random files would fail at their first line.
  static const std::string head = "<pad>\n<unk>\n<s>\n</s>\n";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& file : {std::string(bytes), head + std::string(bytes)}) {
    try {
      const Vocabulary vocabulary = Vocabulary::parse("fuzz", file);
      const Vocabulary again = Vocabulary::parse("again", vocabulary.file());
      if (again.size() != vocabulary.size()) std::abort();
      for (TokenId id = 4; id < vocabulary.size(); ++id) {
        if (again.token(id) != vocabulary.token(id) || again.id(again.token(id)) != id) std::abort();
      }
    } catch (const ModelFileError&) {
    }
  }
  return 0;
}
