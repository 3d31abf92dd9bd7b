#pragma once

#include <array>
#include <cstdint>

#include "core/real.h"

namespace dhyan {

// Counter-based random numbers (Philox4x32-10, [salmon2011]): block(i) is a pure function of (key, i). Any number of
// threads can draw any part of a stream, in any order, and get the same bytes.
class Rng {
 public:
  using Block = std::array<std::uint32_t, 4>;

  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : key_(seed), stream_(stream) {}

  // For parameters that will be loaded from a file: initialise() draws nothing from it or from its splits.
  static Rng unused() {
    Rng rng(0);
    rng.unused_ = true;
    return rng;
  }
  bool is_unused() const { return unused_; }

  // The i-th four words of the stream; does not move the position.
  Block block(std::uint64_t i) const;

  // An independent stream: split(a) and split(b) differ for a != b. Does not depend on the position, so that earlier
  // draws do not change it.
  Rng split(std::uint64_t name) const;

  // Draws in order; each moves the position by one word.
  std::uint32_t next();
  double uniform();  // [0,1), 32 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();                       // mean 0, variance 1
  std::uint64_t below(std::uint64_t n);  // 0..n-1, each equally likely; n > 0

  std::uint64_t key() const { return key_; }
  std::uint64_t stream() const { return stream_; }

  // Position in words, to save and restore.
  std::uint64_t position() const { return position_; }
  void seek(std::uint64_t position);

 private:
  std::uint64_t key_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  bool unused_ = false;
  Block current_{};  // block(position_ / 4), valid when position_ % 4 != 0
};

}  // namespace dhyan
