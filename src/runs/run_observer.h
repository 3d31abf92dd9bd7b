#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/progress.h"
#include "training/training_events.h"

namespace dhyan {

// Told of all that happens between two text files and a model.
class RunObserver : public TrainingObserver {
 public:
  virtual void on_note(const std::string& /*text*/) {}  // a line about what was found or decided

  // For work that may take long; it lives as long as the work. Null: not interested.
  virtual std::unique_ptr<ProgressSink> progress(std::string_view /*what*/) { return nullptr; }
};

}  // namespace dhyan
