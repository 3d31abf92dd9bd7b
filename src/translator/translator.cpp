#include "translator/translator.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "text/encode_beginning.h"

namespace dhyan {

namespace {

constexpr std::size_t kLinesAtOnce = 32;  // tokenizing a line is cheaper than scheduling a task

// Runs task(i, intra_op) for i in [0, tasks) on the workers.
template <class Task>
void share_out(const Workers& workers, std::size_t tasks, const Task& task) {
  const auto checked = [&](Index i, int worker) {
    if (workers.poll) workers.poll();
    task(static_cast<std::size_t>(i), workers.pool == nullptr ? nullptr : &workers.pool->intra_op(worker));
  };
  if (workers.pool != nullptr) return workers.pool->run(static_cast<Index>(tasks), checked);
  for (std::size_t i = 0; i < tasks; ++i) checked(static_cast<Index>(i), 0);
}

// Runs task(i) for each line.
template <class Task>
void share_out_lines(const Workers& workers, std::size_t lines, const Task& task) {
  share_out(workers, (lines + kLinesAtOnce - 1) / kLinesAtOnce, [&](std::size_t some, IntraOpThreads*) {
    const std::size_t end = std::min(lines, (some + 1) * kLinesAtOnce);
    for (std::size_t i = some * kLinesAtOnce; i < end; ++i) task(i);
  });
}

// A tokenizer that keeps blanks, such as characters, may leave some at the ends of a translation, above all a cut one.
std::string without_outer_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Only RecordedAttention::kSteps includes attention of the encoder.
KeepAttention source_attention_for(const SearchOptions& search) {
  return search.keep == RecordedAttention::kSteps ? KeepAttention::kYes : KeepAttention::kNo;
}

// Replaces the weights of the steps by those that a model for word alignment has for whole targets.
void set_attention(Hypothesis& hypothesis, const Tensor& weights) {
  AttentionRecord& record = hypothesis.attention.emplace_back();
  for (Index t = 0; t < weights.rows(); ++t) {
    const std::span<const Real> row = weights.row(t);
    record.weights.emplace_back(row.begin(), row.end());
  }
}

// Forced decoding. Where it records weights, nobody edits them and the model aligns, they are those with all targets
// known, and without scores nothing is decoded.
std::vector<std::optional<Hypothesis>> forced_by(const TranslationModel& model, const SourceBatch& source,
                                                 std::span<const ForcedTask> tasks, const SearchOptions& forcing) {
  std::vector<Tensor> known;
  if (model.knows_targets() && forcing.keep == RecordedAttention::kWeights && source.edits.empty()) {
    std::vector<std::vector<TokenId>> targets;
    for (const ForcedTask& task : tasks) targets.push_back(task.target);
    known = model.align(source, targets);
  }
  if (known.empty()) return force_for(*model.decode(source), tasks, forcing);
  std::vector<std::optional<Hypothesis>> forced;
  if (forcing.scored) forced = force_for(*model.decode(source), tasks, forcing);
  for (std::size_t b = 0; b < tasks.size(); ++b) {
    if (!forcing.scored) {
      forced.emplace_back();
      if (!is_cancelled(tasks[b].cancelled)) forced.back().emplace().tokens = tasks[b].target;
    }
    if (!forced[b]) continue;
    forced[b]->attention.clear();
    set_attention(*forced[b], known[b]);
  }
  return forced;
}

}  // namespace

Translator::Translator(const std::filesystem::path& model_folder, const TranslatorLimits& limits)
    : Translator(load_model(model_folder), limits) {}

Translator::Translator(LoadedModel loaded, const TranslatorLimits& limits)
    : loaded_(std::move(loaded)), limits_(limits) {
  if (tokenizers().source == nullptr || tokenizers().target == nullptr || loaded_.model == nullptr) {
    throw UsageError("Translator: a tokenizer or the model is missing");
  }
  model_ = &model_for<TranslationModel>("translate", loaded_);
  bytes_ = byte_tokens(*tokenizers().target);
  if (limits_.max_source_length < 1) {
    throw UsageError(cat("Translator: max_source_length is ", limits_.max_source_length, ", expected 1 or more"));
  }
  if (limits_.max_hypotheses < 1) {
    throw UsageError(cat("Translator: max_hypotheses is ", limits_.max_hypotheses, ", expected 1 or more"));
  }
}

bool Translation::finished() const {
  if (cancelled) return false;
  if (!sentences.empty()) return std::ranges::all_of(sentences, &Translation::finished);
  return source_tokens.empty() || hypothesis.finished();
}

Index Translator::longest_source() const { return std::min(limits_.max_source_length, model().longest() - 1); }

void Translator::check(const Inputs& inputs) const {
  const PictureInput expected = model().pictures();
  if (static_cast<bool>(expected) == (inputs.pictures != nullptr) || inputs.size() == 0) return;
  throw UsageError(expected ? "Translator: the model reads pictures, expected pictures"
                            : "Translator: the model reads text, expected lines of text");
}

// A translation with only its source filled in.
Translation Translator::encoded(const Inputs& inputs, std::size_t i) const {
  const std::string& line = inputs.lines[i];
  Translation translation;
  translation.source = line;
  if (inputs.pictures != nullptr) {
    translation.source_tokens = {inputs.picture(i)};
    return translation;
  }
  Encoded encoded_line = encode_beginning(*tokenizers().source, line, longest_source());
  std::tie(translation.known_text, translation.unknown_text) = known_and_unknown(*tokenizers().source, encoded_line);
  std::vector<TokenId>& tokens = translation.source_tokens = std::move(encoded_line.ids);
  if (tokens.empty()) return translation;
  if (std::ssize(tokens) > longest_source()) {
    tokens.resize(static_cast<std::size_t>(longest_source()));
    translation.source_cut = true;
  }
  tokens.push_back(kEnd);
  return translation;
}

// Lines that are already cancelled get no tokens, so that they are in no batch.
std::vector<Translation> Translator::sources_of(const Inputs& inputs, std::span<const CancelFlag> cancelled,
                                                const Workers& workers) const {
  std::vector<Translation> sources(inputs.size());
  share_out_lines(workers, inputs.size(), [&](std::size_t i) {
    if (!cancelled.empty() && is_cancelled(cancelled[i])) {
      sources[i].source = inputs.lines[i];
      sources[i].cancelled = true;
    } else {
      sources[i] = encoded(inputs, i);
    }
  });
  return sources;
}

// Cuts sentences into batches; each sentence has this many hypotheses.
std::vector<SourceSentences> Translator::batches_of(std::span<const Translation> sources, Index hypotheses,
                                                    std::span<const std::vector<WeightEdit>> edits) const {
  if (!edits.empty() && !model().has_cross_attention()) {
    throw UsageError("Translator: the model has no cross-attention to edit");
  }
  std::vector<std::span<const TokenId>> tokens;
  for (const Translation& source : sources) tokens.emplace_back(source.source_tokens);
  BatchLimits limits = limits_.batch;
  limits.max_sentences = std::min(limits.max_sentences, std::max<Index>(1, limits_.max_hypotheses / hypotheses));
  std::vector<SourceSentences> batches = source_batches(tokens, limits);
  if (edits.empty()) return batches;
  for (SourceSentences& batch : batches) {
    for (const std::size_t place : batch.places) batch.edits.push_back(edits[place]);
  }
  return batches;
}

// The length of a source, on which the longest translation depends: tokens, or cells of a picture's grid.
Index Translator::length_of(const Translation& source) const {
  const PictureInput picture = model().pictures();
  return picture ? picture.grid.cells() : std::ssize(source.source_tokens);
}

std::vector<std::vector<Translation>> Translator::translate(const Inputs& inputs, const SearchOptions& options,
                                                            const Workers& workers) const {
  return translate_with(inputs, {.search = options}, workers);
}

std::vector<SearchResult> Translator::search_batch(const SourceSentences& batch, const PictureSource* pictures,
                                                   std::span<const SearchTask> tasks, const SearchOptions& search,
                                                   const TranslationOptions& options, IntraOpThreads* intra_op) const {
  if (std::ranges::all_of(tasks, is_cancelled, &SearchTask::cancelled)) return std::vector<SearchResult>(tasks.size());
  const auto decoding =
      model().decode(batch.batch(intra_op, source_attention_for(search), limits_.precision, pictures));
  if (!options.sampling) return search_for(*decoding, tasks, search);
  std::vector<Rng> streams;
  for (const std::size_t place : batch.places) streams.push_back(line_rng(options, place));
  SamplingOptions sampling = *options.sampling;
  sampling.poll = search.poll;
  sampling.never_drawn = bytes_;
  std::vector<SearchResult> found;
  for (auto& drawn : sample_translations(*decoding, tasks, streams, sampling, search)) {
    found.push_back({.best = std::move(drawn), .beam = {}});
  }
  return found;
}

const WordBoundary& Translator::word_boundary() const {
  std::call_once(late_->made, [&] { late_->boundary.emplace(*tokenizers().target); });
  return *late_->boundary;
}

std::string Translator::text_of(const Translation& translation, const TranslationOptions& options) const {
  if (!options.unknown) return without_outer_blanks(tokenizers().target->decode(translation.hypothesis.tokens));
  return without_outer_blanks(text_without_unknown(translation.hypothesis, translation.source,
                                                   translation.source_tokens, tokenizers(), *options.unknown));
}

// Sets source.required_dropped if a required phrase does not fit.
SearchTask Translator::task_of(std::size_t line, Translation& source, const SearchOptions& search,
                               const TranslationOptions& options) const {
  const Tokenizer& target = *tokenizers().target;
  SearchTask task = search_task(options, line, target);
  task.source_length = length_of(source);
  if (const Shortlist* shortlist = shortlist_of(options)) task.vocabulary = shortlist->words_for(source.source_tokens);
  if (!task.prefix.empty() && !options.prefix_open) {
    task.forbidden_after_prefix = word_boundary().continuing(target.decode(task.prefix));
  }
  if (!options.constraints.empty() && options.constraints[line].written.size() > task.prefix.size()) {
    task.prefix = options.constraints[line].written;
    task.forbidden_after_prefix = {};
  }
  source.required_dropped = drop_phrases_that_do_not_fit(task, search);
  for (const Phrase& phrase : task.required) {
    task.forbidden_after_required.push_back(word_boundary().continuing(target.decode(phrase)));
  }
  if (!task.vocabulary.empty() && search.scored_words == ScoredWords::kListed) allow_required_words(task);
  return task;
}

const Shortlist* Translator::shortlist_of(const TranslationOptions& options) const {
  if (options.shortlist != nullptr) return options.shortlist;
  return options.model_shortlist == ModelShortlist::kUsed ? loaded_.shortlist.get() : nullptr;
}

// The n-best list of a source.
std::vector<Translation> Translator::translations_of(Translation source, SearchResult found,
                                                     const TranslationOptions& options) const {
  source.cancelled = found.best.empty();
  std::vector<Translation> n_best(std::max<std::size_t>(1, found.best.size()), source);
  for (std::size_t n = 0; n < found.best.size(); ++n) {
    n_best[n].hypothesis = std::move(found.best[n]);
    n_best[n].text = text_of(n_best[n], options);
  }
  n_best.front().beam = std::move(found.beam);
  return n_best;
}

std::vector<std::vector<Translation>> Translator::translate_with(const Inputs& inputs,
                                                                 const TranslationOptions& options,
                                                                 const Workers& workers) const {
  const std::size_t lines = inputs.size();
  check_lines(options, lines);
  check(inputs);
  if (inputs.pictures != nullptr && (options.unknown || options.shortlist != nullptr)) {
    throw UsageError(cat("Translator: ", options.unknown ? "replacing <unk>" : "a shortlist",
                         " needs source words; pictures have none"));
  }
  SearchOptions search = search_options(options, *tokenizers().target);
  dhyan::check(search);
  search.max_length = std::min(search.max_length, model().longest());
  search.poll = workers.poll;
  if (const Shortlist* shortlist = shortlist_of(options);
      shortlist != nullptr && shortlist == loaded_.shortlist.get()) {
    search.scored_words = ScoredWords::kListed;
  }
  std::vector<Translation> sources = sources_of(inputs, options.cancelled, workers);
  const std::vector<SourceSentences> batches =
      batches_of(sources, options.sampling ? search.n_best : search.beam_size, options.edits);
  std::vector<std::vector<Translation>> translations(lines);
  share_out(workers, batches.size(), [&](std::size_t i, IntraOpThreads* intra_op) {
    const SourceSentences& batch = batches[i];
    std::vector<SearchTask> tasks;
    for (const std::size_t place : batch.places) tasks.push_back(task_of(place, sources[place], search, options));
    std::vector<SearchResult> found = search_batch(batch, inputs.pictures, tasks, search, options, intra_op);
    for (std::size_t b = 0; b < found.size(); ++b) {
      const std::size_t place = batch.places[b];
      translations[place] = translations_of(std::move(sources[place]), std::move(found[b]), options);
    }
    loaded_.expect_weights_unchanged();
    if (workers.finished) workers.finished(batch.places.size());
  });
  for (std::size_t i = 0; i < lines; ++i) {
    if (translations[i].empty()) translations[i].push_back(std::move(sources[i]));
  }
  return translations;
}

std::vector<Translation> Translator::force(const Inputs& inputs, std::span<const std::string> targets,
                                           const SearchOptions& options, const Workers& workers) const {
  return force_with(inputs, targets, {.search = options}, workers);
}

std::vector<Translation> Translator::force_with(const Inputs& inputs, std::span<const std::string> targets,
                                                const ForceOptions& options, const Workers& workers) const {
  if (inputs.size() != targets.size()) {
    throw UsageError(cat("Translator: ", inputs.size(), " sources and ", targets.size(), " targets"));
  }
  check_lines(options, inputs.size());
  check(inputs);
  std::vector<Translation> translations = sources_of(inputs, options.cancelled, workers);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!translations[i].cancelled) translations[i].text = targets[i];
  }
  const std::vector<SourceSentences> batches = batches_of(translations, 1, options.edits);
  SearchOptions forcing = options.search;
  forcing.poll = workers.poll;
  share_out(workers, batches.size(), [&](std::size_t i, IntraOpThreads* intra_op) {
    const SourceSentences& batch = batches[i];
    std::vector<ForcedTask> tasks;
    for (const std::size_t place : batch.places) {
      tasks.push_back({.target = tokenizers().target->encode(targets[place]).ids,
                       .cancelled = options.cancelled.empty() ? nullptr : options.cancelled[place]});
      tasks.back().target.push_back(kEnd);
      if (std::ssize(tasks.back().target) > model().longest()) tasks.back().target.clear();  // it cannot be scored
    }
    const SourceBatch source = batch.batch(intra_op, source_attention_for(forcing), limits_.precision, inputs.pictures);
    std::vector<std::optional<Hypothesis>> forced = forced_by(model(), source, tasks, forcing);
    for (std::size_t b = 0; b < forced.size(); ++b) {
      Translation& translation = translations[batch.places[b]];
      translation.cancelled = !forced[b];
      if (forced[b]) translation.hypothesis = std::move(*forced[b]);
      if (!forced[b]) translation.text.clear();
    }
    loaded_.expect_weights_unchanged();
    if (workers.finished) workers.finished(batch.places.size());
  });
  return translations;
}

}  // namespace dhyan
