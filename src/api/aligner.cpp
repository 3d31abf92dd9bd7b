#include <algorithm>
#include <cmath>
#include <dhyan/aligner.h>
#include <mutex>
#include <utility>

#include "api/given_scores.h"
#include "api/settings.h"
#include "core/error.h"
#include "core/number_text.h"
#include "core/pluralize.h"
#include "core/table.h"
#include "kernels/simd/runtime.h"
#include "metrics/symmetrize.h"
#include "text/unicode.h"
#include "translator/model_languages.h"
#include "translator/word_links.h"

namespace dhyan::api {

namespace {

constexpr std::size_t kPairsToChooseBy = 500;

AttentionReading asked_reading(const v1::AlignOptions& options) {
  return {.layer = options.layer, .head = options.head, .shifted = options.step == v1::AlignStep::kReads};
}

}  // namespace

// One model and how its attention is read.
class AlignmentDirection {
 public:
  AlignmentDirection(const std::filesystem::path& folder, const v1::AlignOptions& options,
                     const AttentionTables& tables, const TranslatorLimits& limits)
      : folder_(folder), translator_(load_model(folder, tables), limits), reading_(asked_reading(options)) {
    const TranslationModel& model = translator_.model();
    if (model.pictures()) throw UsageError(cat("align: ", name(), " reads pictures; use dhyan caption"));
    if (model.has_cross_attention()) return;
    throw UsageError(cat("align: ", name(), " is a model without ", model.attends() ? "cross-" : "",
                         "attention; it has no alignment"));
  }

  std::vector<Translation> force(const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                                 const Workers& workers) const {
    const SearchOptions search{.beam_size = 1, .scored = false, .keep = RecordedAttention::kWeights};
    return translator_.force(sources, targets, search, workers);
  }

  // The ways to read it that the options leave open; `forced` shows which layers and heads there are.
  std::vector<AttentionReading> open_readings(std::span<const Translation> forced,
                                              const v1::AlignOptions& options) const {
    const auto attended =
        std::ranges::find_if(forced, [](const Translation& one) { return !one.hypothesis.attention.empty(); });
    if (attended == forced.end()) return {reading_};
    const bool one_step = translator_.model().knows_targets() || options.step != v1::AlignStep::kChosen;
    std::vector<AttentionReading> all = readings_of(attended->hypothesis.attention, one_step);
    if (all.size() == 1 || options.layer || options.head) all = {reading_};
    if ((options.layer || options.head) && !one_step) {
      all.push_back(reading_);
      all.back().shifted = true;
    }
    for (AttentionReading& reading : all) reading.shifted |= options.step == v1::AlignStep::kReads;
    return all;
  }
  void read_as(const AttentionReading& reading) { reading_ = reading; }
  const AttentionReading& reading() const { return reading_; }

  AttentionMap map(const Translation& forced) const {
    return word_map("align", forced, translator_.tokenizers(), reading_);
  }

  // UsageError if both are recorded as models from the same language to the same other one.
  void expect_reverse(const AlignmentDirection& other) const {
    const ModelLanguages ours = languages_of(folder_, translator_.config());
    const ModelLanguages theirs = languages_of(other.folder_, other.translator_.config());
    if (!ours.source || !ours.target || ours.source == ours.target) return;
    if (ours.source != theirs.source || ours.target != theirs.target) return;
    throw UsageError(cat("align: ", other.name(), " goes from ", *theirs.source, " to ", *theirs.target, ", as ",
                         name(), " does; expected --reverse from ", *ours.target, " to ", *ours.source));
  }

  // Why a pair has no links, or not all.
  std::string shortfall(const Translation& forced) const {
    if (forced.source_tokens.empty() || forced.text.empty()) return "there is no text; it has no links";
    if (forced.hypothesis.tokens.empty()) {
      return cat("more tokens than the ", translator_.model().longest(), " of ", name(), "; it has no links");
    }
    if (!forced.source_cut) return {};
    return cat("more than ", translator_.longest_source(), " tokens; ", name(), " links no words behind them");
  }

  std::string name() const { return folder_.string(); }
  const TokenizerPair& tokenizers() const { return translator_.tokenizers(); }

 private:
  std::filesystem::path folder_;
  Translator translator_;
  AttentionReading reading_;
};

namespace {

TranslatorLimits limits_of(const v1::LoadOptions& load) {
  TranslatorLimits limits{.max_source_length = load.max_source_length};
  if (load.split_bfloat16) limits.precision = Precision::kSplitBfloat16;
  return limits;
}

std::vector<std::string> words_of(const std::vector<std::string>& labels) {  // without </s>
  return labels.empty() ? labels : std::vector<std::string>(labels.begin(), labels.end() - 1);
}

}  // namespace

}  // namespace dhyan::api

namespace dhyan::v1 {

struct Aligner::Parts {
  Parts(const std::filesystem::path& model, const std::filesystem::path& reverse_model, const AlignOptions& given,
        const LoadOptions& load)
      : options(given),
        scores(load.scores),
        forward(model, given, scores.tables(), api::limits_of(load)),
        pool(api::threads_of(load.threads), kernels::prepare_thread) {
    if (!reverse_model.empty()) {
      reverse.emplace(reverse_model, given, scores.tables(), api::limits_of(load));
      forward.expect_reverse(*reverse);
    } else if (!options.symmetrize.empty()) {
      throw UsageError("align: --symmetrize needs --reverse, a model of the other direction");
    }
    if (!options.symmetrize.empty() && options.symmetrize != kAverage) {
      entry_named("symmetrize", std::span<const SymmetrizationKind>(kSymmetrizations), options.symmetrize);
    }
  }

  // With one model layer, head and step are the mean of all, unless named.
  void choose_reading(std::span<const dhyan::Translation> there) {
    const bool open = forward.open_readings(there, options).size() > 1;
    forward.read_as(open ? api::asked_reading(options) : forward.open_readings(there, options).front());
    if (open) readings = cat(forward.name(), ": ", in_words(forward.reading()));
  }

  // With two, those by which the directions agree most on these sentences.
  void choose_readings(std::span<const dhyan::Translation> there, std::span<const dhyan::Translation> back) {
    std::vector<AttentionReading> ours = forward.open_readings(there, options);
    std::vector<AttentionReading> theirs = reverse->open_readings(back, options);
    const std::size_t n = std::min(api::kPairsToChooseBy, there.size());
    const bool open = ours.size() > 1 || theirs.size() > 1;
    const AgreedReadings best = agreed_readings("align", {there.first(n), forward.tokenizers(), std::move(ours)},
                                                {back.first(n), reverse->tokenizers(), std::move(theirs)});
    forward.read_as(best.forward);
    reverse->read_as(best.reverse);
    const std::string both = cat(forward.name(), ": ", in_words(best.forward), "; ", reverse->name(), ": ",
                                 in_words(best.reverse), "; they");
    readings = cat(open ? both : "both directions", " agree on ", fixed(100 * best.agreement, 1), " % of the links of ",
                   pluralize(n, "sentence"));
  }

  Links combined(const AttentionMap& there, const AttentionMap& back) const {
    if (options.symmetrize == kAverage) {
      return average_links(there, back, options.threshold.value_or(kAverageThreshold));
    }
    const SymmetrizationKind& kind =
        options.symmetrize.empty()
            ? kSymmetrizations.back()
            : entry_named("symmetrize", std::span<const SymmetrizationKind>(kSymmetrizations), options.symmetrize);
    return symmetrize(kind.value, links_of(there, options.threshold), reversed(links_of(back, options.threshold)));
  }

  AlignedPair pair_of(const dhyan::Translation& there, const dhyan::Translation* back) const {
    const AttentionMap map = forward.map(there);
    const AttentionMap other = back == nullptr ? AttentionMap() : reverse->map(*back);
    AlignedPair pair{.source_words = api::words_of(map.columns), .target_words = api::words_of(map.rows)};
    pair.shortfall = forward.shortfall(there);
    for (const auto& [i, j] : back == nullptr ? links_of(map, options.threshold) : combined(map, other)) {
      const auto source = static_cast<std::size_t>(i), target = static_cast<std::size_t>(j);
      double p = map.weights[target][source];
      if (back != nullptr) p = std::sqrt(p * other.weights[source][target]);
      pair.links.push_back({i, j, p});
    }
    return pair;
  }

  AlignOptions options;
  api::GivenScores scores;  // before the models, which read it
  api::AlignmentDirection forward;
  std::optional<api::AlignmentDirection> reverse;
  ThreadPool pool;
  std::mutex turn;  // the pool does one thing at a time
  bool chosen = false;
  std::string readings;
};

Aligner::Aligner(const std::filesystem::path& model, const std::filesystem::path& reverse, const AlignOptions& options,
                 const LoadOptions& load)
    : parts_(std::make_unique<Parts>(model, reverse, options, load)) {}

Aligner::~Aligner() = default;
Aligner::Aligner(Aligner&&) noexcept = default;
Aligner& Aligner::operator=(Aligner&&) noexcept = default;

std::vector<AlignedPair> Aligner::align(const std::vector<std::string>& sources,
                                        const std::vector<std::string>& targets, const Poll& poll) {
  const std::scoped_lock turn(parts_->turn);
  if (sources.size() != targets.size()) {
    throw UsageError(cat("align: ", sources.size(), " sources and ", targets.size(), " targets; expected as many"));
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    require_utf8(sources[i], cat("align: source ", i + 1));
    require_utf8(targets[i], cat("align: target ", i + 1));
  }
  if (sources.empty()) return {};
  const Workers workers{.pool = &parts_->pool, .poll = poll};
  const std::vector<dhyan::Translation> there = parts_->forward.force(sources, targets, workers);
  std::vector<dhyan::Translation> back;
  if (parts_->reverse) back = parts_->reverse->force(targets, sources, workers);
  if (!parts_->chosen) {
    parts_->reverse ? parts_->choose_readings(there, back) : parts_->choose_reading(there);
    parts_->chosen = true;
  }
  std::vector<AlignedPair> pairs;
  for (std::size_t i = 0; i < there.size(); ++i) {
    pairs.push_back(parts_->pair_of(there[i], back.empty() ? nullptr : &back[i]));
  }
  return pairs;
}

std::string Aligner::readings() const {
  const std::scoped_lock turn(parts_->turn);
  return parts_->readings;
}

}  // namespace dhyan::v1
