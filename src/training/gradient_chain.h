#pragma once

#include <vector>

#include "autograd/parameter.h"
#include "distributed/communicator.h"
#include "training/rank_shares.h"

namespace dhyan {

// How gradients are sent from rank to rank. With bfloat16 half as many bytes, and other results than on one rank.
enum class GradientWire { kReal, kBfloat16 };

struct Ranks {
  Communicator& communicator;
  GradientWire wire = GradientWire::kReal;
};

// The order of OrderedReduction across ranks. The sum of a parameter's gradients goes from shard to shard: where the
// next shard is on another rank, it is sent there, in chunks, while backward continues with other parameters, and the
// shard adds to what arrives. So the sums are those of one process, byte for byte. The rank of the last shard sends
// each rank the part of the sum that it updates. Of an embedding only rows that were touched are sent.
class GradientChain {
 public:
  GradientChain(const ParameterSet& parameters, const Ranks& ranks, const ShardDeal& deal);

  // Before the shards of a step; `count` of them.
  void start(Index count);

  const std::vector<Index>& own_shards() const { return own_; }  // of this step, ascending
  bool arrives(Index shard) const;                               // its sums come from another rank
  bool departs(Index shard) const;                               // its sums are sent

  // Before the shard adds: replaces the gradient by the sum that has arrived. A second call does nothing.
  void receive(const Parameter& parameter, Index shard, Gradient& gradient);

  // After the shard has added: sends the sum to the next shard, or its parts to those who update them.
  void send(const Parameter& parameter, Index shard, const Gradient& gradient);

  // After all own shards: replaces gradients by the final sums, of which only the part that this rank updates is right.
  void receive_final(const ParameterSet& parameters, GradientSet& gradients);

  // Ends the step on all ranks.
  void fail(const std::string& reason) { ranks_.communicator.fail(reason); }

  const ElementRange& own_range() const { return own_range_; }  // the elements that this rank updates
  const ElementRange& share_of(int rank) const { return shares_[static_cast<std::size_t>(rank)]; }
  int rank_of(Index shard) const { return deal_.rank_of(shard); }
  Communicator& communicator() const { return ranks_.communicator; }

 private:
  void send_part(const Gradient& gradient, const ElementRange& part, int to, MessageKey key) const;
  void receive_part(Gradient& gradient, const ElementRange& part, int from, MessageKey key) const;

  Ranks ranks_;
  ShardDeal deal_;
  ElementRange own_range_;
  std::vector<ElementRange> shares_;  // by rank
  std::vector<Index> first_;          // element of each parameter in the concatenation
  std::vector<Index> received_;       // per parameter: the last shard whose sum arrived here; -1: none
  std::vector<Index> own_;
  Index count_ = 0;
};

}  // namespace dhyan
