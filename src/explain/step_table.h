#pragma once

#include "decoding/attention_trace.h"
#include "explain/step_parts.h"

namespace dhyan {

// What the steps of a page share.
struct StepTables {
  const RecordedSteps& steps;
  bool full = false;                    // all terms and numbers of a vector
  std::string_view value_name = "h_j";  // what the context is a sum of
  std::span<const AttentionTrace> traces = {};

  // How many of n are shown, unless all are.
  std::size_t shown_of(std::size_t n, std::size_t most) const { return full ? n : std::min(n, most); }

  // Of the same layer and head; nullptr if there is none.
  const AttentionTrace* trace_of(const AttentionRecord& record) const;
};

inline constexpr std::size_t kMostLookedAt = 40;  // rows of a step's table, the greatest weights
inline constexpr std::size_t kNumbersShown = 8;   // of a vector

// Step i of one layer and head, from the query to the context: a row for each token that was looked at.
std::string step_table(const StepTables& tables, const AttentionRecord& record, std::size_t i);

}  // namespace dhyan
