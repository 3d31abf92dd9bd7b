#include "models/decoding_room.h"

#include "core/error.h"

namespace dhyan {

Var brought(Scope& scope, const Var& x) { return x ? scope.constant(x.value()) : Var(); }

Memory brought(Scope& scope, const Memory& memory) {
  return {brought(scope, memory.keys), brought(scope, memory.values), memory.segments};
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
