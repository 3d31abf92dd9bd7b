#pragma once

#include <optional>
#include <string>

#include "translator/evaluation.h"

namespace dhyan::cli {

// What `dhyan evaluate` tells.
struct EvaluationReport {
  std::string name;  // of the test set, or of the translations
  Index sentences = 0;
  TextScores text;
  std::string length_of = "source";  // whose words lengths are counted in
  std::optional<ForcedScores> forced = {};
  bool gold_links = false;  // there are alignments to compare with
};

std::string to_table(const EvaluationReport& report);
std::string to_json(const EvaluationReport& report);

}  // namespace dhyan::cli
