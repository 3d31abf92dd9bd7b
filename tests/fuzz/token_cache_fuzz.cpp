// libFuzzer: a token cache throws DataError or can be read completely, in any order. Most inputs are wrapped in a file
// with correct checksums, which would otherwise reject nearly all of them.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "core/error.h"
#include "data/content_hash.h"
#include "data/token_cache.h"
#include "data/token_cache_format.h"

namespace {

using namespace dhyan;
using namespace dhyan::cache_format;
using Bytes = std::vector<std::byte>;

void append(Bytes& to, std::span<const std::byte> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

// The first bytes say how many pairs there are and what is made up beside the blocks; the rest are the blocks.
Bytes sealed(std::span<const std::byte> input) {
  const auto take = [&] {
    if (input.empty()) return std::uint64_t{0};
    const auto byte = static_cast<std::uint64_t>(input.front());
    input = input.subspan(1);
    return byte;
  };
  const std::uint64_t pairs = take(), content = take() % 3, vocabulary = take() << take() % 40, shift = take();
  const std::uint64_t blocks = (pairs + kBlockPairs - 1) / kBlockPairs;
  Bytes file;
  append(file, std::as_bytes(std::span(kMagic)));
  std::vector<IndexEntry> index;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const auto block =
        input.subspan(input.size() * b / blocks, input.size() * (b + 1) / blocks - input.size() * b / blocks);
    index.push_back({file.size() + (b == shift ? shift : 0), content_hash(block, b)});
    append(file, block);
  }
  Trailer trailer{1,     2, 3, 4, content, vocabulary, vocabulary,  shift, pairs,
                  pairs, 0, 0, 0, shift,   shift,      file.size(), 0};
  if (shift == 255) trailer[shift % kTrailerWords] = UINT64_MAX;
  trailer.back() = content_hash(std::as_bytes(std::span(trailer).first(kTrailerWords - 1)));
  append(file, std::as_bytes(std::span(index)));
  append(file, std::as_bytes(std::span(trailer)));
  return file;
}

void read_all(const std::string& path) {
  const TokenCache cache(path);
  CacheReader reader(cache);
  for (Index n = 0; n < cache.pairs(); ++n) {
    const Index number = n % 2 == 0 ? n : cache.pairs() - n;  // between blocks and backwards
    if (cache.info().content == CacheContent::kText) {
      reader.text(number);
      continue;
    }
    const CacheReader::Ids pair = reader.ids(number);
    for (const TokenId id : pair.source) {
      if (id < 0 || id >= cache.info().source_vocabulary) std::abort();
    }
    for (const TokenId id : pair.target) {
      if (id < 0 || id >= cache.info().target_vocabulary) std::abort();
    }
    for (const TokenLink& link : pair.links) {
      if (link.source >= std::ssize(pair.source) || link.target >= std::ssize(pair.target)) std::abort();
    }
  }
  cache.verify();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = memfd_create("token_cache_fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data, size)).subspan(1);
  const Bytes file = data[0] % 8 == 0 ? Bytes(input.begin(), input.end()) : sealed(input);
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, file.data(), file.size(), 0) != std::ssize(file))
    std::abort();
  try {
    read_all(path);
  } catch (const DataError&) {
  }
  return 0;
}
