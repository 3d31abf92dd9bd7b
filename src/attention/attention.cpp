#include "attention/attention.h"

namespace dhyan {

Attention::Attention(ParameterSet& parameters, const std::string& name, const AttentionSize& size,
                     const AttentionConfig& config, const Rng& rng)
    : heads_(config.heads), dropout_(config.dropout), kernel_(config.kernel) {
  check(config);
  const Index hidden = config.hidden > 0 ? config.hidden : size.query;
  const ScoreSize score{size.query, size.key, hidden, config.heads, config.longest, config.inner_norm};
  const WindowSize window{size.query, hidden, config.radius};
  score_ = make_score(config.score, {parameters, name + ".score", score, rng}, config.tables.scores);
  window_ = make_window(config.window, {parameters, name + ".window", window, rng}, config.tables.windows);
  if (config.causal) window_ = causal(std::move(window_));
}

Memory Attention::prepare(const Ragged& keys, const Var& values) const {
  return {score_->keys(keys.rows), values, keys.segments};
}

Attended Attention::operator()(const Ragged& query, const Memory& memory, const QueryPositions& positions,
                               KeepAttention keep, const LayerEdits& edits) const {
  return attend(*score_, query, memory, {heads_, window_.get(), positions, dropout_, keep, kernel_, edits});
}

}  // namespace dhyan
