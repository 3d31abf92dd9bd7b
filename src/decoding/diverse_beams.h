#pragma once

#include "decoding/beam.h"

namespace dhyan {

// Diverse beam search ([vijayakumar2018], Hamming diversity): in every step, a group ranks a word lower for each
// earlier group that chose it. Scores of hypotheses are not changed.
class DiverseBeams {
 public:
  DiverseBeams(const SearchOptions& options, const SearchTask& task, Index b);

  void add_live(LiveBatch& live) const;
  void advance(const StepView& step, Index first_row);
  std::vector<Beam::Result> results() const;  // of all groups, without duplicates
  std::vector<BeamNode> record() const;

 private:
  const SearchOptions& options_;
  std::vector<Beam> groups_;
};

}  // namespace dhyan
