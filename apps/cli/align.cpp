#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/text_input.h"
#include "cli/translation_text.h"
#include "core/error.h"
#include "core/number_text.h"
#include "core/pluralize.h"
#include "data/pairs.h"
#include "kernels/simd/runtime.h"
#include "metrics/symmetrize.h"
#include "translator/model_languages.h"
#include "translator/test_set.h"
#include "translator/word_links.h"

namespace dhyan::cli {

namespace {

constexpr std::size_t kPairsToAlignAtOnce = 1024;
constexpr std::size_t kPairsToChooseBy = 500;

constexpr SymmetrizationKind kDefaultSymmetrization = kSymmetrizations.back();
constexpr std::string_view kAverage = "average";

std::vector<std::string> combinations() {
  std::vector<std::string> names = names_of(kSymmetrizations);
  names.emplace_back(kAverage);
  return names;
}

enum class Step { kChosen, kPredicts, kReads };
constexpr std::array kSteps{Choice{"auto", Step::kChosen}, Choice{"predicts", Step::kPredicts},
                            Choice{"reads", Step::kReads}};

struct AlignOptions {
  std::string model, reverse, gold;
  std::vector<std::string> files;
  std::string symmetrize;  // a name of kSymmetrizations, or kAverage; empty: kDefaultSymmetrization
  std::optional<Index> layer, head;
  Step step = Step::kChosen;
  std::optional<double> threshold;
  bool probabilities = false, json = false;
  TranslatorLimits limits;
  int threads = 1;
};

// Pairs to be aligned together.
struct PairWindow {
  std::vector<std::string> sources, targets;
  std::vector<std::uint64_t> lines;  // from 1

  void add(const SentencePair& pair) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
    lines.push_back(pair.line);
  }
};

// One model and how its attention is read.
class Direction {
 public:
  Direction(const std::string& folder, const AlignOptions& options)
      : name_(folder), translator_(folder, options.limits) {
    expect_text_model("align", folder, translator_.model());
    expect_cross_attention("align", folder, translator_.model(), "alignment");
    reading_ = {.layer = options.layer, .head = options.head, .shifted = options.step == Step::kReads};
  }

  std::vector<Translation> force(const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                                 const Workers& workers) {
    const SearchOptions search{.beam_size = 1, .scored = false, .keep = RecordedAttention::kWeights};
    return translator_.force(sources, targets, search, workers);
  }

  // The ways to read it that are open; `forced` shows which layers and heads there are.
  std::vector<AttentionReading> open_readings(const std::vector<Translation>& forced,
                                              const AlignOptions& options) const {
    for (const Translation& one : forced) {
      if (one.hypothesis.attention.empty()) continue;
      const bool one_step = translator_.model().knows_targets() || options.step != Step::kChosen;
      std::vector<AttentionReading> all = readings_of(one.hypothesis.attention, one_step);
      if (all.size() == 1 || options.layer || options.head) all = {reading_};
      if ((options.layer || options.head) && !one_step) {
        all.push_back(reading_);
        all.back().shifted = true;
      }
      for (AttentionReading& reading : all) reading.shifted |= options.step == Step::kReads;
      return all;
    }
    return {reading_};
  }

  AttentionMap map(const Translation& forced) const {
    return word_map("align", forced, translator_.tokenizers(), reading_);
  }

  // UsageError if both are recorded as models from the same language to the same other one.
  void expect_reverse(const Direction& other) const {
    const ModelLanguages ours = languages(), theirs = other.languages();
    if (!ours.source || !ours.target || ours.source == ours.target) return;
    if (ours.source != theirs.source || ours.target != theirs.target) return;
    throw UsageError(cat("align: ", other.name_, " goes from ", *theirs.source, " to ", *theirs.target, ", as ", name_,
                         " does; expected --reverse from ", *ours.target, " to ", *ours.source));
  }

  const std::string& name() const { return name_; }
  const TokenizerPair& tokenizers() const { return translator_.tokenizers(); }
  void read_as(const AttentionReading& reading) { reading_ = reading; }

  void warn(const Translation& forced, std::uint64_t line, const std::string& file) const {
    const std::string where = cat("dhyan: warning: ", file, ":", line, ": ");
    if (forced.source_tokens.empty() || forced.text.empty()) {
      std::cerr << where << "there is no text; it has no links\n";
    } else if (forced.hypothesis.tokens.empty()) {
      std::cerr << where << "more tokens than the " << translator_.model().longest() << " of " << name_
                << "; it has no links\n";
    } else if (forced.source_cut) {
      std::cerr << where << "more than " << translator_.longest_source() << " tokens; " << name_
                << " links no words behind them\n";
    }
  }

 private:
  ModelLanguages languages() const { return languages_of(name_, translator_.config()); }

  std::string name_;
  Translator translator_;
  AttentionReading reading_;
};

// Gold links, for the alignment error rate.
class Gold {
 public:
  explicit Gold(const std::string& file) : lines_(file, {.poll = throw_if_interrupted}) {}

  void count(const Links& found, const AttentionMap& map) {
    std::string_view line;
    if (!lines_.next(line)) lines_.fail("ends before the sentences do; expected a line of links for each");
    const std::string where = cat(lines_.name(), ":", lines_.number());
    const GoldLinks gold = parse_links(line, where);
    if (!map.rows.empty()) {
      require_words(gold, std::ssize(map.columns) - 1, std::ssize(map.rows) - 1, where);
    }
    counts_ += count_links(found, gold);
  }

  std::string in_words() {
    if (lines_.count_rest() > 0) lines_.fail("has more lines than there are sentences; expected one for each");
    const AlignmentScore score = alignment_score(counts_);
    return cat("AER ", fixed(score.error_rate, 4), " (precision ", fixed(score.precision, 3), ", recall ",
               fixed(score.recall, 3), ", ", grouped(static_cast<std::uint64_t>(counts_.found)), " links)\n");
  }

 private:
  LineReader lines_;
  LinkCounts counts_;
};

class PairAligner {
 public:
  PairAligner(const AlignOptions& options, Output& output)
      : options_(options),
        output_(output),
        total_(count_lines(options.files.front())),
        forward_(options.model, options),
        pool_(options.threads, kernels::prepare_thread) {
    if (!options.reverse.empty()) {
      reverse_.emplace(options.reverse, options);
      forward_.expect_reverse(*reverse_);
    }
    if (!options.gold.empty()) gold_.emplace(options.gold);
    if (!output.is_terminal()) bar_.emplace("aligning");
  }

  void align(const PairWindow& window) {
    if (window.sources.empty()) return;
    const Workers workers{.pool = &pool_, .poll = throw_if_interrupted};
    const std::vector<Translation> there = forward_.force(window.sources, window.targets, workers);
    std::vector<Translation> back;
    if (reverse_) back = reverse_->force(window.targets, window.sources, workers);
    if (aligned_ == 0) choose(there, back);
    std::string text;
    for (std::size_t i = 0; i < there.size(); ++i) {
      forward_.warn(there[i], window.lines[i], options_.files.front());
      text += line_of(there[i], back.empty() ? nullptr : &back[i], window.lines[i] - 1);
    }
    output_.write(text);
    aligned_ += window.sources.size();
    if (bar_) bar_->update(aligned_, total_, "sentences");
  }

  void end() {
    bar_.reset();
    if (gold_) std::cerr << gold_->in_words();
  }

 private:
  struct ScoredLink {
    Link link;
    double probability;
  };

  // Layer, head and step of both directions: those given, or those by which the directions agree most.
  void choose(std::span<const Translation> there, std::span<const Translation> back) {
    std::vector<AttentionReading> ours = forward_.open_readings({there.begin(), there.end()}, options_);
    if (!reverse_) {
      AttentionReading reading{
          .layer = options_.layer, .head = options_.head, .shifted = options_.step == Step::kReads};
      if (ours.size() == 1) return forward_.read_as(ours.front());
      std::cerr << cat("dhyan: ", forward_.name(), ": ", in_words(reading),
                       "; --layer and --head choose others, --reverse the best by itself\n");
      return forward_.read_as(reading);
    }
    const std::vector<AttentionReading> theirs = reverse_->open_readings({back.begin(), back.end()}, options_);
    const std::size_t n = std::min(kPairsToChooseBy, there.size());
    const bool open = ours.size() > 1 || theirs.size() > 1;
    const AgreedReadings best = agreed_readings("align", {there.first(n), forward_.tokenizers(), std::move(ours)},
                                                {back.first(n), reverse_->tokenizers(), theirs});
    forward_.read_as(best.forward);
    reverse_->read_as(best.reverse);
    const std::string readings = cat(forward_.name(), ": ", in_words(best.forward), "; ", reverse_->name(), ": ",
                                     in_words(best.reverse), "; they");
    std::cerr << cat("dhyan: ", open ? readings : "both directions", " agree on ", fixed(100 * best.agreement, 1),
                     " % of the links of ", pluralize(n, "sentence"), '\n');
  }

  std::string line_of(const Translation& forced, const Translation* back, std::uint64_t line) {
    const AttentionMap map = forward_.map(forced);
    AttentionMap other;
    Links links;
    if (back == nullptr) {
      links = links_of(map, options_.threshold);
    } else {
      other = reverse_->map(*back);
      links = combined(map, other);
    }
    if (gold_) gold_->count(links, map);
    std::vector<ScoredLink> scored;
    for (const auto& [i, j] : links) {
      const auto source = static_cast<std::size_t>(i), target = static_cast<std::size_t>(j);
      double p = map.weights[target][source];
      if (back != nullptr) p = std::sqrt(p * other.weights[source][target]);
      scored.push_back({{i, j}, p});
    }
    return (options_.json ? json_line(forced, map, scored, line) : pharaoh_line(scored)) + '\n';
  }

  Links combined(const AttentionMap& there, const AttentionMap& back) const {
    if (options_.symmetrize == kAverage) {
      return average_links(there, back, options_.threshold.value_or(kAverageThreshold));
    }
    const auto named = std::ranges::find(kSymmetrizations, options_.symmetrize, &SymmetrizationKind::name);
    const SymmetrizationKind& kind = named == kSymmetrizations.end() ? kDefaultSymmetrization : *named;
    return symmetrize(kind.value, links_of(there, options_.threshold), reversed(links_of(back, options_.threshold)));
  }

  std::string pharaoh_line(const std::vector<ScoredLink>& links) const {
    std::string text;
    for (const ScoredLink& one : links) {
      text += cat(text.empty() ? "" : " ", one.link.first, '-', one.link.second);
      if (options_.probabilities) text += cat(':', number_text(rounded(one.probability)));
    }
    return text;
  }

  static std::string json_line(const Translation& forced, const AttentionMap& map, const std::vector<ScoredLink>& links,
                               std::uint64_t line) {
    const auto words = [](const std::vector<std::string>& labels) {
      return labels.empty() ? labels : std::vector<std::string>(labels.begin(), labels.end() - 1);
    };
    nlohmann::ordered_json object{{"line", line}, {"source", forced.source}, {"target", forced.text}};
    object["source_words"] = words(map.columns);
    object["target_words"] = words(map.rows);
    object["links"] = nlohmann::ordered_json::array();
    object["probabilities"] = nlohmann::ordered_json::array();
    for (const ScoredLink& one : links) {
      object["links"].push_back(one.link);
      object["probabilities"].push_back(rounded(one.probability));
    }
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  const AlignOptions& options_;
  Output& output_;
  std::optional<std::uint64_t> total_;
  std::uint64_t aligned_ = 0;
  std::optional<ProgressBar> bar_;
  Direction forward_;
  std::optional<Direction> reverse_;
  std::optional<Gold> gold_;
  ThreadPool pool_;
};

void run_align(const AlignOptions& options, Output& output) {
  if (!options.symmetrize.empty() && options.reverse.empty()) {
    throw UsageError("align: --symmetrize needs --reverse, a model of the other direction");
  }
  refuse_stdin_twice({options.files, {&options.gold, 1}});
  const auto pairs = open_pairs({.files = options.files}, {.poll = throw_if_interrupted});
  if (!pairs->has_targets()) {
    throw UsageError(cat("align: ", options.files.front(), " has no translations; name a second file, or a TSV"));
  }
  PairAligner aligner(options, output);
  PairWindow window;
  for (SentencePair pair; pairs->next(pair);) {
    window.add(pair);
    if (window.sources.size() < kPairsToAlignAtOnce) continue;
    aligner.align(window);
    window = {};
  }
  aligner.align(window);
  aligner.end();
}

void add_reading_options(CLI::App& command, AlignOptions& options) {
  const CLI::Range from_one(1, 1 << 20);
  command.add_option("--layer", options.layer, "Layer whose attention is read, from 1, in both models")
      ->type_name("N")
      ->check(from_one, "", "");
  command.add_option("--head", options.head, "Head whose attention is read, from 1, in both models")
      ->type_name("N")
      ->check(from_one, "", "");
  add_choice(command, "--step", kSteps, options.step,
             "Step whose attention belongs to a word: the one that predicts it, or the next, which reads it; auto: by "
             "the agreement of both directions")
      ->default_str("auto");
  command
      .add_option("--threshold", options.threshold,
                  "Link a target word to all source words with this weight or more (default: to the one with the most)")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0), "", "");
}

Runner add_align_options(CLI::App& command) {
  const auto options = std::make_shared<AlignOptions>();
  command
      .add_option("files", options->files,
                  "Sentences and their translations: two parallel files, or one TSV; may be compressed; - is standard "
                  "input")
      ->type_name("FILE")
      ->expected(1, 2)
      ->required();
  command.add_option("-m,--model", options->model, "Folder of the model")->type_name("DIR")->required();
  command.add_option("--reverse", options->reverse, "Folder of a model of the other direction")->type_name("DIR");
  command
      .add_option("--symmetrize", options->symmetrize,
                  cat("How the links of both directions are combined", described(kSymmetrizations), "\n  ", kAverage,
                      ": links that have a mean weight of --threshold or more, by default ", kAverageThreshold))
      ->check(CLI::IsMember(combinations()))
      ->type_name("KIND")
      ->default_str(std::string(kDefaultSymmetrization.name));
  add_reading_options(command, *options);
  command.add_flag("--probabilities", options->probabilities,
                   "Write i-j:p: the weight of each link; of two directions the geometric mean");
  command.add_flag("--json", options->json,
                   "Write one JSON object per line: line (from 0), source, target, source_words, target_words, links "
                   "and probabilities");
  command
      .add_option("--gold", options->gold,
                  "Correct links in Pharaoh's format, 1p2 if only possible: measure the alignment error rate")
      ->type_name("FILE");
  add_precision_option(command, options->limits.precision);
  add_threads_option(command, options->threads);
  return [options](Output& output) { run_align(*options, output); };
}

}  // namespace

Command align_command() {
  return {"align",
          "Align the words of sentences and their translations",
          {"dhyan align -m model/ test.hi test.en > links", "dhyan align -m model/ corpus.tsv.gz --probabilities",
           "dhyan align -m hi-en/ --reverse en-hi/ test.hi test.en --symmetrize intersection",
           "dhyan align -m hi-en/ --reverse en-hi/ test.hi test.en --gold links --json > links.json"},
          add_align_options};
}

}  // namespace dhyan::cli
