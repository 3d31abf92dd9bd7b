#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/progress.h"
#include "training/training_events.h"

namespace dhyan {

// Receives the events of a training run.
class RunObserver : public TrainingObserver {
 public:
  virtual void on_note(const std::string& /*text*/) {}  // a line for the log

  // Shows the progress of slow work, for as long as it exists. Null: not shown.
  virtual std::unique_ptr<ProgressSink> progress(std::string_view /*what*/) { return nullptr; }
};

}  // namespace dhyan
