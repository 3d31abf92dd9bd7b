#include "models/sequence_mixer.h"

#include <numeric>

#include "models/average_attention.h"
#include "models/ssru.h"
#include "ops/arena_copy.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

// What a layer attends to: these rows, and those before them in the cache.
Memory attended_rows(const MultiHeadAttention& attention, const Ragged& rows, const MixerInput& input) {
  if (input.cache == nullptr) return attention.prepare(rows);
  Scope& scope = rows.rows.scope();
  Frame frame(scope);
  return input.cache->add(scope, input.layer, attention.prepare(rows), attention.kv_cache_dtype());
}

class SelfAttention final : public SequenceMixer {
 public:
  SelfAttention(ParameterSet& parameters, const std::string& name, Index width, const AttentionConfig& config,
                const Rng& rng)
      : attention_(parameters, name, width, config, rng) {}

  Mixed operator()(const MixerInput& input) const override {
    const Memory memory = attended_rows(attention_, input.x, input);
    const MultiHeadAttended seen = attention_(input.x, memory, input.positions, input.attention);
    return {seen.output, seen.attended};  // [R,H]
  }

 private:
  MultiHeadAttention attention_;
};

// With DecoderKeys::kPlain: all words attend to plain rows, but the first of a sentence to itself, normalised.
class PlainKeysAttention final : public SequenceMixer {
 public:
  PlainKeysAttention(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, const Rng& rng)
      : attention_(parameters, name, config.hidden, batch_invariant(decoder_attention(config)), rng) {}

  Mixed operator()(const MixerInput& input) const override {
    const auto& [x, segments] = input.x;
    Frame frame(x.scope());
    const Memory memory = attended_rows(attention_, {input.plain, segments}, input);
    const MultiHeadAttended seen = attention_(input.x, memory, input.positions, input.attention);
    const std::span<const RowId> firsts = first_words(input);
    return {frame.keep(firsts.empty() ? seen.output : with_firsts(x, seen.output, firsts)), seen.attended};  // [R,H]
  }

 private:
  static std::span<const RowId> first_words(const MixerInput& input) {
    const auto& [x, segments] = input.x;
    const auto rows = arena_span<RowId>(x.scope().arena(), static_cast<std::size_t>(segments.count()));
    std::size_t n = 0;
    for (Index b = 0; b < segments.count(); ++b) {
      if (segments.length(b) > 0 && input.positions.at(b, 0) == 0) rows[n++] = static_cast<RowId>(segments.begin(b));
    }
    return rows.first(n);
  }

  // y with the rows of first words replaced.
  Var with_firsts(const Var& x, const Var& y, std::span<const RowId> firsts) const {
    const Ragged alone{gather_rows(x, firsts), Segments::singles(std::ssize(firsts))};  // [B,H]
    const Var first = attention_(alone, attention_.prepare(alone)).output;              // [B,H]
    const auto rows = arena_span<RowId>(x.scope().arena(), static_cast<std::size_t>(y.rows()));
    std::iota(rows.begin(), rows.end(), RowId{0});
    auto place = static_cast<RowId>(y.rows());
    for (const RowId row : firsts) rows[static_cast<std::size_t>(row)] = place++;
    return gather_rows(concat_rows({y, first}), rows);  // [R,H]
  }

  MultiHeadAttention attention_;
};

std::unique_ptr<const SequenceMixer> make_causal_attention(ParameterSet& parameters, const std::string& name,
                                                           const TransformerConfig& config, const Rng& rng) {
  if (config.decoder_keys == DecoderKeys::kPlain) {
    return std::make_unique<PlainKeysAttention>(parameters, name, config, rng);
  }
  return make_self_attention(parameters, name, config.hidden, batch_invariant(decoder_attention(config)), rng);
}

template <class T>
std::unique_ptr<const SequenceMixer> make_layer(ParameterSet& parameters, const std::string& name,
                                                const TransformerConfig& config, const Rng& rng) {
  return std::make_unique<T>(parameters, name, config, rng);
}

constexpr DecoderLayerEntry kDecoderLayers[] = {
    {"self", "vaswani2017", true, make_causal_attention},
    {"ssru", "kim2019", false, make_layer<Ssru>},
    {"aan", "zhang2018", false, make_layer<AverageAttention>},
};

}  // namespace

std::unique_ptr<const SequenceMixer> make_self_attention(ParameterSet& parameters, const std::string& name, Index width,
                                                         const AttentionConfig& config, const Rng& rng) {
  return std::make_unique<SelfAttention>(parameters, name, width, config, rng);
}

std::span<const DecoderLayerEntry> decoder_layers() { return kDecoderLayers; }

}  // namespace dhyan
