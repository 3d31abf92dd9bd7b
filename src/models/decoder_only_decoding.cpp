#include "models/decoder_only_decoding.h"

namespace dhyan {

DecoderOnlyDecoding::DecoderOnlyDecoding(const DecoderOnlyNetwork& network, const SourceBatch& read, Index context)
    : network_(network),
      sentences_(read.segments.count()),
      context_(context),
      first_(read),
      now_(read),
      cache_(network.decoder.layers(), 0) {
  for (Index b = 0; b < sentences_; ++b) {
    const auto begin = read.tokens.begin() + read.segments.begin(b);
    sequences_.emplace_back(begin, begin + read.segments.length(b));
  }
  read_first_ = read_into(first_, context_ - 1);
  first_segments_ = Segments::from_lengths(cache_.lengths());
}

// Fills a new cache; of a sequence that fills the context, the `longest` youngest tokens are read.
StackOutput DecoderOnlyDecoding::read_into(DecodingWorkspace& workspace, Index longest) {
  workspace.arena.reset();
  std::vector<TokenId> tokens;
  std::vector<Index> lengths;
  for (Sequence& sequence : sequences_) {
    const Index kept = std::ssize(sequence) < context_ ? std::ssize(sequence) : longest;
    sequence.erase(sequence.begin(), sequence.end() - kept);
    tokens.insert(tokens.end(), sequence.begin(), sequence.end());
    lengths.push_back(kept);
  }
  cache_ = KeyValueCache(network_.decoder.layers(), std::ssize(sequences_));
  if (tokens.empty()) return {};
  const Segments segments = Segments::from_lengths(lengths);
  const StackOutput output =
      network_.decoder({.x = {network_.input(workspace.scope, tokens, segments), segments}, .cache = &cache_});
  cache_.advance(segments);
  return output;
}

std::vector<AttentionStep> DecoderOnlyDecoding::source_attention() const {
  std::vector<AttentionStep> steps;
  append_attention(read_first_, AttentionPlace::kEncoder, {first_segments_, first_segments_, network_.decoder.heads()},
                   steps);
  return steps;
}

void DecoderOnlyDecoding::follow(const Continuation& continuation) {
  cache_.follow(continuation.rows);  // throws for rows that were not there
  std::vector<Sequence> next;
  bool full = false;
  for (const RowId row : continuation.rows) {
    next.push_back(sequences_[static_cast<std::size_t>(row)]);
    full = full || std::ssize(next.back()) >= context_;
  }
  sequences_ = std::move(next);
  if (full) read_into(now_, context_ / 2);
  for (std::size_t i = 0; i < sequences_.size(); ++i) sequences_[i].push_back(continuation.tokens[i]);
}

DecoderStep DecoderOnlyDecoding::step(const Continuation& continuation) {
  expect_continuation(continuation, sentences());
  follow(continuation);
  now_.arena.reset();
  const Segments rows = Segments::singles(continuation.hypotheses.rows());
  const StackOutput output =
      network_.decoder({.x = {network_.input(now_.scope, continuation.tokens, rows, cache_.lengths()), rows},  // [A,H]
                        .positions = QueryPositions::from(cache_.lengths()),
                        .cache = &cache_,
                        .attention = continuation.attention});
  cache_.advance(rows);
  DecoderStep step = output_step(output.y, network_.output(now_.scope), continuation);
  append_attention(output, AttentionPlace::kDecoder,
                   {rows, Segments::from_lengths(cache_.lengths()), network_.decoder.heads()}, step.attention);
  return step;
}

}  // namespace dhyan
