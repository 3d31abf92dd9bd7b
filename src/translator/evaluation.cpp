#include "translator/evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/error.h"
#include "distributed/message_bytes.h"
#include "translator/word_links.h"

namespace dhyan {

namespace {

constexpr std::size_t kWindow = 1024;  // sentences whose attention is kept at once

// What is measured on a sentence of a test set.
struct Measured {
  std::string text;  // its translation
  bool cut = false, mostly_unknown = false;
  bool skipped = false;   // of forced decoding
  bool attended = false;  // there was cross-attention to link words by
  double log_probability = 0;
  Index tokens = 0;
  LinkCounts links;
};

void add_forced(std::span<Measured> window, std::span<const Translation> forced, std::span<const GoldLinks> gold,
                const TokenizerPair& tokenizers, std::optional<Index> layer) {
  for (std::size_t i = 0; i < forced.size(); ++i) {
    Measured& one = window[i];
    one.skipped = forced[i].hypothesis.tokens.empty();
    one.log_probability = forced[i].hypothesis.log_probability;
    one.tokens = std::ssize(forced[i].hypothesis.tokens);
    one.attended = !forced[i].hypothesis.attention.empty();
    if (!gold.empty())
      one.links = count_links(links_of(word_map("evaluate", forced[i], tokenizers, {.layer = layer})), gold[i]);
  }
}

ForcedScores forced_scores(std::span<const Measured> sentences, bool aligned) {
  ForcedScores scores;
  double log_probability = 0;
  LinkCounts links;
  bool attended = false;
  for (const Measured& one : sentences) {
    if (one.skipped) ++scores.skipped;
    log_probability += one.log_probability;
    scores.tokens += one.tokens;
    attended |= one.attended;
    links += one.links;
  }
  if (scores.tokens > 0) scores.perplexity = std::exp(-log_probability / static_cast<double>(scores.tokens));
  if (aligned && attended) scores.alignment = alignment_score(links);
  return scores;
}

// The part of the sentences that this rank measures.
struct SentenceRange {
  std::size_t begin = 0, end = 0;
};

SentenceRange share_of_rank(std::size_t sentences, const Communicator* ranks) {
  if (ranks == nullptr) return {0, sentences};
  const auto size = static_cast<std::size_t>(ranks->size()), rank = static_cast<std::size_t>(ranks->rank());
  return {sentences * rank / size, sentences * (rank + 1) / size};
}

// Rank 0 gets those of all ranks, in order.
void gather(Communicator& ranks, std::vector<Measured>& sentences) {
  MessageWriter own;
  for (const Measured& one : sentences) {
    own.text(one.text);
    const std::array<bool, 4> flags{one.cut, one.mostly_unknown, one.skipped, one.attended};
    own.numbers(std::span<const bool>(flags));
    own.number(one.log_probability);
    own.number(one.tokens);
    own.numbers(std::span<const LinkCounts>(&one.links, 1));
  }
  sentences.clear();
  for (const Bytes& of_rank : ranks.gather_at_first(own.take())) {
    MessageReader reader(of_rank);
    while (reader.left() > 0) {
      Measured& one = sentences.emplace_back();
      one.text = reader.text();
      std::array<std::uint8_t, 4> flags{};
      reader.numbers(std::span<std::uint8_t>(flags));
      one.cut = flags[0] != 0, one.mostly_unknown = flags[1] != 0;
      one.skipped = flags[2] != 0, one.attended = flags[3] != 0;
      one.log_probability = reader.number<double>();
      one.tokens = reader.number<Index>();
      reader.numbers(std::span<LinkCounts>(&one.links, 1));
    }
  }
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

// Adds the translations of a window.
void add_best(BestTranslations& best, const std::vector<std::vector<Translation>>& window) {
  for (const std::vector<Translation>& n_best : window) {
    best.texts.push_back(n_best.front().text);
    if (n_best.front().source_cut) best.cut.push_back(best.texts.size());
    if (n_best.front().mostly_unknown()) ++best.mostly_unknown;
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
    add_best(best, translator.translate(window, search, counting));
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

  // Pictures are not shared out: their judge needs the attention of all captions.
  Communicator* ranks = judge || set.pictures ? nullptr : workers.ranks;
  SentenceRange share = share_of_rank(set.sources.size(), ranks);
  if (ranks != workers.ranks && !workers.ranks->first()) share.end = 0;
  std::vector<Measured> measured;
  SentenceProgress counted(progress, share.end - share.begin);
  const Workers counting = counted.counting(workers);
  for (std::size_t begin = share.begin; begin < share.end; begin += kWindow) {
    const std::size_t size = std::min(kWindow, share.end - begin), first = measured.size();
    const Inputs sources = set.inputs().part(begin, size);
    for (const std::vector<Translation>& n_best : translator.translate(sources, search, counting)) {
      const Translation& best = n_best.front();
      if (judge) judge->add(measured.size(), best);
      measured.push_back(
          {.text = best.text, .cut = best.source_cut, .mostly_unknown = best.mostly_unknown(), .links = {}});
    }
    const auto targets = std::span(first_references).subspan(begin, size);
    const auto gold = aligned ? std::span(set.alignments).subspan(begin, size) : std::span<const GoldLinks>();
    add_forced(std::span(measured).subspan(first), translator.force(sources, targets, forcing, workers), gold,
               translator.tokenizers(), options.alignment_layer);
    counted.reach(begin + size - share.begin);
  }
  if (ranks != nullptr) gather(*ranks, measured);
  Evaluation result;
  if (workers.ranks != nullptr && !workers.ranks->first()) return result;
  result.forced = forced_scores(measured, aligned);
  for (Measured& one : measured) {
    result.translations.push_back(std::move(one.text));
    if (one.cut) result.cut.push_back(result.translations.size());
    if (one.mostly_unknown) ++result.mostly_unknown;
  }
  const ScoredText scored{result.translations, set.references};
  result.text = score_text(scored, sentence_lengths(set), options.scoring);
  if (set.pictures) result.variety = word_variety(scored, options.scoring.settings.caption);
  if (judge) result.scenes = judge->scores();
  return result;
}

}  // namespace dhyan
