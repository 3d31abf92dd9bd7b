#include "runs/validator.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/model_kinds.h"
#include "core/error.h"
#include "distributed/message_bytes.h"
#include "runs/picture_book_corpus.h"
#include "translator/picture_test_set.h"

namespace dhyan {

namespace {

constexpr const char* kTrueCaptions = "true-captions";
constexpr std::array kTextMetrics{"bleu", "chrf", "coco-bleu4", "cider-d"};

std::vector<std::string> pieces_of(const Tokenizer& tokenizer, std::span<const TokenId> tokens) {
  std::vector<std::string> pieces;
  for (const TokenId token : tokens) pieces.emplace_back(tokenizer.piece(token));
  return pieces;
}

// Labels: the tokens of a sentence, or row and column of a picture's cells.
std::vector<std::string> source_labels(const Translation& translation, const Translator& translator) {
  const GridShape grid = translator.model().pictures().grid;
  if (grid.cells() == 0) return pieces_of(*translator.tokenizers().source, translation.source_tokens);
  std::vector<std::string> labels;
  for (Index cell = 0; cell < grid.cells(); ++cell) labels.push_back(cat(cell / grid.width, ",", cell % grid.width));
  return labels;
}

// [T][S]  the mean over layers and heads
std::vector<std::vector<double>> mean_weights(const std::vector<AttentionRecord>& records) {
  std::vector<std::vector<double>> mean;
  for (const AttentionRecord& record : records) {
    mean.resize(record.weights.size());
    for (std::size_t t = 0; t < mean.size(); ++t) {
      mean[t].resize(record.weights[t].size());
      for (std::size_t s = 0; s < mean[t].size(); ++s) {
        mean[t][s] += static_cast<double>(record.weights[t][s]) / static_cast<double>(records.size());
      }
    }
  }
  return mean;
}

// The mean entropy of the distributions over the source, of every layer, head and word: H = -sum_j a_j log a_j.
struct EntropyMean {
  double sum = 0;
  Index rows = 0;

  void add(const std::vector<AttentionRecord>& records) {
    for (const AttentionRecord& record : records) {
      for (const std::vector<Real>& row : record.weights) {
        for (const double weight : row) sum -= weight > 0 ? weight * std::log(weight) : 0;
        ++rows;
      }
    }
  }
};

template <class T>
void cut_to(std::vector<T>& list, Index most) {
  if (most > 0 && std::ssize(list) > most) list.resize(static_cast<std::size_t>(most));
}

// The test set of held-out captions, for a model that reads pictures.
TestSet picture_set(const Config& config, std::span<const CorpusInput> corpora, const TrainingPictures& shown) {
  if (corpora.front().scenes) {
    const PictureBookSpec& scenes = *corpora.front().scenes;
    const Index most = config.validation.sentences;
    return scene_test_set(scenes.language, scenes.part, most > 0 ? std::min(most, scenes.scenes) : scenes.scenes,
                          shown.pictures->format().size);
  }
  TestSet set{.name = corpora.front().name, .pictures = shown.pictures};
  for (TokenId number = 0; number < shown.names->size(); ++number) set.sources.emplace_back(shown.names->piece(number));
  set.references.resize(set.sources.size());
  for (const CorpusInput& corpus : corpora) {
    const std::unique_ptr<PairSource> pairs = corpus.open();
    for (SentencePair pair; pairs->next(pair);) {
      for (const TokenId number : shown.names->encode(pair.source).ids) {
        set.references[static_cast<std::size_t>(number)].push_back(pair.target);
      }
    }
  }
  return set;
}

}  // namespace

TestSet validation_set(const Config& config, std::span<const CorpusInput> corpora, const TrainingPictures& pictures,
                       const std::function<void()>& poll) {
  const DataConfig& data = config.data;
  TestSet set;
  if (!config.validation.alignments.empty()) {
    if (corpora.size() != 1 || data.valid.empty()) {
      throw ConfigError(cat("valid-alignments goes with one corpus of --valid, not with ",
                            data.valid.empty() ? std::string("none") : cat(corpora.size())));
    }
    set = read_test_set({.pairs = data.valid, .references = {}, .alignments = config.validation.alignments},
                        {.on_bad_utf8 = data.on_bad_utf8,
                         .on_bad_columns = data.on_bad_columns,
                         .source_language = data.source_language,
                         .target_language = data.target_language,
                         .poll = poll});
  } else if (reads_pictures(config)) {
    set = picture_set(config, corpora, pictures);
  } else if (data.valid.empty() && data.train.empty()) {
    set = phrasebook_test_set(data.phrasebook, Part::kDev, data.max_words);
  } else {
    for (const CorpusInput& corpus : corpora) {
      const std::unique_ptr<PairSource> pairs = corpus.open();
      for (SentencePair pair; pairs->next(pair);) {
        set.sources.push_back(pair.source);
        set.references.push_back({pair.target});
      }
    }
  }
  cut_to(set.sources, config.validation.sentences);
  cut_to(set.references, config.validation.sentences);
  cut_to(set.alignments, config.validation.sentences);
  return set;
}

bool shares_translations(const Config& config) {
  const std::vector<std::string>& metrics = config.validation.metrics;
  const auto wants = [&](const char* name) { return std::ranges::find(metrics, name) != metrics.end(); };
  return translates(config) && !reads_pictures(config) && !wants("aer") && !wants(kTrueCaptions) &&
         std::ranges::any_of(kTextMetrics, wants);
}

Validator::Validator(const Config& config, const Model& model, const TokenizerPair& tokenizers, ValidationData data,
                     Communicator* ranks)
    : config_(config.validation), model_(model), data_(std::move(data)), ranks_(ranks) {
  if (ranks == nullptr || ranks->first()) check_metrics(config);
  shares_text_ = ranks != nullptr && shares_translations(config);
  const bool has_sentences = translates(config) && !data_.set.sources.empty();
  const bool scores = wants("aer") || wants(kTrueCaptions) ||
                      std::ranges::any_of(kTextMetrics, [&](const char* name) { return wants(name); });
  if (!has_sentences || (!scores && config_.samples == 0)) return;
  LoadedModel copy{config, tokenizers, make_model(config, tokenizers, Rng(0))};
  copy_ = copy.model.get();
  translator_ = std::make_unique<Translator>(std::move(copy));
  const Index sentences = std::ssize(data_.set.sources), samples = std::min(config_.samples, sentences);
  for (Index i = 0; i < samples; ++i) {
    const auto at = static_cast<std::size_t>(i * sentences / samples);
    sampled_.push_back(at);
  }
}

bool Validator::wants(std::string_view metric) const {
  return std::ranges::find(config_.metrics, metric) != config_.metrics.end();
}

void Validator::check_metrics(const Config& config) const {
  for (const std::string& name : config_.metrics) {
    if (name == "loss" || name == "perplexity") continue;
    if (!translates(config))
      throw ConfigError(cat("validate-metrics has ", name, ", and the model does not translate"));
    if (name == kTrueCaptions && !data_.set.scenes) {
      throw ConfigError("validate-metrics has true-captions, which needs held-out scenes of the picture book");
    }
    if (name != "aer") continue;
    if (!attends_to_source(config)) {
      throw ConfigError("validate-metrics has aer, and the model has no cross-attention");
    }
    if (data_.set.alignments.empty()) {
      throw ConfigError(
          "validate-metrics has aer, and there are no gold alignments; valid-alignments names their file");
    }
  }
}

Validation Validator::operator()(ThreadPool& pool, const std::function<void()>& poll) {
  if (ranks_ != nullptr) return on_ranks(pool, poll);
  Validation found{held_out_loss(model_, data_.batches, pool, poll)};
  if (translator_ == nullptr) return found;
  load_weights();
  add_text(found, {.pool = &pool, .poll = poll}, nullptr);
  return found;
}

// Loss and translations are shared out; rank 0 does the rest and tells the others the metrics.
Validation Validator::on_ranks(ThreadPool& pool, const std::function<void()>& poll) {
  Validation found{held_out_loss(model_, data_.batches, pool, *ranks_, poll)};
  const Workers workers{.pool = &pool, .poll = poll};
  if (translator_ != nullptr) load_weights();
  std::optional<std::vector<std::string>> translations;
  const bool shared = shares_text_ && translator_ != nullptr && std::isfinite(found.metrics.front().value);
  if (shared) translations = shared_translations(workers);
  const std::vector<Bytes> all = on_all_ranks(*ranks_, [&] {
    MessageWriter message;
    if (!ranks_->first()) return message.take();
    if (shared && !translations) {
      found = without_text(found);
    } else if (translator_ != nullptr) {
      add_text(found, workers, translations ? &*translations : nullptr);
    }
    message.number(static_cast<std::uint64_t>(found.metrics.size()));
    for (const NamedScore& metric : found.metrics) {
      message.text(metric.name);
      message.number(metric.value);
    }
    return message.take();
  });
  if (ranks_->first()) return found;
  MessageReader message(all.front());
  found.metrics.clear();
  for (auto left = message.number<std::uint64_t>(); left > 0; --left) {
    const std::string name = message.text();
    found.metrics.push_back({name, message.number<double>()});
  }
  return found;
}

// Each rank translates a part of the sentences. Empty if the logits are NaN on one.
std::optional<std::vector<std::string>> Validator::shared_translations(const Workers& workers) const {
  const std::size_t sentences = data_.set.sources.size(), ranks = static_cast<std::size_t>(ranks_->size());
  const std::vector<Bytes> all = on_all_ranks(*ranks_, [&] {
    const auto rank = static_cast<std::size_t>(ranks_->rank());
    const std::size_t begin = sentences * rank / ranks, end = sentences * (rank + 1) / ranks;
    MessageWriter message;
    try {
      const SearchOptions search{.beam_size = config_.beam_size};
      for (const auto& n_best : translator_->translate(data_.set.inputs().part(begin, end - begin), search, workers)) {
        message.text(n_best.front().text);
      }
    } catch (const ModelFileError&) {
      message = {};
    }
    return message.take();
  });
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t lines = sentences * (rank + 1) / ranks - sentences * rank / ranks;
    if (lines > 0 && all[rank].empty()) return std::nullopt;
    MessageReader message(all[rank]);
    for (std::size_t line = 0; line < lines; ++line) texts.push_back(message.text());
  }
  return texts;
}

void Validator::load_weights() {
  for (Parameter& weight : copy_->parameters()) {
    std::ranges::copy(model_.parameters().find(weight.name)->value.span(), weight.value.data());
  }
}

void Validator::add_text(Validation& found, const Workers& workers, const std::vector<std::string>* translations) {
  const Validation loss_alone = found;
  if (!std::isfinite(found.metrics.front().value)) {
    found = without_text(loss_alone);
    return;
  }
  try {
    add_scores(found, workers, translations);
    add_samples(found, workers);
  } catch (const ModelFileError&) {  // the logits are NaN: the trainer decides whether to continue
    found = without_text(loss_alone);
  }
}

Validation Validator::without_text(Validation found) const {
  for (const ValidationMetric& metric : validation_metrics()) {
    const bool measured = std::ranges::find(found.metrics, metric.name, &NamedScore::name) != found.metrics.end();
    if (!measured && wants(metric.name)) found.metrics.push_back({std::string(metric.name), NAN});
  }
  return found;
}

void Validator::add_scores(Validation& found, const Workers& workers,
                           const std::vector<std::string>* translations) const {
  ScoringOptions scoring{.metrics = {}, .poll = workers.poll};
  for (const char* name : kTextMetrics) {
    if (wants(name)) scoring.metrics.emplace_back(name);
  }
  const SearchOptions search{.beam_size = config_.beam_size};
  const std::vector<std::string> asked = scoring.metrics;
  const auto add = [&](const TextScores& scores) {
    for (std::size_t i = 0; i < asked.size(); ++i) found.metrics.push_back({asked[i], scores.scores[i].score});
  };
  if (translations != nullptr) {
    add(score_text({*translations, data_.set.references}, sentence_lengths(data_.set), scoring));
  } else if (wants("aer")) {
    if (scoring.metrics.empty()) scoring.metrics = {"bleu"};  // evaluate() needs one
    const Evaluation evaluation = evaluate(*translator_, data_.set, {.search = search, .scoring = scoring}, workers);
    add(evaluation.text);
    found.metrics.push_back({"aer", evaluation.forced.alignment.value().error_rate});
  } else if (!asked.empty() || wants(kTrueCaptions)) {
    std::vector<std::string> texts;
    std::vector<Translation> captions;
    for (auto& n_best : translator_->translate(data_.set.inputs(), search, workers)) {
      texts.push_back(n_best.front().text);
      captions.push_back(std::move(n_best.front()));
    }
    if (!asked.empty()) add(score_text({texts, data_.set.references}, sentence_lengths(data_.set), scoring));
    if (wants(kTrueCaptions)) {
      const SceneScores scenes =
          score_scenes(data_.set, captions, *translator_->tokenizers().target, translator_->model().pictures().grid);
      found.metrics.push_back({kTrueCaptions, scenes.true_captions});
    }
  }
}

void Validator::add_samples(Validation& found, const Workers& workers) const {
  const SearchOptions search{.beam_size = config_.beam_size, .keep = RecordedAttention::kWeights};
  EntropyMean entropy;
  for (const std::size_t at : sampled_) {
    const Translation translation =
        translator_->translate(data_.set.inputs().part(at, 1), search, workers).front().front();
    const Hypothesis& hypothesis = translation.hypothesis;
    found.samples.push_back({source_labels(translation, *translator_),
                             pieces_of(*translator_->tokenizers().target, hypothesis.tokens),
                             data_.set.references[at].front(), mean_weights(hypothesis.attention)});
    entropy.add(hypothesis.attention);
  }
  if (entropy.rows > 0) {
    found.metrics.push_back({"attention_entropy_nats", entropy.sum / static_cast<double>(entropy.rows)});
  }
}

}  // namespace dhyan
