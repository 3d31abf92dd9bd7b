#include "explain/unit_edits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "explain/attention_choice.h"

namespace dhyan {

namespace {

using UnitRow = std::vector<double>;

constexpr double kTolerance = 1e-3;  // weights that were written with few decimals

// The weights, with a sum of 1.
UnitRow checked_weights(const UnitEdit& edit, std::size_t expected) {
  if (edit.weights.size() != expected) {
    throw UsageError(cat("edits: step ", edit.step, " has ", edit.weights.size(), " weights, expected ", expected,
                         ", one for each source unit"));
  }
  for (const double weight : edit.weights) {
    if (weight >= 0 && std::isfinite(weight)) continue;
    throw UsageError(cat("edits: step ", edit.step, " has a weight of ", weight, ", expected 0 or more"));
  }
  const double sum = std::accumulate(edit.weights.begin(), edit.weights.end(), 0.0);
  if (!(std::abs(sum - 1) <= kTolerance)) {
    throw UsageError(cat("edits: the weights of step ", edit.step, " sum to ", sum, ", expected 1"));
  }
  UnitRow weights = edit.weights;
  for (double& weight : weights) weight /= sum;
  return weights;
}

// A row by units.
UnitRow by_units(const std::vector<Real>& row, const TokenUnits& source) {
  UnitRow sums(source.labels.size(), 0);
  for (std::size_t j = 0; j < row.size(); ++j) sums[source.unit_of[j]] += double{row[j]};
  return sums;
}

UnitRow mean_row(const std::vector<UnitRow>& rows) {
  UnitRow mean(rows.front().size(), 0);
  for (const UnitRow& row : rows) {
    for (std::size_t u = 0; u < row.size(); ++u) mean[u] += row[u] / static_cast<double>(rows.size());
  }
  return mean;
}

// Makes `asked` the mean of the rows: each row gives away the part of its weight by which the mean is too large, and
// gets as much back where the mean is too small.
void move_mean_to(const UnitRow& asked, std::vector<UnitRow>& rows) {
  const UnitRow mean = mean_row(rows);
  double lacking = 0;
  for (std::size_t u = 0; u < asked.size(); ++u) lacking += std::max(0.0, asked[u] - mean[u]);
  for (UnitRow& row : rows) {
    double moved = 0;
    for (std::size_t u = 0; u < asked.size(); ++u) {
      const double part = asked[u] < mean[u] ? row[u] * (1 - asked[u] / mean[u]) : 0;
      row[u] -= part;
      moved += part;
    }
    if (lacking == 0) continue;
    for (std::size_t u = 0; u < asked.size(); ++u) row[u] += moved * std::max(0.0, asked[u] - mean[u]) / lacking;
  }
}

// Weights are written with six decimals.
bool is_near(const UnitRow& a, const UnitRow& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) < 2e-6; });
}

class StepEdits {
 public:
  explicit StepEdits(const SentenceUnits& units) : units_(units) {}

  // Edits one row in all chosen layers and heads.
  void add(const UnitEdit& edit, std::span<const AttentionRecord> records) {
    const TokenRange tokens = tokens_of_step("edits", units_.target, edit.step);
    const UnitRow asked = checked_weights(edit, units_.source.labels.size());
    const AttentionChoice choice{.places = {AttentionPlace::kCross}, .layer = edit.layer, .head = edit.head};
    const std::vector<ChosenAttention> chosen = chosen_attention(records, choice);
    for (const AttentionRecord* record : chosen.front().records) {
      std::vector<UnitRow> rows;
      for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
        rows.push_back(by_units(record->weights[i], units_.source));
      }
      changed_ |= !is_near(mean_row(rows), edit.weights);
      move_mean_to(asked, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) add_row(static_cast<Index>(tokens.begin + i), *record, rows[i]);
    }
  }

  std::vector<WeightEdit> take() { return changed_ ? std::move(edits_) : std::vector<WeightEdit>(); }

 private:
  void add_row(Index token, const AttentionRecord& record, const UnitRow& row) {
    edits_.push_back({.step = token,
                      .layer = record.layer,
                      .head = record.head,
                      .group_of = units_.source.unit_of,
                      .sums = {row.begin(), row.end()}});
  }

  const SentenceUnits& units_;
  std::vector<WeightEdit> edits_;
  bool changed_ = false;
};

}  // namespace

std::vector<WeightEdit> weight_edits(std::span<const UnitEdit> step, std::span<const AttentionRecord> records,
                                     const SentenceUnits& units) {
  StepEdits edits(units);
  for (const UnitEdit& edit : step) edits.add(edit, records);
  return edits.take();
}

}  // namespace dhyan
