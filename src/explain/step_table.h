#pragma once

#include "decoding/attention_trace.h"
#include "explain/step_parts.h"

namespace dhyan {

// Settings that the steps of a page share.
struct StepTables {
  const RecordedSteps& steps;
  bool full = false;                    // all terms of an energy and all elements of a vector
  std::string_view value_name = "h_j";  // the vectors that the context sums
  std::span<const AttentionTrace> traces = {};

  // The number of elements to show of n: at most `most`, or all if `full`.
  std::size_t shown_of(std::size_t n, std::size_t most) const { return full ? n : std::min(n, most); }

  // The trace of the same place, layer and head; nullptr if there is none.
  const AttentionTrace* trace_of(const AttentionRecord& record) const;
};

inline constexpr std::size_t kMostAttended = 40;  // rows of a step's table: the greatest weights
inline constexpr std::size_t kElementsShown = 8;  // of a vector

// Step i of one layer and head, from the query to the context: one row per attended token.
std::string step_table(const StepTables& tables, const AttentionRecord& record, std::size_t i);

}  // namespace dhyan
