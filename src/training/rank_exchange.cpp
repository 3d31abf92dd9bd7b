#include "training/rank_exchange.h"

#include <algorithm>

#include "distributed/message_bytes.h"
#include "training/chunks.h"

namespace dhyan {

namespace {

std::span<Real> part_of(const Tensor& tensor, const ElementRange& range) {
  return tensor.span().subspan(static_cast<std::size_t>(range.begin),
                               static_cast<std::size_t>(range.end - range.begin));
}

// Calls f(values) for the trainable elements of a chunk.
template <class F>
void for_each_weight(Index chunk, ParameterSet& weights, const F& f) {
  const auto size_of = [](const Parameter& weight) { return weight.value.size(); };
  for_each_piece(chunk, weights, size_of, [&](std::size_t i, Index begin, Index end) {
    const Parameter& weight = weights.begin()[static_cast<std::ptrdiff_t>(i)];
    if (weight.frozen) return;
    f(part_of(weight.value, {begin, end}));
  });
}

MessageKey key_of(Index chunk) { return {.kind = kWeightMessage, .a = static_cast<std::uint32_t>(chunk)}; }

// By rank, on rank 0, the ranges of a tensor that ranks keep.
std::vector<ElementRange> gather_ranges(Communicator& ranks, const ElementRange& own, Index size) {
  MessageWriter message;
  message.number(own.begin);
  message.number(own.end);
  std::vector<ElementRange> ranges;
  for (const Bytes& of_rank : ranks.gather_at_first(message.take())) {
    MessageReader reader(of_rank);
    const auto begin = reader.number<Index>(), end = reader.number<Index>();
    if (begin < 0 || begin > end || end > size) throw RankError("a rank keeps an impossible share");
    ranges.push_back({begin, end});
  }
  return ranges;
}

// Sends values in messages of a bounded size, and receives them.
void send_values(Communicator& ranks, int to, MessageKey key, std::span<const Real> values) {
  const auto most = static_cast<std::size_t>(kChunkElements);
  for (; !values.empty(); values = values.subspan(std::min(most, values.size()))) {
    MessageWriter message;
    message.numbers(values.first(std::min(most, values.size())));
    ranks.send(to, key, message.take());
  }
}

void receive_values(Communicator& ranks, int from, MessageKey key, std::span<Real> values) {
  const auto most = static_cast<std::size_t>(kChunkElements);
  for (; !values.empty(); values = values.subspan(std::min(most, values.size()))) {
    const Bytes bytes = ranks.receive(from, key);
    MessageReader(bytes).numbers(values.first(std::min(most, values.size())));
  }
}

}  // namespace

void exchange_sums(GradientChain& chain, std::span<double> losses_of_shards, NormSums& norm) {
  MessageWriter own;
  own.numbers(std::span<const double>(losses_of_shards));
  own.numbers(std::span<const double>(norm));
  const std::vector<Bytes> all = chain.communicator().all_gather(own.take());
  std::vector<double> losses(losses_of_shards.size());
  NormSums part;
  norm.fill(0);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    MessageReader reader(all[rank]);
    reader.numbers(std::span(losses));
    reader.numbers(std::span<double>(part));
    for (std::size_t shard = 0; shard < losses.size(); ++shard) {
      if (chain.rank_of(static_cast<Index>(shard)) == static_cast<int>(rank)) losses_of_shards[shard] = losses[shard];
    }
    std::ranges::transform(norm, part, norm.begin(), std::plus<double>());  // all but one are 0
  }
}

void exchange_lengths(const GradientChain& chain, std::span<StepLength> by_chunk) {
  MessageWriter own;
  own.numbers(std::span<const StepLength>(by_chunk));
  const std::vector<Bytes> all = chain.communicator().all_gather(own.take());
  std::vector<StepLength> part(by_chunk.size());
  std::ranges::fill(by_chunk, StepLength{});
  for (const Bytes& of_rank : all) {
    MessageReader(of_rank).numbers(std::span(part));
    for (std::size_t chunk = 0; chunk < part.size(); ++chunk) {
      by_chunk[chunk].moved += part[chunk].moved;
      by_chunk[chunk].weights += part[chunk].weights;
    }
  }
}

// Round a ring: each rank sends its part to the next one, and passes on what it gets, so that every link carries each
// part once at most.
void exchange_weights(const GradientChain& chain, ParameterSet& weights) {
  Communicator& ranks = chain.communicator();
  const int size = ranks.size(), next = (ranks.rank() + 1) % size, before = (ranks.rank() + size - 1) % size;
  const auto for_each_chunk_of = [&](int rank, const auto& f) {
    const ElementRange& share = chain.share_of(rank);
    for (Index chunk = share.begin / kChunkElements; chunk < chunk_count(share.end); ++chunk) f(chunk);
  };
  for_each_chunk_of(ranks.rank(), [&](Index chunk) {
    MessageWriter message;
    for_each_weight(chunk, weights, [&](std::span<const Real> values) { message.numbers(values); });
    ranks.send(next, key_of(chunk), message.take());
  });
  for (int distance = 1; distance < size; ++distance) {
    for_each_chunk_of((ranks.rank() + size - distance) % size, [&](Index chunk) {
      Bytes bytes = ranks.receive(before, key_of(chunk));
      MessageReader message(bytes);
      for_each_weight(chunk, weights, [&](std::span<Real> values) { message.numbers(values); });
      if (distance + 1 < size) ranks.send(next, key_of(chunk), std::move(bytes));
    });
  }
}

void take_weights_of_first(Communicator& ranks, ParameterSet& weights) {
  for (Index chunk = 0; chunk < chunk_count(weights.element_count()); ++chunk) {
    const auto size_of = [](const Parameter& weight) { return weight.value.size(); };
    const auto for_each_part = [&](const auto& f) {
      for_each_piece(chunk, weights, size_of, [&](std::size_t i, Index begin, Index end) {
        f(part_of(weights.begin()[static_cast<std::ptrdiff_t>(i)].value, {begin, end}));
      });
    };
    MessageWriter own;
    if (ranks.first()) for_each_part([&](std::span<const Real> values) { own.numbers(values); });
    const Bytes bytes = ranks.broadcast(own.take());
    if (ranks.first()) continue;
    MessageReader message(bytes);
    for_each_part([&](std::span<Real> values) { message.numbers(values); });
  }
}

// One tensor after the other; each rank sends the elements that it keeps.
std::vector<NamedTensor> gather_optimizer_state(Communicator& ranks, const Optimizer& optimizer) {
  std::vector<NamedTensor> whole;
  const std::span<const Shape> shapes = optimizer.shapes();
  const std::span<const NamedTensor> own = optimizer.state();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t parameter = i % shapes.size();
    const ElementRange& kept = optimizer.kept(parameter);
    const std::vector<ElementRange> by_rank = gather_ranges(ranks, kept, shapes[parameter].size());
    const MessageKey key{.kind = kOptimizerMessage, .a = static_cast<std::uint32_t>(i)};
    if (!ranks.first()) {
      send_values(ranks, 0, key, own[i].value.span());
      continue;
    }
    NamedTensor& tensor = whole.emplace_back(NamedTensor{own[i].name, Tensor::uninitialized(shapes[parameter])});
    std::ranges::copy(own[i].value.span(), tensor.value.data() + kept.begin);
    for (int rank = 1; rank < ranks.size(); ++rank) {
      receive_values(ranks, rank, key, part_of(tensor.value, by_rank[static_cast<std::size_t>(rank)]));
    }
  }
  return whole;
}

void share_optimizer_state(Communicator& ranks, Optimizer& optimizer, std::span<const NamedTensor> of_first,
                           Index steps) {
  const std::span<const NamedTensor> own = optimizer.state();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t parameter = i % optimizer.shapes().size();
    const std::vector<ElementRange> by_rank =
        gather_ranges(ranks, optimizer.kept(parameter), optimizer.shapes()[parameter].size());
    const MessageKey key{.kind = kOptimizerMessage, .a = static_cast<std::uint32_t>(i)};
    if (!ranks.first()) {
      receive_values(ranks, 0, key, own[i].value.span());
      continue;
    }
    const auto whole = std::ranges::find(of_first, own[i].name, &NamedTensor::name);  // restore() has found them all
    for (int rank = 1; rank < ranks.size(); ++rank) {
      send_values(ranks, rank, key, part_of(whole->value, by_rank[static_cast<std::size_t>(rank)]));
    }
  }
  if (!ranks.first()) optimizer.set_steps(steps);
}

}  // namespace dhyan
