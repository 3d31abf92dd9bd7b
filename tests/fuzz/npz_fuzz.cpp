// libFuzzer: a zip archive and its arrays throw ModelFileError, or have as many bytes as they state.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/npz.h"
#include "interop/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const ZipArchive archive("fuzz", bytes);
    for (const auto& [name, entry] : archive.entries()) {
      std::vector<std::byte> storage;
      if (archive.content(name, storage).size() != entry.size) std::abort();
    }
    const NpzFile file("fuzz", bytes);
    for (const TensorEntry& array : file.arrays()) {
      if (std::ssize(array.bytes) != array.shape.size() * array.dtype->bytes) std::abort();
    }
  } catch (const ModelFileError&) {
  }
  return 0;
}
