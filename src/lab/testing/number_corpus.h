#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "core/testing/temporary_folder.h"
#include "lab/lab_run.h"

namespace dhyan::lab {

// For tests: numbers in Hindi and English, one to twelve words long, which are translated word by word, in the same
// order or the other way round; and a config with which models learn them within seconds.
class NumberCorpus {
 public:
  enum class WordOrder { kSame, kReversed };

  explicit NumberCorpus(WordOrder order) : order_(order) {
    write("train", 1, 3000);
    write("test", 2, 200);
  }

  // Options of a run in a folder of its own.
  LabOptions options() const {
    LabOptions options;
    options.folder = folder_.path() / "run";
    options.threads = 2;
    options.seeds = 1;
    options.data = {folder_.path("train.hi"), folder_.path("train.en")};
    options.test = {folder_.path("test.hi"), folder_.path("test.en")};
    return options;
  }
  std::string alignments() const { return folder_.path("test.pharaoh"); }

  static std::string settings() {
    return "tokenizer: word\nhidden: 32\nembedding: 16\nreadout-hidden: 16\ndropout: 0\nschedule: constant\n"
           "label-smoothing: 0\nlearning-rate: 1e-2\nbatch-tokens: 500\nmax-steps: 350\nmax-epochs: 100\n";
  }

 private:
  void write(const std::string& name, std::uint64_t seed, int pairs) const {
    const std::vector<std::string> hindi{"एक", "दो", "तीन", "चार", "पाँच", "छह"},
        english{"one", "two", "three", "four", "five", "six"};
    Rng rng(seed);
    std::string sources, targets, links;
    for (int i = 0; i < pairs; ++i) {
      const auto length = static_cast<std::size_t>(1 + rng.below(12));
      std::vector<std::size_t> words(length);
      for (std::size_t& word : words) word = static_cast<std::size_t>(rng.below(hindi.size()));
      for (std::size_t j = 0; j < length; ++j) {
        const std::size_t from = order_ == WordOrder::kSame ? j : length - 1 - j;
        const char* between = j == 0 ? "" : " ";
        sources += cat(between, hindi[words[j]]);
        targets += cat(between, english[words[from]]);
        links += cat(between, from, '-', j);
      }
      for (std::string* text : {&sources, &targets, &links}) *text += '\n';
    }
    folder_.write(name + ".hi", sources);
    folder_.write(name + ".en", targets);
    folder_.write(name + ".pharaoh", links);
  }

  TemporaryFolder folder_;
  WordOrder order_;
};

}  // namespace dhyan::lab
