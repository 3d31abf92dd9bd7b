#include "training/held_out.h"

#include <cmath>
#include <deque>
#include <exception>

#include "core/error.h"
#include "distributed/message_bytes.h"

namespace dhyan {

namespace {

struct Every {
  std::size_t first = 0, stride = 1;
};

// -log p of these batches; 0 for the others.
std::vector<double> losses_of(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                              const std::function<void()>& poll, const Every& every = {}) {
  const auto [first, stride] = every;
  std::deque<Arena> arenas;
  for (int i = 0; i < pool.size(); ++i) arenas.emplace_back();
  std::vector<double> nll(batches.size());
  const std::size_t count = batches.size() > first ? (batches.size() - first + stride - 1) / stride : 0;
  pool.run(static_cast<Index>(count), [&](Index i, int worker) {
    if (poll) poll();
    Arena& arena = arenas[static_cast<std::size_t>(worker)];
    arena.reset();
    Scope scope(arena);
    const std::size_t at = first + static_cast<std::size_t>(i) * stride;
    nll[at] = model.loss(scope, batches[at]).nll;
  });
  return nll;
}

std::vector<NamedScore> scores_of(const Model& model, std::span<const Batch> batches, std::span<const double> nll) {
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

}  // namespace

std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      const std::function<void()>& poll) {
  return scores_of(model, batches, losses_of(model, batches, pool, poll));
}

std::vector<NamedScore> held_out_loss(const Model& model, std::span<const Batch> batches, ThreadPool& pool,
                                      Communicator& ranks, const std::function<void()>& poll) {
  const auto stride = static_cast<std::size_t>(ranks.size());
  const std::vector<Bytes> all = on_all_ranks(ranks, [&] {
    MessageWriter own;
    own.numbers(std::span<const double>(
        losses_of(model, batches, pool, poll, {static_cast<std::size_t>(ranks.rank()), stride})));
    return own.take();
  });
  std::vector<double> nll(batches.size()), of_rank(batches.size());
  for (std::size_t rank = 0; rank < stride; ++rank) {
    MessageReader(all[rank]).numbers(std::span(of_rank));
    for (std::size_t at = rank; at < nll.size(); at += stride) nll[at] = of_rank[at];
  }
  return scores_of(model, batches, nll);
}

std::vector<Bytes> on_all_ranks(Communicator& ranks, FunctionRef<Bytes()> work) {
  std::exception_ptr stopped;
  Bytes own;
  try {
    own = work();
  } catch (const RankError&) {
    throw;
  } catch (...) {
    stopped = std::current_exception();
  }
  own.push_back(std::byte{stopped != nullptr});  // last
  std::vector<Bytes> all = ranks.all_gather(std::move(own));
  if (stopped) std::rethrow_exception(stopped);
  for (Bytes& one : all) {
    if (one.empty() || one.back() != std::byte{0}) throw StopTraining();
    one.pop_back();
  }
  return all;
}

}  // namespace dhyan
