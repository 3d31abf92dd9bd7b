// libFuzzer: a file, gzip, zstd or neither, throws DataError or is read to its end in pieces of any size; an
// uncompressed file is read unchanged. The first byte is the size of the pieces.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/byte_source.h"
#include "memory_file.h"

namespace {

constexpr std::size_t kEnough = 1 << 20;  // a few bytes may decompress to gigabytes

std::string read_some(dhyan::ByteSource& bytes, std::size_t step) {
  std::string read;
  std::vector<char> piece(step);
  while (read.size() < kEnough) {
    const std::size_t n = bytes.read(piece);
    if (n > step) std::abort();
    if (n == 0) {
      if (bytes.read(piece) != 0) std::abort();  // the end stays the end
      break;
    }
    read.append(piece.data(), n);
  }
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  if (size == 0) return 0;
  const std::size_t step = 1 + (data[0] % 16) * (data[0] / 16 + 1);
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  const MemoryFile file(data + 1, size - 1);
  try {
    const auto bytes = open_bytes(file.path());
    const std::string read = read_some(*bytes, step);
    if (read.size() < kEnough && bytes->bytes_read() != content.size()) std::abort();
    const bool compressed = content.starts_with("\x1f\x8b") || content.starts_with("\x28\xb5\x2f\xfd") ||
                            (content.size() >= 4 && content.substr(1, 3) == "\x2a\x4d\x18");
    if (!compressed && read.size() < kEnough && read != content) std::abort();
  } catch (const DataError&) {
  }
  return 0;
}
