#include "models/masked_model.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "models/batch_loss.h"
#include "models/transformer_network.h"
#include "ops/activations.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

constexpr double kPredicted = 0.15, kHidden = 0.8, kReplaced = 0.1;

// Tokens of a sentence, </s> among them, that are to be predicted.
Index predicted_of(Index length) {
  return length < 2 ? 0 : std::max<Index>(1, std::lround(kPredicted * static_cast<double>(length - 1)));
}

// `count` of the numbers below n, ascending.
std::vector<Index> chosen(Index count, Index n, Rng& rng) {
  std::vector<Index> numbers;
  for (Index i = 0; i < n; ++i) {
    const auto left = static_cast<std::uint64_t>(n - i),
               wanted = static_cast<std::uint64_t>(count - std::ssize(numbers));
    if (rng.below(left) < wanted) numbers.push_back(i);
  }
  return numbers;
}

TokenId disguised(TokenId token, Index vocabulary, Rng& rng) {
  const double draw = rng.uniform();
  if (draw < kHidden) return kMask;
  if (draw >= kHidden + kReplaced) return token;
  return static_cast<TokenId>(kEnd + 1 +
                              static_cast<Index>(rng.below(static_cast<std::uint64_t>(vocabulary - kEnd - 1))));
}

// The layers that predict tokens: one with the model's gelu and a norm, and the output layer.
struct PredictionHead {
  PredictionHead(ParameterSet& parameters, const TransformerConfig& config, const Embedding& words, const Rng& rng)
      : hidden(parameters, "head", config.hidden, config.hidden, {.rng = rng}),
        activation(config.activation == "gelu-erf" ? gelu_erf : gelu),
        norm(parameters, "head.norm", config.hidden, static_cast<Real>(config.norm_epsilon)),
        output(parameters, words, config.tying, rng) {}

  Var under_output(const Var& states) const { return norm(activation(hidden(states))); }  // [.,H]

  Linear hidden;
  Var (*activation)(const Var&);
  LayerNorm norm;
  TransformerOutput output;
};

// Puts <s> before each sentence.
Segments begin_sentences(Masking& masking, const Segments& sentences) {
  std::vector<TokenId> tokens;
  std::vector<Index> lengths;
  std::size_t place = 0;
  for (Index b = 0; b < sentences.count(); ++b) {
    const Index end = sentences.begin(b) + sentences.length(b);
    tokens.push_back(kBegin);
    tokens.insert(tokens.end(), masking.tokens.begin() + sentences.begin(b), masking.tokens.begin() + end);
    lengths.push_back(sentences.length(b) + 1);
    for (; place < masking.places.size() && masking.places[place] < end; ++place) {
      masking.places[place] += static_cast<RowId>(b + 1);
    }
  }
  masking.tokens = std::move(tokens);
  return Segments::from_lengths(lengths);
}

class MaskedTransformer final : public MaskedModel {
 public:
  MaskedTransformer(const TransformerConfig& config, const Rng& rng)
      : words_(TransformerInput::make_words(parameters_, "words", config.target_vocabulary, config, rng)),
        input_(parameters_, "words", config, words_, rng),
        encoder_(parameters_, "encoder", config, BlockKind::kEncoder, rng),
        begins_(config.masked.start == SentenceStart::kMarked) {
    if (config.masked.head == MaskedHead::kPresent) head_.emplace(parameters_, config, *words_, rng);
  }

  Encoding encode(Scope& scope, const SourceBatch& sentences) const override {
    const StackOutput output = run(scope, sentences);
    Encoding encoding{.states = output.y, .attention = {}};  // [ΣS,H]
    append_attention(output, AttentionPlace::kEncoder, {sentences.segments, sentences.segments, encoder_.heads()},
                     encoding.attention);
    return encoding;
  }

  Index longest() const override { return input_.longest(); }

  bool has_head() const override { return head_.has_value(); }

  Var logits(const Var& states) const override {
    return output_logits(head().under_output(states), head().output(states.scope()));  // [.,V]
  }

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options) const override {
    const Rng rng = scope.recording() ? scope.tape()->next_noise() : Rng(0);
    Masking masking = mask(batch, words_->table().value.rows(), rng);
    if (masking.places.empty()) return no_loss(scope);
    const Segments segments = begins_ ? begin_sentences(masking, batch.target_segments) : batch.target_segments;
    const auto hidden = [&] {
      const Var states = run(scope, {masking.tokens, segments}).y;            // [ΣS,H]
      return Pass{head().under_output(gather_rows(states, masking.places))};  // [P,H]
    };
    return batch_loss(hidden, head().output(scope), masking.answers, options);
  }

  Index predictions(const Batch& batch) const override {
    Index sum = 0;
    for (Index b = 0; b < batch.sentences(); ++b) sum += predicted_of(batch.target_segments.length(b));
    return sum;
  }

 private:
  StackOutput run(Scope& scope, const SourceBatch& sentences) const {
    return encoder_({.x = {input_(scope, sentences.tokens, sentences.segments), sentences.segments}});  // [ΣS,H]
  }

  const PredictionHead& head() const {
    if (!head_) throw ConfigError("a masked language model without a head predicts no tokens; it only encodes them");
    return *head_;
  }

  std::shared_ptr<const Embedding> words_;
  TransformerInput input_;
  TransformerStack encoder_;
  std::optional<PredictionHead> head_;
  bool begins_;
};

}  // namespace

Masking mask(const Batch& batch, Index vocabulary, const Rng& rng) {
  Masking masking{.tokens = batch.target, .places = {}, .answers = {}};
  const Segments& sentences = batch.target_segments;
  for (Index b = 0; b < sentences.count(); ++b) {
    Rng own = rng.split(batch.numbers[static_cast<std::size_t>(b)]);
    for (const Index i : chosen(predicted_of(sentences.length(b)), sentences.length(b) - 1, own)) {
      TokenId& token = masking.tokens[static_cast<std::size_t>(sentences.begin(b) + i)];
      masking.places.push_back(static_cast<RowId>(sentences.begin(b) + i));
      masking.answers.push_back(token);
      token = disguised(token, vocabulary, own);
    }
  }
  return masking;
}

std::unique_ptr<MaskedModel> make_masked_model(const TransformerConfig& config, const Rng& rng) {
  check(config);
  if (config.target_vocabulary <= kEnd + 1) {
    throw ConfigError(cat("a masked language model needs words; the vocabulary has ", config.target_vocabulary,
                          " tokens, special ones included"));
  }
  return std::make_unique<MaskedTransformer>(config, rng);
}

}  // namespace dhyan
