#include "core/rng.h"

#include <cmath>
#include <numbers>

#include "core/error.h"

namespace dhyan {

namespace {

// [salmon2011] table 2: multipliers and Weyl constants of Philox4x32.
constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

Rng::Block philox(Rng::Block counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return counter;
}

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

Rng::Block Rng::block(std::uint64_t i) const {
  return philox({low(i), high(i), low(stream_), high(stream_)}, low(key_), high(key_));
}

Rng Rng::split(std::uint64_t name) const {
  // The child's key is a block of the parent under a key that no stream uses.
  const Block mixed = philox({low(name), high(name), low(stream_), high(stream_)}, ~low(key_), high(key_));
  Rng child(mixed[0] | std::uint64_t{mixed[1]} << 32, mixed[2] | std::uint64_t{mixed[3]} << 32);
  child.unused_ = unused_;
  return child;
}

std::uint32_t Rng::next() {
  const auto word = static_cast<std::size_t>(position_ % 4);
  if (word == 0) current_ = block(position_ / 4);
  ++position_;
  return current_[word];
}

double Rng::uniform() { return next() * 0x1p-32; }

double Rng::normal() {
  // Box-Muller; 1 - u is never 0.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t Rng::below(std::uint64_t n) {
  if (n == 0) throw UsageError("Rng::below: there is no number below 0");
  // Rejection sampling: values past the last multiple of n would favour small results.
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;
  while (true) {
    const std::uint64_t first = next(), second = next();  // one expression would leave their order unspecified
    const std::uint64_t drawn = first | second << 32;
    if (drawn < limit) return drawn % n;
  }
}

void Rng::seek(std::uint64_t position) {
  position_ = position;
  if (position_ % 4 != 0) current_ = block(position_ / 4);
}

}  // namespace dhyan
