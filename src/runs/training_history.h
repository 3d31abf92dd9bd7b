#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"
#include "training/validation_metrics.h"

namespace dhyan {

// One number of training over its steps.
struct HistoryCurve {
  struct Value {
    Index step = 0;
    double value = 0;
  };
  std::string name;
  std::vector<Value> values;  // steps ascending
};

// What train.jsonl tells.
struct TrainingHistory {
  std::vector<HistoryCurve> training;    // loss, perplexity, learning_rate, ...
  std::vector<HistoryCurve> validation;  // loss, perplexity, and what else was measured
  Index steps = 0;                       // the last
  double seconds = 0;                    // of training
  Index best_step = 0;                   // of the weights that were kept; 0: none was better than another
  Index mean_of = 0;                     // checkpoints whose mean was kept instead; 0: none was
  std::vector<NamedScore> mean;          // what that was measured at
};

// Of the weights that were kept; nothing if this was not measured of them.
std::optional<double> kept_value(const TrainingHistory& history, const HistoryCurve& curve);

// Of a sentence that was translated at a validation: a line of training/samples.jsonl.
struct AttentionSample {
  Index step = 0;
  std::vector<std::string> source;           // tokens
  std::vector<std::string> translation;      // tokens
  std::string reference;                     // a line; may be empty
  std::vector<std::vector<double>> weights;  // [T][S]; none of a model without attention
};

// The bytes are not trusted: DataError with `where` and the line for what is no such log. A last line without its end
// was being written when training was killed, and is left out. Steps that come again were done again: the later count.
TrainingHistory parse_history(std::string_view text, std::string_view where);
std::vector<AttentionSample> parse_samples(std::string_view text, std::string_view where);

// Of a model's folder. DataError if there is no log; no samples if none were kept.
TrainingHistory read_history(const std::filesystem::path& folder);
std::vector<AttentionSample> read_samples(const std::filesystem::path& folder);

// How sharply a sample attends: the mean over its rows of the largest weight; 1 is a single word each.
double sharpness_of(const AttentionSample& sample);

}  // namespace dhyan
