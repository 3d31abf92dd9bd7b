#include "lab/recall_training.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/number_text.h"
#include "interop/safetensors.h"
#include "ops/arithmetic.h"
#include "ops/output_loss.h"
#include "training/gradients.h"
#include "training/optimizers.h"
#include "training/parallel_step.h"

namespace dhyan::lab {

namespace {

namespace fs = std::filesystem;

constexpr int kRecallShards = 4;
constexpr std::uint64_t kRecallData = 1;  // streams of a seed
constexpr const char* kStepsDone = "steps";

std::vector<NamedTensor> state_of(const ParameterSet& parameters, const Optimizer& optimizer) {
  std::vector<NamedTensor> tensors(optimizer.state().begin(), optimizer.state().end());
  for (const Parameter& parameter : parameters) tensors.push_back({parameter.name, parameter.value});
  return tensors;
}

void save_recall(const fs::path& path, const ParameterSet& parameters, const Optimizer& optimizer) {
  save_tensors(path, state_of(parameters, optimizer), {{kStepsDone, number_text(optimizer.steps())}});
}

// Returns the number of steps that were done.
Index load_recall(const fs::path& path, ParameterSet& parameters, Optimizer& optimizer) {
  const SafetensorsFile file(path);
  const auto done = file.metadata().find(kStepsDone);
  const auto steps = done == file.metadata().end() ? std::nullopt : parse_number<Index>(done->second);
  if (!steps) throw ModelFileError(cat(path.string(), ": does not say how many steps were done"));
  const auto read = [&](const NamedTensor& wanted) {
    const TensorEntry* entry = file.find(wanted.name);
    if (entry == nullptr || entry->shape != wanted.value.shape()) {
      throw ModelFileError(cat(path.string(), ": has no '", wanted.name, "' of shape ", wanted.value.shape()));
    }
    file.read(*entry, wanted.value.span());
  };
  for (const Parameter& parameter : parameters) read({parameter.name, parameter.value});
  std::vector<NamedTensor> state;
  for (const NamedTensor& wanted : optimizer.state()) {
    state.push_back({wanted.name, Tensor::zeros(wanted.value.shape())});
    read(state.back());
  }
  optimizer.restore(state, *steps);
  return *steps;
}

// Sentences of one shard.
Index first_of_shard(Index sentences, Index shard) { return sentences * shard / kRecallShards; }

}  // namespace

void train_recall(LabRun& run, const RecallTask& task, RecallNetwork& network, const RecallTraining& training,
                  const fs::path& state) {
  ParameterSet& parameters = network.parameters();
  const auto optimizer = make_optimizer("adam", parameters);
  const Index done = fs::exists(state) ? load_recall(state, parameters, *optimizer) : 0;
  ParallelStep step(parameters, run.pool(), kRecallShards);
  const Rng data = Rng(training.seed).split(kRecallData);
  const auto progress = run.observer().progress(cat("training ", state.stem().string()));
  for (Index number = done; number < training.steps; ++number) {
    if (run.options().stop && run.options().stop()) {
      save_recall(state, parameters, *optimizer);
      run.poll();
    }
    const Rng of_step = data.split(static_cast<std::uint64_t>(number));
    step.run(Rng(0), [&](Scope& scope, Index shard) {
      const Index first = first_of_shard(training.batch, shard), end = first_of_shard(training.batch, shard + 1);
      if (first == end) return scope.constant(Tensor::zeros_in(scope.arena(), {}));
      const RecallBatch batch =
          task.draw(end - first, training.longest, of_step.split(static_cast<std::uint64_t>(shard)));
      const Var y = network.last_step(network.inputs(scope, batch), batch);        // [B,H] or [B,2H]
      const Var loss = output_loss(y, network.output(scope), batch.answers).loss;  // []
      return scale(loss, Real{1} / static_cast<Real>(training.batch));
    });
    clip_by_global_norm(step.gradients(), 1, &run.pool());
    optimizer->step(parameters, step.gradients(), training.learning_rate, &run.pool());
    if (progress)
      progress->update(static_cast<std::uint64_t>(number + 1), static_cast<std::uint64_t>(training.steps), "steps");
  }
  fs::remove(state);
}

double recalled(const RecallNetwork& network, const RecallBatch& batch) {
  Arena arena;
  Scope scope(arena);
  const Tensor z = output_logits(network.last_step(network.inputs(scope, batch), batch), network.output(scope)).value();
  Index right = 0;
  for (std::size_t b = 0; b < batch.answers.size(); ++b) {
    const auto row = z.span().subspan(b * static_cast<std::size_t>(z.cols()), static_cast<std::size_t>(z.cols()));
    right += std::ranges::max_element(row) - row.begin() == batch.answers[b] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(batch.answers.size());
}

}  // namespace dhyan::lab
