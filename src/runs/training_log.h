#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "training/training_events.h"

namespace dhyan {

// Events as text lines.
std::string to_text(const IntervalEvent& event);
std::string to_text(const ValidationEvent& event);
std::string to_text(const AverageEvent& event);

// Events as JSON objects with the key "event".
std::string to_json(const IntervalEvent& event);
std::string to_json(const ValidationEvent& event);
std::string to_json(const AverageEvent& event);

// One JSON line for each sample of a validation.
std::string to_json(const Moment& at, const SampleTranslation& sample);

// Writes train.log, train.jsonl and training/samples.jsonl in a model's folder, line by line. WriteError if that fails.
class TrainingLog final : public TrainingObserver {
 public:
  enum class Begin { kAnew, kAfterWhatIsThere };
  TrainingLog(const std::filesystem::path& folder, Begin begin);

  // The names of the files in the folder. The log only appends to them.
  static std::vector<std::string> files() { return {"train.log", "train.jsonl", "training/samples.jsonl"}; }

  void note(std::string_view text);  // writes a line to train.log

  void on_interval(const IntervalEvent& event) override { write(event); }
  void on_validation(const ValidationEvent& event) override;
  void on_average(const AverageEvent& event) override { write(event); }

 private:
  struct File {
    std::string path;
    std::ofstream out;
    void write(const std::string& line);
  };

  template <class Event>
  void write(const Event& event) {
    log_.write(to_text(event));
    json_.write(to_json(event));
  }

  File log_, json_, samples_;
};

}  // namespace dhyan
