#pragma once

#include "core/testing/temporary_folder.h"
#include "runs/training_run.h"

namespace dhyan {

// For tests: a corpus of two files in a temporary folder, and a config that trains on it within moments.
class TinyCorpus {
 public:
  TinyCorpus() {
    std::string source, target;
    const std::vector<std::string> words{"एक", "दो", "तीन", "चार", "पाँच"},
        numbers{"one", "two", "three", "four", "five"};
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j <= i % 3; ++j) {
        source += words[(i + 2 * j) % 5] + " ";
        target += numbers[(i + 2 * j) % 5] + " ";
      }
      source += "हैं\n";
      target += "are\n";
    }
    folder_.write("train.hi", source);
    folder_.write("train.en", target);
    folder_.write("dev.hi", "एक दो हैं\nपाँच हैं\n");
    folder_.write("dev.en", "one two are\nfive are\n");
  }

  Config config() const {
    Config config;
    config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 8;
    config.common.dropout = 0.1;
    config.tokenizer.kind = "word";
    config.data.train = {path("train.hi"), path("train.en")};
    config.data.valid = {path("dev.hi"), path("dev.en")};
    config.training.batch.max_tokens = 30;
    config.training.schedule_settings.learning_rate = 0.02;
    config.training.max_epochs = 3;
    config.training.report_steps = 4;
    return config;
  }

  std::string path(std::string_view name) const { return folder_.path(name); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

}  // namespace dhyan
