#include "models/transformer_decoding.h"

namespace dhyan {

TransformerDecoding::TransformerDecoding(const TransformerNetwork& network, const SourceBatch& source)
    : network_(network),
      edits_(source.edits),
      source_(source),
      now_(source),
      encoded_((*network.encoder)(source_.scope, source)),
      memories_(network.decoder.prepare(encoded_.annotations)),
      cache_(network.decoder.layers(), source.segments.count()),
      states_(network.decoder.layers()) {}

DecoderStep TransformerDecoding::step(const Continuation& continuation) {
  expect_continuation(continuation, sentences());
  now_.arena.reset();
  Scope& scope = now_.scope;
  const Segments& hypotheses = continuation.hypotheses;
  const Segments rows = Segments::singles(hypotheses.rows());
  cache_.follow(continuation.rows);
  states_.follow(continuation.rows);
  std::vector<Memory> memories;
  for (const Memory& memory : memories_) memories.push_back(import_into(scope, memory));
  const StackOutput output = network_.decoder(
      {.x = {network_.target_input(scope, continuation.tokens, rows, cache_.lengths()), rows},  // [A,H]
       .positions = place_,
       .cache = &cache_,
       .states = &states_,
       .sentences = hypotheses,
       .steps = QueryPositions::all_at(place_),
       .prepared = memories,
       .edits = edits_,
       .attention = continuation.attention});
  cache_.advance(rows);
  ++place_;
  DecoderStep step = output_step(output.y, network_.output(scope), continuation);
  const Index heads = network_.decoder.heads();
  append_attention(output, AttentionPlace::kCross, {hypotheses, sources(), heads}, step.attention);
  append_attention(output, AttentionPlace::kDecoder, {rows, Segments::from_lengths(cache_.lengths()), heads},
                   step.attention);
  return step;
}

}  // namespace dhyan
