#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "models/model.h"
#include "training/validation_metrics.h"

namespace dhyan {

// "loss", -log p for each token to predict, and "perplexity" of sentences the model was not trained on: without dropout
// and smoothing. The same for any number of threads. `poll` is called for every batch, from several threads at once,
// and may throw, to stop.
std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      const std::function<void()>& poll = {});

}  // namespace dhyan
