#pragma once

#include "attention/scores.h"
#include "autograd/tape.h"
#include "core/spare_arena.h"
#include "models/decoder.h"
#include "models/model.h"
#include "ops/output_layer.h"

namespace dhyan {

// Where a part of a decoding takes place, without a tape.
struct DecodingWorkspace {
  explicit DecodingWorkspace(const SourceBatch& source = {}) : scope(arena, source.intra_op, source.precision) {}

  SpareArena memory;
  Arena& arena = *memory;
  Scope scope;
};

// What was made in another room, as constants of this one; shares its numbers.
Var import_into(Scope& scope, const Var& x);
Memory import_into(Scope& scope, const Memory& memory);

// What a step says of the next word.
DecoderStep output_step(const Var& y, const OutputLayer& layer, const Continuation& continuation);  // y [A,H]

// UsageError unless there is one row and one token for each hypothesis of so many sentences.
void expect_continuation(const Continuation& continuation, Index sentences);

}  // namespace dhyan
