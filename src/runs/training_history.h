#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"
#include "training/validation_metrics.h"

namespace dhyan {

// One metric over the steps of training.
struct HistoryCurve {
  struct Value {
    Index step = 0;
    double value = 0;
  };
  std::string name;
  std::vector<Value> values;  // steps ascending
};

// The content of train.jsonl.
struct TrainingHistory {
  std::vector<HistoryCurve> training;    // loss, perplexity, learning_rate, ...
  std::vector<HistoryCurve> validation;  // loss, perplexity and other metrics
  Index steps = 0;                       // number of the last step
  double seconds = 0;                    // of training
  Index best_step = 0;                   // step of the best weights; 0: none
  Index mean_of = 0;                     // number of averaged checkpoints if their average was kept; 0: none
  std::vector<NamedScore> mean;          // metrics of that average
};

// The metric of the best weights; empty if it was not measured.
std::optional<double> kept_value(const TrainingHistory& history, const HistoryCurve& curve);

// A sentence that was translated at a validation: one line of training/samples.jsonl.
struct AttentionSample {
  Index step = 0;
  std::vector<std::string> source;           // tokens
  std::vector<std::string> translation;      // tokens
  std::string reference;                     // a line; may be empty
  std::vector<std::vector<double>> weights;  // [T][S]; empty for a model without attention
};

// The bytes are not trusted: DataError with `where` and the line for malformed content. An unterminated last line, left
// by a killed training, is ignored. If a step occurs twice, because a training was resumed, the later one counts.
TrainingHistory parse_history(std::string_view text, std::string_view where);
std::vector<AttentionSample> parse_samples(std::string_view text, std::string_view where);

// Reads the log of a model's folder; DataError without a log. Samples may be missing.
TrainingHistory read_history(const std::filesystem::path& folder);
std::vector<AttentionSample> read_samples(const std::filesystem::path& folder);

// Sharpness of a sample's attention: the mean over its rows of the largest weight; at most 1.
double sharpness_of(const AttentionSample& sample);

}  // namespace dhyan
