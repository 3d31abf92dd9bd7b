#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dhyan {

// A set of 64-bit hashes, 8 bytes a slot, at most 3/4 full: five million take 64 MB where std::unordered_set takes
// 200. Two texts of n share a hash with probability n^2 / 2^65: one in a million for five million.
class HashSet {
 public:
  // Returns whether the hash was new.
  bool insert(std::uint64_t hash) {
    if (hash == kFree) return !std::exchange(has_free_, true);
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    if (!place(slots_, hash)) return false;
    ++size_;
    return true;
  }

  bool contains(std::uint64_t hash) const {
    if (hash == kFree) return has_free_;
    if (slots_.empty()) return false;
    return slots_[slot_of(slots_, hash)] == hash;
  }

  std::size_t size() const { return size_ + (has_free_ ? 1 : 0); }

 private:
  static constexpr std::uint64_t kFree = 0;  // the hash 0 is stored separately

  static std::size_t slot_of(const std::vector<std::uint64_t>& slots, std::uint64_t hash) {
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = hash & mask;
    while (slots[slot] != kFree && slots[slot] != hash) slot = (slot + 1) & mask;
    return slot;
  }

  static bool place(std::vector<std::uint64_t>& slots, std::uint64_t hash) {
    return std::exchange(slots[slot_of(slots, hash)], hash) == kFree;
  }

  void grow() {
    std::vector<std::uint64_t> larger(slots_.empty() ? 1024 : 2 * slots_.size(), kFree);
    for (const std::uint64_t hash : slots_) {
      if (hash != kFree) place(larger, hash);
    }
    slots_ = std::move(larger);
  }

  std::vector<std::uint64_t> slots_;  // size: a power of two
  std::size_t size_ = 0;
  bool has_free_ = false;
};

}  // namespace dhyan
