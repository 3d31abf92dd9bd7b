#include "data/permutation.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kRounds = 6;
constexpr unsigned kFewestHalfBits = 4;  // fewer bits could produce too few of all permutations
constexpr unsigned kMostHalfBits = 31;

}  // namespace

Permutation::Permutation(std::uint64_t size, const Rng& rng) : size_(size), rng_(rng) {
  const auto bits = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(size, 1) - 1));
  half_bits_ = std::max(kFewestHalfBits, (bits + 1) / 2);
  if (half_bits_ > kMostHalfBits) throw UsageError(cat("Permutation: of ", size, " elements, expected at most 2^62"));
}

std::uint64_t Permutation::operator[](std::uint64_t place) const {
  if (place >= size_) throw UsageError(cat("Permutation: place ", place, " of ", size_));
  std::uint64_t number = place;
  do number = once(number);
  while (number >= size_);
  return number;
}

// L, R -> R, L ^ f(round, R): a bijection for any f.
std::uint64_t Permutation::once(std::uint64_t number) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = number >> half_bits_, right = number & mask;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t mixed = rng_.block(round << kMostHalfBits | right)[0];
    const std::uint64_t next = left ^ (mixed & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

}  // namespace dhyan
