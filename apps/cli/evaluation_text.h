#pragma once

#include <optional>
#include <string>

#include "translator/evaluation.h"
#include "translator/text_models.h"

namespace dhyan::cli {

// The output of `dhyan evaluate`.
struct EvaluationReport {
  std::string name;  // of the test set, or of the translations
  Index sentences = 0;
  TextScores text;
  std::string length_of = "source";  // whose words sentence lengths count
  std::optional<ForcedScores> forced = {};
  bool gold_links = false;                  // whether there are gold alignments
  std::optional<WordVariety> variety = {};  // of captions
  std::optional<SceneScores> scenes = {};   // of captions of the picture book
  Index unreadable = 0;                     // pictures that are left out
};

// "(μ = 22.61 ± 0.58)".
std::string interval_text(const Confidence& confidence);

std::string to_table(const EvaluationReport& report);
std::string to_json(const EvaluationReport& report);

// "lines 3 and 7 of NAME have more than 100 tokens; the rest of them is not translated"; nothing if none has.
std::string cut_in_words(std::span<const std::size_t> cut, const std::string& name, const Translator& translator);

// The output for a model of plain text.
struct FitReport {
  std::string name;  // of the text
  Fit fit;
};

std::string to_table(const FitReport& report);
std::string to_json(const FitReport& report);

}  // namespace dhyan::cli
