#pragma once

#include "attention/scores.h"
#include "autograd/tape.h"
#include "core/spare_arena.h"
#include "models/decoder.h"
#include "models/model.h"
#include "ops/output_layer.h"

namespace dhyan {

// An arena and a scope without a tape for one part of a decoding: the source, or a step.
struct DecodingWorkspace {
  explicit DecodingWorkspace(const SourceBatch& source = {}) : scope(arena, source.intra_op, source.precision) {}

  SpareArena memory;
  Arena& arena = *memory;
  Scope scope;
};

// Imports a value of another workspace as a constant of this scope; they share storage.
Var import_into(Scope& scope, const Var& x);
Memory import_into(Scope& scope, const Memory& memory);

// The logits of the next word, or only the best words if the continuation requests only these.
DecoderStep output_step(const Var& y, const OutputLayer& layer, const Continuation& continuation);  // y [A,H]

// UsageError unless there is one row and one token for each hypothesis, and this number of sentences.
void expect_continuation(const Continuation& continuation, Index sentences);

}  // namespace dhyan
