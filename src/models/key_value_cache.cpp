#include "models/key_value_cache.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "kernels/bfloat16/bfloat16_rows.h"

namespace dhyan {

namespace {

constexpr Index kLeastRoom = 32;  // words; doubled when it is full

Index end_of(std::span<const Index> places) { return places.empty() ? 0 : std::ranges::max(places) + 1; }

std::size_t equal_words(std::span<const Index> a, std::span<const Index> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

KeyValueCache::KeyValueCache(Index layers, Index hypotheses)
    : rows_(static_cast<std::size_t>(2 * layers)),
      lengths_(static_cast<std::size_t>(hypotheses), 0),
      places_(static_cast<std::size_t>(hypotheses)),
      texts_(static_cast<std::size_t>(hypotheses)) {
  std::iota(places_.begin(), places_.end(), Index{0});
}

// Gives every slot room for `spacing` words and moves its rows.
void KeyValueCache::reserve(Rows& rows, Index spacing) {
  const Index bytes = std::ssize(texts_) * spacing * rows.row;
  if (spacing == spacing_ && rows.bytes >= bytes) return;
  const Rows before = rows;
  rows.memory = static_cast<std::byte*>((*memory_).allocate(static_cast<std::size_t>(bytes)));
  rows.bytes = bytes;
  const std::byte* from = before.memory;
  std::byte* to = rows.memory;
  for (std::size_t i = 0; from < before.memory + before.bytes; ++i) {
    std::copy_n(from, std::ssize(texts_[i]) * rows.row, to);
    from += spacing_ * rows.row;
    to += spacing * rows.row;
  }
  (*memory_).release(before.memory, static_cast<std::size_t>(before.bytes));
}

void KeyValueCache::reserve_words(Index longest) {
  if (longest <= spacing_) return;
  const Index spacing = std::max({kLeastRoom, 2 * spacing_, longest});
  for (Rows& rows : rows_) reserve(rows, spacing);
  spacing_ = spacing;
}

// The free slot whose text shares the longest prefix with `wanted`, the first of several; a new one if none is free.
Index KeyValueCache::taken_from(std::vector<Index>& free, const std::vector<Index>& wanted) {
  if (free.empty()) {
    texts_.emplace_back();
    return std::ssize(texts_) - 1;
  }
  const auto best = std::ranges::max_element(free, {}, [&](Index place) { return equal_words(wanted, text(place)); });
  const Index place = *best;
  free.erase(best);
  return place;
}

void KeyValueCache::copy_text(Index from, Index to) {
  const auto equal = static_cast<Index>(equal_words(text(from), text(to)));
  for (Rows& rows : rows_) {
    const Index place = spacing_ * rows.row, first = equal * rows.row;
    std::copy_n(rows.memory + from * place + first, std::ssize(text(from)) * rows.row - first,
                rows.memory + to * place + first);
  }
  text(to) = text(from);
}

void KeyValueCache::follow(std::span<const RowId> rows) {
  for (const RowId row : rows) {
    if (row >= 0 && row < std::ssize(lengths_)) continue;
    throw UsageError(cat("Decoding::step: goes on from hypothesis ", row, ", there were ", lengths_.size()));
  }
  constexpr Index kNowhere = -1;
  const std::vector<Index> lengths = std::exchange(lengths_, {}), places = std::exchange(places_, {});
  std::vector<bool> is_taken(texts_.size());
  for (const RowId row : rows) {
    const auto before = static_cast<std::size_t>(row);
    const auto place = static_cast<std::size_t>(places[before]);
    lengths_.push_back(lengths[before]);
    places_.push_back(is_taken[place] ? kNowhere : places[before]);
    is_taken[place] = true;
  }
  std::vector<Index> free;
  for (std::size_t place = 0; place < is_taken.size(); ++place) {
    if (!is_taken[place]) free.push_back(static_cast<Index>(place));
  }
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (places_[i] != kNowhere) continue;
    places_[i] = taken_from(free, text(places[static_cast<std::size_t>(rows[i])]));
    moved.push_back(i);
  }
  for (Rows& one : rows_) reserve(one, spacing_);
  for (const std::size_t i : moved) copy_text(places[static_cast<std::size_t>(rows[i])], places_[i]);
}

Var KeyValueCache::written(Scope& scope, Rows& rows, const Ragged& fresh, Dtype dtype) {
  const Tensor& words = fresh.rows.value();
  const Index width = words.cols(), all = end_of(places_) * spacing_;
  rows.row = width * static_cast<Index>(bytes_of(dtype));
  reserve(rows, spacing_);
  for (Index b = 0; b < fresh.segments.count(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    const ConstMatrix some{words.data() + fresh.segments.begin(b) * width, fresh.segments.length(b), width, width};
    std::byte* const to = rows.memory + (places_[i] * spacing_ + lengths_[i]) * rows.row;
    if (dtype == Dtype::kBfloat16) {
      kernels::round_to_bfloat16(some, reinterpret_cast<Bfloat16*>(to));
    } else {
      std::copy_n(some.data, some.rows * width, reinterpret_cast<Real*>(to));
    }
  }
  return scope.constant(Tensor::view({all, width}, dtype, rows.memory));
}

Memory KeyValueCache::add(Scope& scope, Index layer, const Memory& fresh, Dtype dtype) {
  std::vector<Index> lengths = lengths_;
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] += fresh.segments.length(static_cast<Index>(i));
  if (!lengths.empty()) reserve_words(*std::ranges::max_element(lengths));
  const auto at = static_cast<std::size_t>(2 * layer);
  return {written(scope, rows_[at], {fresh.keys, fresh.segments}, dtype),
          written(scope, rows_[at + 1], {fresh.values, fresh.segments}, dtype),
          Segments::in_slots(spacing_, places_, lengths)};
}

void KeyValueCache::advance(const Segments& fresh) {
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    const Index added = fresh.length(static_cast<Index>(i));
    for (Index word = 0; word < added; ++word) text(places_[i]).push_back(words_++);
    lengths_[i] += added;
  }
}

}  // namespace dhyan
