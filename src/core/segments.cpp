#include "core/segments.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace dhyan {

Segments Segments::from_lengths(std::span<const Index> lengths) {
  auto offsets = std::make_shared<std::vector<Index>>();
  offsets->reserve(lengths.size() + 1);
  offsets->push_back(0);
  for (const Index length : lengths) {
    if (length < 0) throw ShapeError(cat("Segments: length ", length, " is negative"));
    if (length > std::numeric_limits<Index>::max() - offsets->back()) {
      throw ShapeError(cat("Segments: the number of rows overflows 64 bits at length ", length));
    }
    offsets->push_back(offsets->back() + length);
  }
  Segments segments;
  segments.offsets_ = std::move(offsets);
  segments.count_ = std::ssize(lengths);
  return segments;
}

Segments Segments::from_lengths(std::initializer_list<Index> lengths) {
  return from_lengths(std::span<const Index>(lengths.begin(), lengths.size()));
}

Segments Segments::one(Index rows) { return from_lengths({rows}); }

Segments Segments::singles(Index sentences) {
  if (sentences < 0) throw ShapeError(cat("Segments: ", sentences, " sentences"));
  return from_lengths(std::vector<Index>(static_cast<std::size_t>(sentences), 1));
}

Segments Segments::in_slots(Index spacing, std::span<const Index> slots, std::span<const Index> lengths) {
  if (slots.size() != lengths.size()) {
    throw ShapeError(cat("Segments: ", slots.size(), " slots for ", lengths.size(), " lengths"));
  }
  auto offsets = std::make_shared<std::vector<Index>>();
  Segments segments;
  for (std::size_t b = 0; b < slots.size(); ++b) {
    if (lengths[b] < 0 || lengths[b] > spacing) {
      throw ShapeError(cat("Segments: length ", lengths[b], " in a slot of ", spacing));
    }
    if (slots[b] < 0) throw ShapeError(cat("Segments: slot ", slots[b], " is negative"));
    offsets->push_back(slots[b] * spacing);
    segments.slot_rows_ = std::max(segments.slot_rows_, offsets->back() + spacing);
  }
  segments.offsets_ = std::move(offsets);
  segments.lengths_ = std::make_shared<const std::vector<Index>>(lengths.begin(), lengths.end());
  segments.count_ = std::ssize(lengths);
  return segments;
}

Index Segments::longest() const {
  Index longest = 0;
  for (Index b = 0; b < count(); ++b) longest = std::max(longest, length(b));
  return longest;
}

Segments Segments::first(Index n) const {
  if (n < 0 || n > count_) throw ShapeError(cat("Segments: the first ", n, " of ", count_, " sentences"));
  Segments some = *this;
  some.count_ = n;
  return some;
}

bool operator==(const Segments& a, const Segments& b) {
  if (a.count_ != b.count_) return false;
  for (Index i = 0; i < a.count_; ++i) {
    if (a.begin(i) != b.begin(i) || a.end(i) != b.end(i)) return false;
  }
  return a.rows() == b.rows();
}

}  // namespace dhyan
