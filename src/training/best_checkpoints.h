#pragma once

#include <filesystem>
#include <span>

#include "autograd/parameter.h"
#include "training/training_state.h"

namespace dhyan {

// Weights that did well in validation, as files: the best as the model itself, and of several the mean can be tried.
// Whatever the moment a process dies at, the files that the saved state names are there: they are written before it
// names them and removed after it no longer does.
class BestCheckpoints {
 public:
  // `model` is the file of the best weights; with keep > 1 the best few are in `folder` as well.
  BestCheckpoints(std::filesystem::path model, std::filesystem::path folder, Index keep);

  // Puts the weights of a validation in their place in `best`, if they have one, and writes their files. True if they
  // are the best.
  bool add(std::vector<Checkpoint>& best, const Checkpoint& checkpoint, const ParameterSet& weights) const;

  // Removes the files of checkpoints that are not in `best`.
  void forget_others(std::span<const Checkpoint> best) const;

  // The weights become the mean of those in `best`.
  void average(std::span<const Checkpoint> best, ParameterSet& weights) const;

 private:
  std::filesystem::path file_of(Index step) const;

  std::filesystem::path model_;
  std::filesystem::path folder_;
  std::size_t keep_;
};

}  // namespace dhyan
