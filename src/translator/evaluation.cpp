#include "translator/evaluation.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/error.h"
#include "translator/word_links.h"

namespace dhyan {

namespace {

constexpr std::size_t kWindow = 1024;  // sentences whose attention is kept at once

// Sums over the sentences of a test set.
struct ForcedSums {
  double log_probability = 0;
  Index tokens = 0;
  Index skipped = 0;
  LinkCounts links;
  bool attended = false;  // there was cross-attention to link words by
};

void add(ForcedSums& sums, std::span<const Translation> forced, std::span<const GoldLinks> gold,
         const TokenizerPair& tokenizers, std::optional<Index> layer) {
  for (std::size_t i = 0; i < forced.size(); ++i) {
    if (forced[i].hypothesis.tokens.empty()) ++sums.skipped;
    sums.log_probability += forced[i].hypothesis.log_probability;
    sums.tokens += std::ssize(forced[i].hypothesis.tokens);
    sums.attended |= !forced[i].hypothesis.attention.empty();
    if (!gold.empty())
      sums.links += count_links(links_of(word_map("evaluate", forced[i], tokenizers, {.layer = layer})), gold[i]);
  }
}

ForcedScores scores_of(const ForcedSums& sums, bool aligned) {
  ForcedScores scores{.tokens = sums.tokens, .skipped = sums.skipped};
  if (sums.tokens > 0) scores.perplexity = std::exp(-sums.log_probability / static_cast<double>(sums.tokens));
  if (aligned) scores.alignment = alignment_score(sums.links);
  return scores;
}

// Counts translated sentences. Several threads finish batches at once; they update the sink one at a time.
class SentenceProgress {
 public:
  SentenceProgress(ProgressSink* sink, std::size_t total) : sink_(sink), total_(total) {}

  // The same workers, which also report their batches here; the progress must outlive them.
  Workers counting(Workers workers) {
    if (sink_ != nullptr) {
      workers.finished = [this](std::size_t sentences) {
        const std::scoped_lock lock(mutex_);
        sink_->update(done_ += sentences, total_, "sentences");
      };
    }
    return workers;
  }

  // Called after a window, because lines without text are in no batch.
  void reach(std::size_t done) {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(done_, done) < done && sink_ != nullptr) sink_->update(done, total_, "sentences");
  }

 private:
  ProgressSink* sink_;
  std::size_t total_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

void check(const TestSet& set) {
  if (set.sources.empty() || set.sources.size() != set.references.size() ||
      (!set.alignments.empty() && set.alignments.size() != set.sources.size())) {
    throw UsageError(cat("evaluate: ", set.name, " has ", set.sources.size(), " sources, references for ",
                         set.references.size(), " and alignments for ", set.alignments.size(),
                         "; expected equally many sources and references, and as many alignments or none"));
  }
}

// Adds the translations of a window; `seen` is called with the best of each line.
template <class Seen>
void add_best(BestTranslations& best, const std::vector<std::vector<Translation>>& window, const Seen& seen) {
  for (const std::vector<Translation>& n_best : window) {
    best.texts.push_back(n_best.front().text);
    if (n_best.front().source_cut) best.cut.push_back(best.texts.size());
    if (n_best.front().mostly_unknown()) ++best.mostly_unknown;
    seen(n_best.front());
  }
}

}  // namespace

BestTranslations best_translations(const Translator& translator, const Inputs& sources, const SearchOptions& search,
                                   const Workers& workers, ProgressSink* progress) {
  BestTranslations best;
  SentenceProgress counted(progress, sources.size());
  const Workers counting = counted.counting(workers);
  for (std::size_t begin = 0; begin < sources.size(); begin += kWindow) {
    const Inputs window = sources.part(begin, std::min(kWindow, sources.size() - begin));
    add_best(best, translator.translate(window, search, counting), [](const Translation&) {});
    counted.reach(begin + window.size());
  }
  return best;
}

Evaluation evaluate(const Translator& translator, const TestSet& set, const EvaluationOptions& options,
                    const Workers& workers, ProgressSink* progress) {
  check(set);
  check(options.scoring);
  const bool aligned = !set.alignments.empty() && translator.model().has_cross_attention();
  SearchOptions forcing = options.search;
  forcing.keep = aligned ? RecordedAttention::kWeights : RecordedAttention::kNothing;
  std::vector<std::string> first_references;
  for (const std::vector<std::string>& references : set.references) first_references.push_back(references.front());

  SearchOptions search = options.search;
  std::optional<SceneJudge> judge;
  if (set.scenes) {
    judge.emplace(*set.scenes, *translator.tokenizers().target, translator.model().pictures().grid);
    if (translator.model().has_cross_attention()) search.keep = RecordedAttention::kWeights;
  }

  BestTranslations best;
  ForcedSums sums;
  SentenceProgress counted(progress, set.sources.size());
  const Workers counting = counted.counting(workers);
  for (std::size_t begin = 0; begin < set.sources.size(); begin += kWindow) {
    const std::size_t size = std::min(kWindow, set.sources.size() - begin);
    const Inputs sources = set.inputs().part(begin, size);
    add_best(best, translator.translate(sources, search, counting), [&](const Translation& translation) {
      if (judge) judge->add(best.texts.size() - 1, translation);
    });
    const auto targets = std::span(first_references).subspan(begin, size);
    const auto gold = aligned ? std::span(set.alignments).subspan(begin, size) : std::span<const GoldLinks>();
    add(sums, translator.force(sources, targets, forcing, workers), gold, translator.tokenizers(),
        options.alignment_layer);
    counted.reach(begin + size);
  }
  Evaluation result{.translations = std::move(best.texts),
                    .cut = std::move(best.cut),
                    .mostly_unknown = best.mostly_unknown,
                    .text = {},
                    .forced = scores_of(sums, aligned && sums.attended)};
  const ScoredText scored{result.translations, set.references};
  result.text = score_text(scored, sentence_lengths(set), options.scoring);
  if (set.pictures) result.variety = word_variety(scored, options.scoring.settings.caption);
  if (judge) result.scenes = judge->scores();
  return result;
}

}  // namespace dhyan
