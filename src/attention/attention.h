#pragma once

#include "attention/attend.h"
#include "attention/attention_config.h"

namespace dhyan {

struct AttentionSize {
  Index query = 0;  // Q
  Index key = 0;    // K, of the annotations; both of all heads together
};

// Attention as a layer: a score and a window with their weights. Parameters name.score.* and name.window.*
class Attention {
 public:
  // Throws ConfigError for what check(config) finds, and for sizes that do not fit score or heads.
  Attention(ParameterSet& parameters, const std::string& name, const AttentionSize& size, const AttentionConfig& config,
            const Rng& rng);

  // The part that is computed once per sentence. The values are the annotations, or others.
  Memory prepare(const Ragged& annotations) const { return prepare(annotations, annotations.rows); }
  Memory prepare(const Ragged& keys, const Var& values) const;

  // attend(), with this score and window.
  Attended operator()(const Ragged& query, const Memory& memory, const QueryPositions& positions = {},
                      KeepAttention keep = KeepAttention::kYes, const LayerEdits& edits = {}) const;

  Index heads() const { return heads_; }
  bool reads_bfloat16() const { return score_->reads_bfloat16(); }  // as keys of its memory

 private:
  std::unique_ptr<const Score> score_;
  std::unique_ptr<const Window> window_;
  Index heads_;
  double dropout_;
  AttentionKernel kernel_;
};

}  // namespace dhyan
