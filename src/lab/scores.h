#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/findings.h"
#include "lab/lab_run.h"

namespace dhyan::lab {

struct ScoresSize {
  std::string preset = "rnnsearch";
  // The decoder is as wide as both directions of the encoder, as dot and cosine need it.
  std::vector<std::string> settings = {
      "hidden: 64\ndecoder-hidden: 128\nembedding: 64\nreadout-hidden: 64\nmax-epochs: 100\nmax-steps: 700\n"
      "total-steps: 700\nvalidate-epochs: 100\nvalidate-samples: 0\n"};
  std::vector<std::string_view> scores = {};  // empty: all of the table
};

// [luong2015], table 4: every score with the windows that suit it, trained alike.
Findings run_scores(LabRun& run, const ScoresSize& size);

// The windows that a score is measured with: all of [luong2015] with general, which it found best; the others show how
// far that depends on the score. A location score knows positions by number, so no window moves for it.
std::vector<std::string_view> windows_for(std::string_view score);

// Two keys of equal length in different directions, (1,0) and (0,1), and the query (1,1), whose products with them are
// equal. A score is trained to attend to the first key.
struct TwoKeys {
  double before = 0;  // weight of the first key with the weights that the score begins with
  double after = 0;   // after training
  bool has_weights = false;
};
TwoKeys tell_apart(std::string_view score);

}  // namespace dhyan::lab
