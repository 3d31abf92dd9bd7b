#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "models/model.h"
#include "training/validation_metrics.h"

namespace dhyan {

// "loss", -log p per predicted token, and "perplexity" on held-out sentences, without dropout and label smoothing. The
// result does not depend on the number of threads. `poll` is called for every batch, from several threads at once, and
// may throw to stop.
std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      const std::function<void()>& poll = {});

}  // namespace dhyan
