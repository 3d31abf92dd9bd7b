#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/lines.h"
#include "data/pairs.h"

namespace dhyan {

// Two files in step. DataError with both counts if one has more lines than the other.
std::unique_ptr<PairSource> read_parallel(LineReader source, LineReader target);

// Lines of source, tab, target. A line with no tab or several is an error, or skipped and counted.
std::unique_ptr<PairSource> read_tsv(LineReader lines, OnBadColumns on_bad_columns);

// Every line a sentence; targets are empty.
std::unique_ptr<PairSource> read_plain(LineReader lines);

struct WeightedPairs {
  std::unique_ptr<PairSource> pairs;
  double weight = 1;
};

// A pair of each in turn, given as often as the weight says: the n-th pair floor((n+1)w) - floor(nw) times.
std::unique_ptr<PairSource> mix_pairs(std::vector<WeightedPairs> corpora);

}  // namespace dhyan
