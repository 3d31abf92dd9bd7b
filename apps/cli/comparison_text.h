#pragma once

#include "metrics/comparison.h"
#include "translator/test_set.h"

namespace dhyan::cli {

// The output of `dhyan compare`.
struct ComparisonReport {
  TestSet set;
  std::vector<SystemText> systems;
  Comparison comparison;
};

std::string to_table(const ComparisonReport& report);
std::string to_json(const ComparisonReport& report);

}  // namespace dhyan::cli
