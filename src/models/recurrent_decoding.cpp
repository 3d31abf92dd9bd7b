#include "models/recurrent_decoding.h"

#include "ops/arena_copy.h"

namespace dhyan {

namespace {

// The rows of each sentence's hypotheses.
Var spread(Scope& scope, const Var& x, const Segments& hypotheses) {
  return x ? repeat_rows(import_into(scope, x), hypotheses) : Var();  // [A,.]
}

Surroundings surroundings_of(Scope& scope, const Surroundings& source, const Segments& hypotheses) {
  return {.rows = hypotheses,
          .memory = import_into(scope, source.memory),
          .context_vector = spread(scope, source.context_vector, hypotheses),
          .from_context_vector = spread(scope, source.from_context_vector, hypotheses)};
}

// The states of the hypotheses that each one continues.
DecoderState continued(Scope& scope, const DecoderState& before, std::span<const RowId> rows) {
  const auto chosen = [&](const Var& x) { return x ? gather_rows(import_into(scope, x), rows) : Var(); };  // [A,.]
  return {map_to_arena(scope.arena(), before.layers, [&](const State& state) { return map(state, chosen); }),
          chosen(before.fed)};
}

}  // namespace

RecurrentDecoding::RecurrentDecoding(const Encoder& encoder, const RecurrentDecoder& decoder, const SourceBatch& source)
    : decoder_(decoder),
      edits_(source.edits),
      source_(source),
      workspaces_{DecodingWorkspace(source), DecodingWorkspace(source)} {
  const EncodedSource encoded = encoder(source_.scope, source);
  beginning_ = decoder.begin(encoded);
  state_ = beginning_.state;
  if (decoder.heads() == 0) context_vector_ = decoder.context_vector(encoded);  // [B,.]
}

DecoderStep RecurrentDecoding::step(const Continuation& continuation) {
  expect_continuation(continuation, sentences());
  DecodingWorkspace& workspace = workspaces_[static_cast<std::size_t>(place_ % 2)];
  workspace.arena.reset();
  const Segments& hypotheses = continuation.hypotheses;
  const Surroundings around = surroundings_of(workspace.scope, beginning_.around, hypotheses);
  const DecoderState before = continued(workspace.scope, state_, continuation.rows);  // [A,.]
  const Var y = decoder_.embed(workspace.scope, continuation.tokens, hypotheses);     // [A,E]
  const DecoderOutput now =
      decoder_.step({y, decoder_.project(y), place_, edits_, continuation.attention}, before, around);
  const Var readout = decoder_.feeds() ? now.state.fed : decoder_.readout(now.s, now.c, y);  // [A,O]
  DecoderStep result = output_step(readout, decoder_.output(workspace.scope), continuation);
  if (const Attended& attended = now.attended; attended.weights) {
    result.attention.push_back({.layout = {hypotheses, around.memory.segments, decoder_.heads()},
                                .energy = attended.energy,
                                .weights = attended.weights,
                                .context = attended.context,
                                .parts = attended.parts});
  }
  state_ = now.state;
  ++place_;
  return result;
}

}  // namespace dhyan
