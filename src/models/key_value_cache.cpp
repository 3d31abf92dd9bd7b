#include "models/key_value_cache.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr Index kLeastRoom = 32;  // words; doubled when it is full

}  // namespace

// lengths are those of the rows that are moved, by their old numbers.
void KeyValueCache::Rows::move(Arena& arena, std::span<const RowId> from, std::span<const Index> lengths,
                               Index old_spacing, Index spacing) {
  const Index room = std::ssize(from) * spacing * width;
  if (before.size() < room) before = Tensor::in(arena, {room});
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Index row = from[i];
    std::copy_n(numbers.data() + row * old_spacing * width, lengths[static_cast<std::size_t>(row)] * width,
                before.data() + static_cast<Index>(i) * spacing * width);
  }
  std::swap(numbers, before);
}

void KeyValueCache::Rows::write(Arena& arena, const Tensor& fresh, const Segments& segments,
                                std::span<const Index> lengths, Index spacing) {
  width = fresh.cols();
  const Index room = std::ssize(lengths) * spacing * width;
  if (numbers.size() < room) {
    const Tensor larger = Tensor::in(arena, {room});
    std::copy_n(numbers.data(), numbers.size(), larger.data());
    numbers = larger;
  }
  for (Index b = 0; b < segments.count(); ++b) {
    std::copy_n(fresh.data() + segments.begin(b) * width, segments.length(b) * width,
                numbers.data() + (b * spacing + lengths[static_cast<std::size_t>(b)]) * width);
  }
}

Var KeyValueCache::Rows::var(Scope& scope, Index rows) {
  return scope.constant(Tensor::view({rows, width}, numbers.data()));  // [A*spacing,.]
}

void KeyValueCache::move(std::span<const RowId> from, Index spacing) {
  for (Layer& layer : layers_) {
    layer.keys.move(*memory_, from, lengths_, spacing_, spacing);
    layer.values.move(*memory_, from, lengths_, spacing_, spacing);
  }
}

void KeyValueCache::follow(std::span<const RowId> rows) {
  bool stay = rows.size() <= lengths_.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= std::ssize(lengths_)) {
      throw UsageError(cat("Decoding::step: goes on from hypothesis ", rows[i], ", there were ", lengths_.size()));
    }
    stay = stay && rows[i] == static_cast<RowId>(i);
  }
  if (stay) return lengths_.resize(rows.size());
  move(rows, spacing_);
  std::vector<Index> lengths;
  for (const RowId row : rows) lengths.push_back(lengths_[static_cast<std::size_t>(row)]);
  lengths_ = std::move(lengths);
}

void KeyValueCache::make_room(Index longest) {
  if (longest <= spacing_) return;
  const Index spacing = std::max({kLeastRoom, 2 * spacing_, longest});
  if (spacing_ > 0) {
    std::vector<RowId> same(lengths_.size());
    std::iota(same.begin(), same.end(), RowId{0});
    move(same, spacing);
  }
  spacing_ = spacing;
}

Memory KeyValueCache::add(Scope& scope, Index layer, const Memory& fresh) {
  std::vector<Index> lengths = lengths_;
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] += fresh.segments.length(static_cast<Index>(i));
  if (!lengths.empty()) make_room(*std::ranges::max_element(lengths));
  Layer& rows = layers_[static_cast<std::size_t>(layer)];
  rows.keys.write(*memory_, fresh.keys.value(), fresh.segments, lengths_, spacing_);
  rows.values.write(*memory_, fresh.values.value(), fresh.segments, lengths_, spacing_);
  const Segments segments = Segments::spaced(spacing_, lengths);
  return {rows.keys.var(scope, segments.rows()), rows.values.var(scope, segments.rows()), segments};
}

void KeyValueCache::advance(const Segments& fresh) {
  for (std::size_t i = 0; i < lengths_.size(); ++i) lengths_[i] += fresh.length(static_cast<Index>(i));
}

}  // namespace dhyan
