#include "nn/recurrent_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace dhyan {

namespace {

std::vector<RowId> longest_first(const Segments& segments) {
  std::vector<RowId> sentences(static_cast<std::size_t>(segments.count()));
  std::iota(sentences.begin(), sentences.end(), RowId{0});
  std::ranges::stable_sort(sentences, std::greater(), [&](RowId b) { return segments.length(b); });
  return sentences;
}

std::vector<RowId> inverse(const std::vector<RowId>& permutation) {
  std::vector<RowId> places(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    places[static_cast<std::size_t>(permutation[i])] = static_cast<RowId>(i);
  }
  return places;
}

// Where each step begins if sentences come longest first.
std::vector<Index> step_begins(const Segments& segments, const std::vector<RowId>& sentences) {
  std::vector<Index> begins{0};
  auto live = std::ssize(sentences);
  for (Index t = 0; t < segments.longest(); ++t) {
    while (segments.length(sentences[static_cast<std::size_t>(live - 1)]) <= t) --live;
    begins.push_back(begins.back() + live);
  }
  return begins;
}

}  // namespace

RecurrentPlan::RecurrentPlan(const Segments& segments)
    : segments_(segments),
      sentences_(longest_first(segments)),
      ranks_(inverse(sentences_)),
      begins_(step_begins(segments, sentences_)),
      forward_(make_order(Direction::kForward)),
      backward_(make_order(Direction::kBackward)) {}

Index RecurrentPlan::active(Index t) const { return t < steps() ? begin(t + 1) - begin(t) : 0; }

RecurrentPlan::Order RecurrentPlan::make_order(Direction direction) const {
  std::vector<RowId> rows;
  rows.reserve(static_cast<std::size_t>(segments_.rows()));
  for (Index t = 0; t < steps(); ++t) {
    for (Index i = 0; i < active(t); ++i) {
      const RowId b = sentences_[static_cast<std::size_t>(i)];
      const Index row = direction == Direction::kForward ? segments_.begin(b) + t : segments_.end(b) - 1 - t;
      rows.push_back(static_cast<RowId>(row));
    }
  }
  std::vector<RowId> places = inverse(rows);
  return {std::move(rows), std::move(places)};
}

}  // namespace dhyan
