#pragma once

#include <algorithm>
#include <ranges>

#include "core/thread_pool.h"

namespace dhyan {

// All tensors of a set, concatenated and split into chunks of equal size. The boundaries depend on the tensors alone,
// so work on chunks gives the same result on any number of threads. Nothing is allocated.
inline constexpr Index kChunkElements = Index{1} << 16;  // 256 KB: stays in a core's cache, and outweighs the dispatch

// A range of the elements of all tensors, concatenated.
struct ElementRange {
  Index begin = 0, end = 0;
};

inline Index chunk_count(Index elements) { return (elements + kChunkElements - 1) / kChunkElements; }

// Calls f(i, begin, end) for the elements [begin,end) of the i-th tensor that lie in the chunk. `size_of(x)` is the
// number of elements of the tensor of x.
template <std::ranges::forward_range Set, class SizeOf, class F>
void for_each_piece(Index chunk, const Set& set, const SizeOf& size_of, const F& f) {
  const Index from = chunk * kChunkElements, to = from + kChunkElements;
  Index first = 0;  // offset of the tensor in the concatenation
  std::size_t i = 0;
  for (const auto& x : set) {
    if (first >= to) return;
    const Index size = size_of(x), begin = std::max<Index>(from - first, 0), end = std::min(to - first, size);
    if (begin < end) f(i, begin, end);
    first += size;
    ++i;
  }
}

// On the pool, or on this thread if the pool is null.
template <class F>
void run_chunks(ThreadPool* pool, Index chunks, const F& f) {
  if (pool != nullptr) {
    pool->run(chunks, [&](Index chunk, int) { f(chunk); });
  } else {
    for (Index chunk = 0; chunk < chunks; ++chunk) f(chunk);
  }
}

}  // namespace dhyan
