#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "models/model.h"

namespace dhyan {

// A number that a validation gives, and its name.
struct NamedScore {
  std::string name;
  double value = 0;

  friend bool operator==(const NamedScore&, const NamedScore&) = default;
};

// "loss", -log p for each token to predict, and "perplexity" of sentences the model was not trained on: without dropout
// and smoothing. The same for any number of threads.
std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool);

}  // namespace dhyan
