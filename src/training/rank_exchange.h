#pragma once

#include "training/gradient_chain.h"
#include "training/gradients.h"
#include "training/optimizers.h"

namespace dhyan {

// What ranks tell each other at the end of a step. Collective.

// All ranks get the same losses of all shards, and the sums of squares of all gradients; each gives those of its own.
void exchange_sums(GradientChain& chain, std::span<double> losses_of_shards, NormSums& norm);

// Weights of chunks, each of which is right on the rank that updates it.
void exchange_weights(const GradientChain& chain, ParameterSet& weights);

void exchange_lengths(const GradientChain& chain, std::span<StepLength> by_chunk);

// All ranks take the weights of rank 0.
void take_weights_of_first(Communicator& ranks, ParameterSet& weights);

// The whole of an optimizer's state on rank 0, of which each rank keeps a part; empty on the others.
std::vector<NamedTensor> gather_optimizer_state(Communicator& ranks, const Optimizer& optimizer);

// The reverse: rank 0, which has restored its own part, gives the whole state.
void share_optimizer_state(Communicator& ranks, Optimizer& optimizer, std::span<const NamedTensor> of_first,
                           Index steps);

}  // namespace dhyan
