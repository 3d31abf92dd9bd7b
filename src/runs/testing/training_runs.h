#pragma once

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "runs/testing/tiny_run.h"

namespace dhyan {

// For tests of TrainingRun: trains on a TinyCorpus and keeps the notes.
class TrainingRuns : public testing::Test {
 protected:
  struct Notes final : RunObserver {
    void on_note(const std::string& text) override { notes.push_back(text); }
    void on_validation(const ValidationEvent& event) override { losses.push_back(event.metrics.front().value); }

    std::vector<std::string> notes;
    std::vector<double> losses;
  };

  std::string model(std::string_view name = "model") const { return corpus_.path(name); }

  // Trains into `folder`, up to step `stop` unless it is negative.
  Ended train(const RunOptions& options, Index stop = -1) {
    notes_ = {};
    TrainingRun run(config_, options, notes_);
    const Ended ended = run.run([&] { return run.state().step == stop; });
    facts_ = run.facts();
    return ended;
  }

  bool noted(std::string_view part) const {
    return std::ranges::any_of(notes_.notes, [&](const std::string& note) { return note.find(part) != note.npos; });
  }

  std::string weights(std::string_view folder) const {
    return corpus_.folder().read(cat(folder, "/model.safetensors"));
  }

  template <class E>
  std::string refusal(Existing existing = Existing::kRefuse) {
    return thrown<E>([&] { train({.folder = model(), .existing = existing}); });
  }

  TinyCorpus corpus_;
  Config config_ = corpus_.config();
  Notes notes_;
  RunFacts facts_;
};

}  // namespace dhyan
