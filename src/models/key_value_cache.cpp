#include "models/key_value_cache.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr Index kLeastRoom = 32;  // words; doubled when it is full

Index end_of(std::span<const Index> places) { return places.empty() ? 0 : std::ranges::max(places) + 1; }

}  // namespace

KeyValueCache::KeyValueCache(Index layers, Index hypotheses)
    : rows_(static_cast<std::size_t>(2 * layers)),
      lengths_(static_cast<std::size_t>(hypotheses), 0),
      places_(static_cast<std::size_t>(hypotheses)) {
  std::iota(places_.begin(), places_.end(), Index{0});
}

// For all places; what is there stays where it is.
void KeyValueCache::take_memory(Rows& rows) {
  const Index room = end_of(places_) * spacing_ * rows.width;
  if (rows.numbers.size() >= room) return;
  const Tensor larger = Tensor::in(*memory_, {room});
  std::copy_n(rows.numbers.data(), rows.numbers.size(), larger.data());
  rows.numbers = larger;
}

// To another place.
void KeyValueCache::copy(Index from, Index to, Index length) {
  for (Rows& rows : rows_) {
    take_memory(rows);
    Real* numbers = rows.numbers.data();
    const Index place = spacing_ * rows.width;
    std::copy_n(numbers + from * place, length * rows.width, numbers + to * place);
  }
}

void KeyValueCache::follow(std::span<const RowId> rows) {
  for (const RowId row : rows) {
    if (row >= 0 && row < std::ssize(lengths_)) continue;
    throw UsageError(cat("Decoding::step: goes on from hypothesis ", row, ", there were ", lengths_.size()));
  }
  constexpr Index kNowhere = -1;
  const std::vector<Index> lengths = std::exchange(lengths_, {}), places = std::exchange(places_, {});
  std::vector<bool> is_taken(rows.size() + static_cast<std::size_t>(end_of(places)));
  for (const RowId row : rows) {
    const auto before = static_cast<std::size_t>(row);
    const auto place = static_cast<std::size_t>(places[before]);
    lengths_.push_back(lengths[before]);
    places_.push_back(is_taken[place] ? kNowhere : places[before]);
    is_taken[place] = true;
  }
  std::vector<std::size_t> moved;
  auto free = is_taken.begin();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (places_[i] != kNowhere) continue;
    free = std::find(free, is_taken.end(), false);
    places_[i] = free++ - is_taken.begin();
    moved.push_back(i);
  }
  for (const std::size_t i : moved) copy(places[static_cast<std::size_t>(rows[i])], places_[i], lengths_[i]);
}

void KeyValueCache::make_room(Index longest) {
  if (longest <= spacing_) return;
  const Index spacing = std::max({kLeastRoom, 2 * spacing_, longest});
  for (Rows& rows : rows_) {
    const Tensor wider = Tensor::in(*memory_, {end_of(places_) * spacing * rows.width});
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::copy_n(rows.numbers.data() + places_[i] * spacing_ * rows.width, lengths_[i] * rows.width,
                  wider.data() + places_[i] * spacing * rows.width);
    }
    rows.numbers = wider;
  }
  spacing_ = spacing;
}

Var KeyValueCache::written(Scope& scope, Rows& rows, const Tensor& fresh, const Segments& segments) {
  rows.width = fresh.cols();
  take_memory(rows);
  for (Index b = 0; b < segments.count(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    std::copy_n(fresh.data() + segments.begin(b) * rows.width, segments.length(b) * rows.width,
                rows.numbers.data() + (places_[i] * spacing_ + lengths_[i]) * rows.width);
  }
  return scope.constant(Tensor::view({end_of(places_) * spacing_, rows.width}, rows.numbers.data()));
}

Memory KeyValueCache::add(Scope& scope, Index layer, const Memory& fresh) {
  std::vector<Index> lengths = lengths_;
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] += fresh.segments.length(static_cast<Index>(i));
  if (!lengths.empty()) make_room(*std::ranges::max_element(lengths));
  const auto at = static_cast<std::size_t>(2 * layer);
  return {written(scope, rows_[at], fresh.keys.value(), fresh.segments),
          written(scope, rows_[at + 1], fresh.values.value(), fresh.segments),
          Segments::placed(spacing_, places_, lengths)};
}

void KeyValueCache::advance(const Segments& fresh) {
  for (std::size_t i = 0; i < lengths_.size(); ++i) lengths_[i] += fresh.length(static_cast<Index>(i));
}

}  // namespace dhyan
