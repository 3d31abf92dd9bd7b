#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "nn/recurrent.h"
#include "ops/output_layer.h"

namespace dhyan::lab {

// A task that needs a distance: one symbol of a sequence is marked, and the last step must name it.
struct RecallBatch {
  std::vector<RowId> symbols;  // [ΣS]  the last of each sentence is the question
  Segments segments;
  std::vector<RowId> answers;  // [B]
  std::vector<Index> marked;   // [B]   rows of the marked symbols
};

class RecallTask {
 public:
  explicit RecallTask(Index answers) : answers_(answers) {}

  Index answers() const { return answers_; }
  Index vocabulary() const { return 2 * answers_ + 1; }  // each symbol plain and marked, and the question

  // Sentences of `longest` symbols before the question or fewer, at least 1; the mark is anywhere.
  RecallBatch draw(Index sentences, Index longest, Rng rng) const;

  // Sentences of `length` symbols, with the mark `distance` steps before the question.
  RecallBatch at_distance(Index sentences, Index length, Index distance, Rng rng) const;

 private:
  void append(RecallBatch& batch, Index length, Index distance, Rng& rng) const;

  Index answers_;
};

struct RecallSize {
  Index embedding = 16;  // E
  Index hidden = 64;     // H
};

// A recurrent layer that reads the symbols, and an output layer over its last state s; with attention also over the
// context that s finds among all states.
class RecallNetwork {
 public:
  RecallNetwork(const RecallTask& task, const std::string& cell, bool attends, const RecallSize& size, const Rng& rng);

  ParameterSet& parameters() { return parameters_; }

  Var inputs(Scope& scope, const RecallBatch& batch) const;  // [ΣS,E]

  // The input of the output layer; `inputs` may be a leaf of the tape.
  Var last_step(const Var& inputs, const RecallBatch& batch) const;  // [B,H] or [B,2H]

  OutputLayer output(Scope& scope) const;

 private:
  ParameterSet parameters_;
  const Parameter* symbols_;  // [V,E]
  Recurrent layer_;
  std::optional<Attention> attention_;
  const Parameter *weight_, *bias_;  // [A,H or 2H], [A]
};

}  // namespace dhyan::lab
