#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/function_ref.h"
#include "core/thread_pool.h"
#include "distributed/communicator.h"
#include "models/model.h"
#include "training/validation_metrics.h"

namespace dhyan {

// "loss", -log p per predicted token, and "perplexity" on held-out sentences, without dropout and label smoothing. The
// result does not depend on the number of threads. `poll` is called for every batch, from several threads at once, and
// may throw to stop.
std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      const std::function<void()>& poll = {});

// The same, shared out over ranks, which all get the result; collective. If poll() throws on one of them, they all
// throw: the others StopTraining.
std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      Communicator& ranks, const std::function<void()>& poll = {});

// Thrown to stop a training at once: the current step or validation is discarded, and repeated when the training is
// resumed.
struct StopTraining {};

// Runs `work` on every rank and exchanges what it gives, by rank; collective. If it throws on a rank, all ranks throw:
// that one its exception, the others StopTraining.
std::vector<Bytes> on_all_ranks(Communicator& ranks, FunctionRef<Bytes()> work);

}  // namespace dhyan
