#include "models/recurrent_decoder.h"

#include "core/error.h"
#include "ops/arena_copy.h"
#include "ops/arithmetic.h"
#include "ops/dropout.h"

namespace dhyan {

namespace {

Index context_width(const RecurrentConfig& config, const Encoder& encoder) {
  return config.context == ContextKind::kNone ? 0 : encoder.width();  // C
}

bool context_is_fed(const RecurrentConfig& config) {
  return config.context == ContextKind::kFixed ||
         (config.context == ContextKind::kAttention && config.timing == Timing::kBefore);
}

bool readout_is_fed(const RecurrentConfig& config) {
  return config.context == ContextKind::kAttention && config.timing == Timing::kAfter && config.input_feeding;
}

AttentionConfig score_attention(const RecurrentConfig& config) {
  AttentionConfig attention = batch_invariant(config.attention);
  attention.inner_norm = config.inner_norm;
  return attention;
}

Var first_rows_of(const Var& x, Index n) { return x ? slice_rows(x, 0, n) : Var(); }  // [n,.]

}  // namespace

DecoderState first_rows_of(const DecoderState& state, Index n) {
  const Var& h = state.layers.front().h;
  if (h.rows() == n) return state;
  const auto layer = [n](const State& all) { return first_rows_of(all, n); };  // [n,H]
  return {map_to_arena(h.scope().arena(), state.layers, layer), first_rows_of(state.fed, n)};
}

Surroundings first_rows_of(const Surroundings& around, Index n) {
  if (around.rows.rows() == n) return around;
  Surroundings some{.rows = around.rows.first(n)};
  if (around.memory.values) {
    const Segments segments = around.memory.segments.first(n);
    some.memory = {first_rows_of(around.memory.keys, segments.rows()),    // [ΣS,.]
                   first_rows_of(around.memory.values, segments.rows()),  // [ΣS,D H]
                   segments};
  }
  some.context_vector = first_rows_of(around.context_vector, n);            // [n,D H]
  some.from_context_vector = first_rows_of(around.from_context_vector, n);  // [n,G H]
  if (!around.masks.empty()) {
    some.masks = map_to_arena(around.masks.front().scope().arena(), around.masks,
                              [n](const Var& mask) { return first_rows_of(mask, n); });  // [n,H]
  }
  return some;
}

RecurrentDecoder::RecurrentDecoder(ParameterSet& parameters, const RecurrentConfig& config, const Encoder& encoder,
                                   std::shared_ptr<const Embedding> words, const Rng& rng)
    : timing_(config.timing),
      words_(std::move(words)),
      dropout_(config.dropout, DropoutMask::kSentences),
      bridge_(parameters, config, encoder, rng),
      readout_(parameters, config, context_width(config, encoder), rng) {
  const Index H = decoder_width(config), O = config.output_hidden, V = config.target_vocabulary;
  const bool has_two_cells = config.context == ContextKind::kAttention && config.timing == Timing::kBetween;
  const CellOptions cell{.norm = config.inner_norm, .rng = rng};
  for (Index layer = 0; layer < config.decoder_layers; ++layer) {
    const std::string name = cat("decoder.", layer);
    const CellSize size{layer == 0 ? config.embedding : H, H};
    const Index transitions = layer > 0 ? config.higher_transitions : has_two_cells ? 0 : config.decoder_transitions;
    cells_.emplace_back(config.cell, parameters, name, size, transitions, cell);
    ends_.emplace_back(parameters, name, H, ResidualNormOptions{config.layer_norm, config.residual});
  }
  if (config.context == ContextKind::kAttention) {
    attention_.emplace(parameters, "attention", AttentionSize{H, encoder.width()}, score_attention(config), rng);
    if (has_two_cells) {
      second_.emplace(config.cell, parameters, "decoder.0.second", CellSize{encoder.width(), H},
                      config.decoder_transitions, cell);
    }
  }
  const Index G = cells_.front().gates();
  const LinearOptions gates{.bias = false, .weight = {.blocks = G}, .rng = rng};
  if (context_is_fed(config)) {
    from_context_.emplace(parameters, "decoder.context", context_width(config, encoder), G * H, gates);
  }
  if (readout_is_fed(config)) from_fed_.emplace(parameters, "decoder.feed", O, G * H, gates);
  output_weight_ = config.tying == Tying::kNone ? add_table(parameters, "output.weight", {V, O}, {}, rng)
                                                : &words_->table();  // [press2017]
  output_bias_ = &parameters.add("output.bias", {V});
}

Var RecurrentDecoder::embed(Scope& scope, std::span<const TokenId> words, const Segments& sentences) const {
  return dropout_({(*words_)(scope, words), sentences});  // [.,E]
}

Var RecurrentDecoder::project(const Var& y) const { return cells_.front().project(y); }  // [.,G H]

OutputLayer RecurrentDecoder::output(Scope& scope) const {
  return {scope.parameter(*output_weight_), scope.parameter(*output_bias_)};  // [V,O], [V]
}

// One dropout mask for each sentence and layer, the same at every step ([gal2016]).
std::span<const Var> RecurrentDecoder::make_masks(Scope& scope, Index B) const {
  if (!scope.recording() || dropout_.probability() == 0) return {};
  const std::span<Var> masks = arena_span<Var>(scope.arena(), cells_.size() - 1);
  for (Var& mask : masks) {
    const Tensor ones = scope.tensor({B, cells_.front().hidden()});  // [B,H]
    ones.fill(1);
    mask = dhyan::dropout(scope.constant(ones), dropout_.probability());  // [B,H]
  }
  return masks;
}

DecoderBeginning RecurrentDecoder::begin(const EncodedSource& source) const {
  Scope& scope = source.annotations.rows.scope();
  const Index B = source.annotations.segments.count();
  DecoderBeginning beginning{.state = {bridge_(source)}, .around = {.rows = Segments::singles(B)}};
  if (from_fed_) {
    const Index O = from_fed_->weight().value.rows();
    beginning.state.fed = scope.constant(Tensor::zeros_in(scope.arena(), {B, O}));  // [B,O]
  }
  Surroundings& around = beginning.around;
  if (attention_) {
    around.memory = attention_->prepare(source.annotations);
  } else if (from_context_) {
    around.context_vector = context_vector_of(source);                     // [B,D H]
    around.from_context_vector = (*from_context_)(around.context_vector);  // [B,G H]
  }
  around.masks = make_masks(scope, B);
  return beginning;
}

Attended RecurrentDecoder::attend_from(const Var& query, const Surroundings& around, const DecoderInput& input) const {
  return (*attention_)({query, around.rows}, around.memory, QueryPositions::all_at(input.place), input.attention,
                       {input.edits});
}

// The state of the first layer; its context too, unless the decoder attends after the update.
State RecurrentDecoder::run_first_layer(const DecoderInput& input, const DecoderState& before,
                                        const Surroundings& around, DecoderOutput& now) const {
  Var from_x = input.from_y;                           // [n,G H]
  if (around.from_context_vector) {                    // [cho2014] section 2.2: s_i = f(s_{i-1}, y_{i-1}, c)
    now.c = around.context_vector;                     // [n,D H]
    from_x = add(from_x, around.from_context_vector);  // [n,G H]
  }
  if (attends(Timing::kBefore)) {  // [bahdanau2015] eqs. 4-6: α_i by s_{i-1}, s_i = f(s_{i-1}, y_{i-1}, c_i)
    now.attended = attend_from(before.layers.back().h, around, input);
    now.c = now.attended.context;                   // [n,D H]
    from_x = add(from_x, (*from_context_)(now.c));  // [n,G H]
  }
  if (from_fed_) from_x = add(from_x, (*from_fed_)(before.fed));           // [n,G H]  [luong2015] section 3.3
  const State state = cells_.front().step(from_x, before.layers.front());  // [n,H]
  if (!attends(Timing::kBetween)) return state;
  now.attended = attend_from(state.h, around, input);    // [sennrich2017] section 2: α_i by s'_i, s_i = f(s'_i, c_i)
  now.c = now.attended.context;                          // [n,D H]
  return second_->step(second_->project(now.c), state);  // [n,H]
}

// s of the top layer.
Var RecurrentDecoder::run_higher_layers(const DecoderState& before, std::span<const Var> masks,
                                        std::span<State> after) const {
  Var x = ends_.front()({}, after.front().h);  // [n,H]
  for (std::size_t l = 1; l < cells_.size(); ++l) {
    if (!masks.empty()) x = multiply(x, masks[l - 1]);                  // [n,H]
    after[l] = cells_[l].step(cells_[l].project(x), before.layers[l]);  // [n,H]
    x = ends_[l](x, after[l].h);                                        // [n,H]
  }
  return x;
}

DecoderOutput RecurrentDecoder::step(const DecoderInput& input, const DecoderState& before,
                                     const Surroundings& around) const {
  DecoderOutput now;
  const std::span<State> after = arena_span<State>(input.from_y.scope().arena(), cells_.size());
  after.front() = run_first_layer(input, before, around, now);  // [n,H]
  now.s = run_higher_layers(before, around.masks, after);       // [n,H]
  if (attends(Timing::kAfter)) {                                // [luong2015] section 3: α_i by s_i
    now.attended = attend_from(now.s, around, input);
    now.c = now.attended.context;  // [n,D H]
  }
  now.state = {after, from_fed_ ? readout_(now.s, now.c, input.y) : Var()};
  return now;
}

}  // namespace dhyan
