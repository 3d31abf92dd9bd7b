#include "models/recurrent_model.h"

#include "models/batch_loss.h"
#include "models/grid_encoder.h"
#include "models/guided_alignment.h"
#include "models/recurrent_decoding.h"
#include "models/recurrent_encoder.h"
#include "models/scheduled_sampling.h"
#include "models/teacher_forcing.h"
#include "ops/arena_copy.h"

namespace dhyan {

namespace {

using Words = std::shared_ptr<const Embedding>;

Words make_words(ParameterSet& parameters, const std::string& name, Index V, const RecurrentConfig& config,
                 const Rng& rng) {
  const EmbeddingOptions options{
      .word_dropout = config.word_dropout, .table = {.name = "uniform", .number = 0.1}, .rng = rng};
  return std::make_shared<Embedding>(parameters, name, V, config.embedding, options);
}

// Reorders the sources of a batch.
SourceBatch reordered(Arena& arena, const Batch& batch, std::span<const RowId> sentences) {
  const std::span<TokenId> tokens = arena_span<TokenId>(arena, batch.source.size());
  std::vector<Index> lengths;
  lengths.reserve(sentences.size());
  auto to = tokens.begin();
  for (const RowId b : sentences) {
    const Example example = example_of(batch, b);
    to = std::ranges::copy(example.source, to).out;
    lengths.push_back(std::ssize(example.source));
  }
  return {.tokens = tokens, .segments = Segments::from_lengths(lengths), .pictures = batch.pictures.get()};
}

std::unique_ptr<const Encoder> make_encoder(ParameterSet& parameters, const RecurrentConfig& config,
                                            const Words& target_words, const Rng& rng) {
  if (config.reads_pictures()) return std::make_unique<GridEncoder>(parameters, config, rng);
  Words words = config.tying == Tying::kAll ? target_words
                                            : make_words(parameters, "source", config.source_vocabulary, config, rng);
  return std::make_unique<RecurrentEncoder>(parameters, config, std::move(words), rng);
}

class RecurrentModel final : public TranslationModel {
 public:
  RecurrentModel(const RecurrentConfig& config, const Rng& rng)
      : target_words_(make_words(parameters_, config.tying == Tying::kAll ? "words" : "target",
                                 config.target_vocabulary, config, rng)),
        encoder_(make_encoder(parameters_, config, target_words_, rng)),
        decoder_(parameters_, config, *encoder_, target_words_, rng) {}

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options) const override {
    if (batch.target.empty()) return no_loss(scope);
    const Segments& targets = batch.target_segments;
    const RecurrentPlan plan(targets);
    const SourceBatch source = reordered(scope.arena(), batch, plan.sentences());
    const std::vector<TokenId> inputs = training_inputs(*this, scope, batch, options);  // [ΣT]
    const bool guided = attends() && is_guided(scope, batch, options);
    const Segments sources = annotation_segments(*encoder_, batch.source_segments);
    const auto states = [&]() -> Pass {
      const Var y = decoder_.embed(scope, inputs, targets);  // [ΣT,E]
      const Forced forced = teacher_forced(decoder_, decoder_.begin((*encoder_)(scope, source)), y, plan);
      return {decoder_.dropout()({forced.readout, targets}),  // [ΣT,O]
              guided ? guidance(forced.weights, batch, sources, plan, decoder_.heads()) : Var()};
    };
    return batch_loss(states, decoder_.output(scope), batch.target, options);
  }

  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override {
    return std::make_unique<RecurrentDecoding>(*encoder_, decoder_, source);
  }

  bool attends() const override { return decoder_.heads() > 0; }
  PictureInput pictures() const override { return encoder_->pictures(); }

 private:
  Words target_words_;
  std::unique_ptr<const Encoder> encoder_;
  RecurrentDecoder decoder_;
};

}  // namespace

std::unique_ptr<TranslationModel> make_recurrent_model(const RecurrentConfig& config, const Rng& rng) {
  check(config);
  return std::make_unique<RecurrentModel>(config, rng);
}

}  // namespace dhyan
