#include "training/held_out.h"

#include <cmath>
#include <deque>

#include "core/error.h"

namespace dhyan {

std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      const std::function<void()>& poll) {
  std::deque<Arena> arenas;
  for (int i = 0; i < pool.size(); ++i) arenas.emplace_back();
  std::vector<double> nll(batches.size());
  pool.run(std::ssize(batches), [&](Index i, int worker) {
    if (poll) poll();
    Arena& arena = arenas[static_cast<std::size_t>(worker)];
    arena.reset();
    Scope scope(arena);
    const auto at = static_cast<std::size_t>(i);
    nll[at] = model.loss(scope, batches[at]).nll;
  });
  double sum = 0;
  Index tokens = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    sum += nll[i];
    tokens += model.predictions(batches[i]);
  }
  if (tokens == 0) throw DataError("held-out loss: there are no sentences to measure it on");
  const double loss = sum / static_cast<double>(tokens);
  return {{"loss", loss}, {"perplexity", std::exp(loss)}};
}

}  // namespace dhyan
