#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "training/training_events.h"

namespace dhyan {

// Writes events.out.tfevents.* for TensorBoard; a resumed training adds another file. WriteError if that fails.
class TensorboardLog final : public TrainingObserver {
 public:
  explicit TensorboardLog(const std::filesystem::path& folder);

  void on_interval(const IntervalEvent& event) override;
  void on_validation(const ValidationEvent& event) override;

 private:
  void write(const std::string& record);

  std::string path_;
  std::ofstream out_;
};

}  // namespace dhyan
