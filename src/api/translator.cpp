#include <dhyan/translator.h>
#include <dhyan/version.h>
#include <mutex>
#include <utility>

#include "api/explained.h"
#include "api/given_scores.h"
#include "api/results.h"
#include "api/settings.h"
#include "api/test_sets.h"
#include "config/model_kinds.h"
#include "config/options.h"
#include "core/error.h"
#include "core/version.h"
#include "data/text_input.h"
#include "kernels/simd/runtime.h"
#include "text/unicode.h"
#include "translator/caption_stream.h"
#include "translator/open_request.h"
#include "translator/split_lines.h"
#include "translator/translate_stream.h"

namespace dhyan::v1 {

namespace {

using api::Telling;

constexpr Index kPicturesAtOnce = 16;  // in a batch: a call has work for several threads

TranslatorLimits limits_of(const LoadOptions& options, const Config& config) {
  TranslatorLimits limits{.max_source_length = options.max_source_length};
  if (options.max_source_length < 1) {
    throw UsageError(cat("max_source_length is ", options.max_source_length, ", expected 1 or more"));
  }
  if (dhyan::reads_pictures(config)) limits.batch.max_sentences = kPicturesAtOnce;
  if (options.split_bfloat16) limits.precision = Precision::kSplitBfloat16;
  return limits;
}

dhyan::Translator load(const std::vector<std::filesystem::path>& folders, const LoadOptions& options,
                       const AttentionTables& tables) {
  LoadedModel loaded = load_ensemble(folders, options.ensemble_weights, tables);
  const TranslatorLimits limits = limits_of(options, loaded.config);
  return dhyan::Translator(std::move(loaded), limits);
}

SearchRequest request_of(std::string_view where, const TranslateOptions& options) {
  SearchRequest base;
  base.search.beam_size = options.beam_size;
  base.n_best = options.n_best;
  return api::request_of(where, std::move(base), options.more);
}

SearchOptions search_of(const SearchRequest& request, const Telling& telling, const TranslationModel& model) {
  api::expect_cross_attention_for(request, model);
  SearchOptions search = dhyan::search_options(request);
  search.keep = api::recorded_for(telling, model);
  search.scored = search.beam_size > 1 || telling.details != Details::kText || request.sampling;
  check(search);
  return search;
}

void expect_text(std::string_view where, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) require_utf8(lines[i], cat(where, ": line ", i + 1));
}

void take_share(const FileShare& share, StreamOptions& stream) {
  if (share.count < 1 || share.index < 0 || share.index >= share.count) {
    throw UsageError(
        cat("translate: share ", share.index, " of ", share.count, "; expected 0 or more, below the count"));
  }
  if (share.count == 1) return;
  stream.first_window = 256;
  stream.patience = std::chrono::hours(1);  // windows end at the same line in all processes
  stream.share = share.index;
  stream.shares = share.count;
  stream.pass_over = [&share](Index window, std::size_t lines) {
    if (share.pass_over) share.pass_over(window, lines);
  };
}

NamedPicture named(const Picture& picture) {
  if (!picture.scene.empty()) return picture_of_scene(picture.scene);
  if (picture.bytes.empty()) return picture_file(picture.file);
  return {.name = picture.file.empty() ? "picture" : picture.file, .bytes = picture.bytes};
}

}  // namespace

struct Translator::Parts {
  Parts(const std::vector<std::filesystem::path>& folders, const LoadOptions& options)
      : scores(options.scores),
        translator(load(folders, options, scores.tables())),
        pool(api::threads_of(options.threads), kernels::prepare_thread) {}

  Workers workers(const Poll& poll) { return {.pool = &pool, .poll = poll}; }
  const TranslationModel& model() const { return translator.model(); }

  std::vector<NBest> told(const std::vector<std::vector<dhyan::Translation>>& lists, const Telling& telling) const {
    std::vector<NBest> all;
    for (const std::vector<dhyan::Translation>& list : lists) {
      NBest& n_best = all.emplace_back();
      for (const dhyan::Translation& one : list) {
        n_best.push_back(api::told(one, translator.tokenizers(), telling, model().pictures().grid));
      }
    }
    return all;
  }

  api::GivenScores scores;  // first: the model reads it
  dhyan::Translator translator;
  ThreadPool pool;
  std::mutex turn;  // the pool does one thing at a time
};

Translator::Translator(const std::filesystem::path& model, const LoadOptions& options)
    : Translator(std::vector{model}, options) {}

Translator::Translator(const std::vector<std::filesystem::path>& ensemble, const LoadOptions& options)
    : parts_(std::make_unique<Parts>(ensemble, options)) {}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

std::string Translator::translate(std::string_view line) const {
  return std::move(translate(std::vector{std::string(line)}, {}).front().front().text);
}

std::vector<NBest> Translator::translate(const std::vector<std::string>& lines, const TranslateOptions& options) const {
  const std::scoped_lock turn(parts_->turn);
  expect_text("translate", lines);
  const SearchRequest request = request_of("translate", options);
  if (!request.prefix_file.empty() || !request.required_file.empty()) {
    throw UsageError("translate: prefix and require are files with a line for each line of a file; set constraints");
  }
  const Telling telling{options.details, api::units_of(options.units)};
  const dhyan::Translator& translator = parts_->translator;
  OpenedRequest opened = open_request(request, search_of(request, telling, parts_->model()), translator.tokenizers());
  for (const LineConstraints& one : options.constraints) {
    opened.translation.constraints.push_back({.prefix = one.prefix, .required = one.required});
  }
  const Workers workers = parts_->workers(options.poll);
  return parts_->told(options.split_sentences ? translate_sentences(translator, lines, opened.translation, workers)
                                              : translator.translate_with(lines, opened.translation, workers),
                      telling);
}

void Translator::translate(const LineSource& source, const TranslateOptions& options,
                           const std::function<void(const std::vector<NBest>& lines)>& give) const {
  const std::scoped_lock turn(parts_->turn);
  const SearchRequest request = request_of("translate", options);
  if (!options.constraints.empty()) {
    throw UsageError("translate: constraints are for given lines; name files with prefix and require");
  }
  const Telling telling{options.details, api::units_of(options.units)};
  const dhyan::Translator& translator = parts_->translator;
  const OpenedRequest opened =
      open_request(request, search_of(request, telling, parts_->model()), translator.tokenizers());
  LineReader lines = open_lines(
      {source.file, source.text},
      {.on_bad_utf8 = source.replace_invalid ? OnBadUtf8::kReplace : OnBadUtf8::kError, .poll = options.poll});
  StreamOptions stream{.translation = opened.translation,
                       .prefixes = opened.prefixes.get(),
                       .required = opened.required.get(),
                       .split_sentences = options.split_sentences,
                       .workers = parts_->workers(options.poll)};
  take_share(source.share, stream);
  translate_stream(translator, lines, stream, [&](const NBestLists& window) { give(parts_->told(window, telling)); });
}

std::vector<Translation> Translator::score(const std::vector<std::string>& sources,
                                           const std::vector<std::string>& targets, const ScoreOptions& options) const {
  const std::scoped_lock turn(parts_->turn);
  if (sources.size() != targets.size()) {
    throw UsageError(cat("score: ", sources.size(), " sources and ", targets.size(), " targets; expected as many"));
  }
  expect_text("score: sources", sources);
  expect_text("score: targets", targets);
  SearchRequest base;
  base.search.length_penalty = options.length_penalty;
  const SearchRequest request = api::request_of("score", base, options.more);
  const Telling telling{options.details, api::units_of(options.units)};
  SearchOptions search = dhyan::search_options(request);
  search.keep = api::recorded_for(telling, parts_->model());
  const dhyan::Translator& translator = parts_->translator;
  std::vector<Translation> scored;
  for (const dhyan::Translation& one : translator.force(sources, targets, search, parts_->workers(options.poll))) {
    scored.push_back(api::told_of_given(one, translator.tokenizers(), telling));
  }
  return scored;
}

Explanation Translator::explain(const std::string& line, const ExplainOptions& options) const {
  const std::scoped_lock turn(parts_->turn);
  require_utf8(line, "explain");
  return api::explained({parts_->translator, parts_->pool}, std::span(&line, 1), options);
}

Explanation Translator::explain(const Picture& picture, const ExplainOptions& options) const {
  const std::scoped_lock turn(parts_->turn);
  return api::explained({parts_->translator, parts_->pool}, named(picture), options);
}

std::vector<Captions> Translator::caption(const std::vector<Picture>& pictures, const TranslateOptions& options) const {
  const std::scoped_lock turn(parts_->turn);
  if (!reads_pictures()) throw UsageError("caption: the model reads text, expected a model of pictures");
  if (!options.constraints.empty() || options.split_sentences) {
    throw UsageError("caption: constraints and split_sentences are for text");
  }
  const SearchRequest request = request_of("caption", options);
  const Telling telling{options.details, api::units_of(options.units)};
  const dhyan::Translator& translator = parts_->translator;
  const OpenedRequest opened =
      open_request(request, search_of(request, telling, parts_->model()), translator.tokenizers());
  std::size_t taken = 0;
  const auto take = [&](Index most) {
    std::vector<NamedPicture> some;
    while (taken < pictures.size() && std::ssize(some) < most) some.push_back(named(pictures[taken++]));
    return some;
  };
  std::vector<Captions> captions;
  caption_stream(translator, take, {.translation = opened.translation, .workers = parts_->workers(options.poll)},
                 [&](const std::vector<CaptionedResult>& window) {
                   for (const CaptionedResult& one : window) {
                     captions.push_back({.name = one.picture.name, .failure = one.failure});
                     if (one.failure.empty()) captions.back().n_best = parts_->told({one.n_best}, telling).front();
                   }
                 });
  return captions;
}

Evaluation Translator::evaluate(const TestSet& set, const EvaluateOptions& options) const {
  const std::scoped_lock turn(parts_->turn);
  SearchRequest base;
  base.search.beam_size = options.beam_size;
  const SearchRequest request = api::request_of("evaluate", base, options.more);
  return api::evaluated(parts_->translator, set, search_of(request, {.details = Details::kScores}, parts_->model()),
                        options, parts_->workers(options.poll));
}

bool Translator::reads_pictures() const { return static_cast<bool>(parts_->model().pictures()); }
bool Translator::has_cross_attention() const { return parts_->model().has_cross_attention(); }
bool Translator::attends() const { return parts_->model().attends(); }
std::int64_t Translator::longest_source() const { return parts_->translator.longest_source(); }
std::int64_t Translator::longest_target() const { return parts_->model().longest(); }
int Translator::threads() const { return parts_->pool.size(); }
std::string Translator::config() const { return to_yaml(parts_->translator.config()); }

std::string_view version() { return dhyan::version(); }

}  // namespace dhyan::v1
