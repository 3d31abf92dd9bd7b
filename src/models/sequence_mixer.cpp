#include "models/sequence_mixer.h"

#include "models/average_attention.h"
#include "models/ssru.h"

namespace dhyan {

namespace {

class SelfAttention final : public SequenceMixer {
 public:
  SelfAttention(ParameterSet& parameters, const std::string& name, Index width, const AttentionConfig& config,
                const Rng& rng)
      : attention_(parameters, name, width, config, rng) {}

  Mixed operator()(const MixerInput& input) const override {
    const MultiHeadAttended seen = attention_(input.x, memory(input), input.positions, input.attention);
    return {seen.output, seen.attended};  // [R,H]
  }

 private:
  // The rows that x attends to: x itself, and the rows before in the cache.
  Memory memory(const MixerInput& input) const {
    if (input.cache == nullptr) return attention_.prepare(input.x);
    Scope& scope = input.x.rows.scope();
    Frame frame(scope);
    return input.cache->add(scope, input.layer, attention_.prepare(input.x), attention_.kv_cache_dtype());
  }

  MultiHeadAttention attention_;
};

std::unique_ptr<const SequenceMixer> make_causal_attention(ParameterSet& parameters, const std::string& name,
                                                           const TransformerConfig& config, const Rng& rng) {
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
