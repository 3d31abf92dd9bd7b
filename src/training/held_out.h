#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "models/model.h"
#include "training/validation_metrics.h"

namespace dhyan {

// "loss", -log p for each token to predict, and "perplexity" of sentences the model was not trained on: without dropout
// and smoothing. The same for any number of threads.
std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool);

}  // namespace dhyan
