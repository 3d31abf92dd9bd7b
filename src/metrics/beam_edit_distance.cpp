#include "metrics/beam_edit_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dhyan {

namespace {

constexpr Index kBeam = 25;
constexpr Index kUnreached = std::numeric_limits<Index>::max() / 2;

}  // namespace

BeamEditDistance::Cell BeamEditDistance::Row::at(Index j) const {
  return j < begin || j >= end() ? Cell{kUnreached, Edit::kNone} : cells[static_cast<std::size_t>(j - begin)];
}

BeamEditDistance::BeamEditDistance(std::span<const char32_t> reference) : reference_(reference), rows_(1) {
  for (Index j = 0; j <= std::ssize(reference); ++j) rows_.front().cells.push_back({j, Edit::kMissing});
}

// On a tie the first operation wins; the words marked as wrong, and so the shifts, depend on this order.
BeamEditDistance::Cell BeamEditDistance::cell(const Row& before, const Row& row, Index i, Index j) const {
  const Cell excess{before.at(j).cost + 1, Edit::kExcess};
  if (j == 0) return excess;
  const bool same = hypothesis_[static_cast<std::size_t>(i - 1)] == reference_[static_cast<std::size_t>(j - 1)];
  Cell best{before.at(j - 1).cost + (same ? 0 : 1), same ? Edit::kKeep : Edit::kReplace};
  if (excess.cost < best.cost) best = excess;
  if (row.at(j - 1).cost + 1 < best.cost) best = {row.at(j - 1).cost + 1, Edit::kMissing};
  return best;
}

BeamEditDistance::Row BeamEditDistance::row_after(const Row& before, Index i) const {
  const Index length = std::ssize(reference_), words = std::ssize(hypothesis_);
  const double slope = static_cast<double>(length) / static_cast<double>(words);
  // Rows must overlap even if one text is much longer than the other.
  const Index beam = static_cast<double>(kBeam) < slope / 2
                         ? static_cast<Index>(std::ceil(slope / 2 + static_cast<double>(kBeam)))
                         : kBeam;
  const auto middle = static_cast<Index>(std::floor(static_cast<double>(i) * slope));
  const Index end = i == words ? length + 1 : std::min(length + 1, middle + beam);
  Row row{.begin = std::max<Index>(0, middle - beam), .cells = {}};
  for (Index j = row.begin; j < end; ++j) row.cells.push_back(cell(before, row, i, j));
  return row;
}

Index BeamEditDistance::operator()(const Symbols& hypothesis) {
  std::size_t known = 0;
  if (hypothesis.size() == hypothesis_.size()) {  // reuse rows only for equal lengths: otherwise the diagonal differs
    const auto differs = std::ranges::mismatch(hypothesis, hypothesis_).in1;
    known = static_cast<std::size_t>(differs - hypothesis.begin());
  }
  hypothesis_ = hypothesis;
  rows_.resize(known + 1);
  for (Index i = std::ssize(rows_); i <= std::ssize(hypothesis_); ++i) rows_.push_back(row_after(rows_.back(), i));
  return rows_.back().at(std::ssize(reference_)).cost;
}

WordMatching BeamEditDistance::matching() const {
  WordMatching result{.partner = std::vector<Index>(reference_.size(), -1),
                      .reference_wrong = std::vector<bool>(reference_.size(), true),
                      .hypothesis_wrong = std::vector<bool>(hypothesis_.size(), true)};
  Index i = std::ssize(hypothesis_), j = std::ssize(reference_);
  while (i > 0 || j > 0) {
    const Edit edit = rows_[static_cast<std::size_t>(i)].at(j).edit;
    if (edit != Edit::kMissing) --i;
    if (edit == Edit::kExcess) continue;
    --j;
    result.partner[static_cast<std::size_t>(j)] = edit == Edit::kMissing ? i - 1 : i;
    if (edit != Edit::kKeep) continue;
    result.reference_wrong[static_cast<std::size_t>(j)] = false;
    result.hypothesis_wrong[static_cast<std::size_t>(i)] = false;
  }
  return result;
}

}  // namespace dhyan
