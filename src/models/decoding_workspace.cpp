#include "models/decoding_workspace.h"

#include "core/error.h"
#include "ops/listed_outputs.h"

namespace dhyan {

Var import_into(Scope& scope, const Var& x) { return x ? scope.constant(x.value()) : x; }

Memory import_into(Scope& scope, const Memory& memory) {
  return {import_into(scope, memory.keys), import_into(scope, memory.values), memory.segments};
}

DecoderStep output_step(const Var& y, const OutputLayer& layer, const Continuation& continuation) {
  DecoderStep step;
  if (continuation.best > 0 && !continuation.words.empty()) {
    RankedOutputs outputs = listed_outputs(y, layer, {continuation.hypotheses, continuation.words}, continuation.best,
                                           continuation.log_sums ? LogSums::kYes : LogSums::kNo);
    step.best = std::move(outputs.best);          // [A,best]
    step.log_sums = std::move(outputs.log_sums);  // [A]
  } else if (continuation.log_sums) {
    RankedOutputs outputs = ranked_outputs(y, layer, continuation.best);
    step.best = std::move(outputs.best);          // [A,best]
    step.log_sums = std::move(outputs.log_sums);  // [A]
  } else if (continuation.best > 0) {
    step.best = best_outputs(y, layer, continuation.best);  // [A,best]
  }
  if (step.best.empty()) step.logits = output_logits(y, layer);  // [A,V]
  return step;
}

void expect_continuation(const Continuation& continuation, Index sentences) {
  const Segments& hypotheses = continuation.hypotheses;
  if (hypotheses.count() != sentences) {
    throw UsageError(cat("Decoding::step: hypotheses are of ", hypotheses.count(), " sentences, expected ", sentences));
  }
  if (std::ssize(continuation.rows) != hypotheses.rows() || std::ssize(continuation.tokens) != hypotheses.rows()) {
    throw UsageError(cat("Decoding::step: ", continuation.rows.size(), " rows and ", continuation.tokens.size(),
                         " tokens, expected one of each for ", hypotheses.rows(), " hypotheses"));
  }
}

}  // namespace dhyan
