#pragma once

#include <cstdint>

#include "core/rng.h"

namespace dhyan {

// A random permutation of [0, size) that needs no memory: each element is computed on its own. A Feistel network keyed
// by rng permutes the next larger power of four; a value past the end is permuted again until it falls inside (cycle
// walking, [black2002]).
class Permutation {
 public:
  Permutation(std::uint64_t size, const Rng& rng);

  std::uint64_t size() const { return size_; }
  std::uint64_t operator[](std::uint64_t place) const;  // place < size

 private:
  std::uint64_t once(std::uint64_t number) const;

  std::uint64_t size_;
  unsigned half_bits_;
  Rng rng_;
};

}  // namespace dhyan
