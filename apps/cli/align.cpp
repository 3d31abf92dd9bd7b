#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/align_options.h"
#include "cli/alignment_direction.h"
#include "cli/alignment_text.h"
#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/text_input.h"
#include "core/error.h"
#include "data/pairs.h"
#include "kernels/simd/runtime.h"
#include "metrics/symmetrize.h"
#include "translator/test_set.h"
#include "translator/word_links.h"

namespace dhyan::cli {

namespace {

constexpr std::size_t kPairsToAlignAtOnce = 1024;

std::vector<std::string> combinations() {
  std::vector<std::string> names = names_of(kSymmetrizations);
  names.emplace_back(kAverage);
  return names;
}

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
    if (aligned_ == 0) {
      reverse_ ? choose_readings(forward_, there, *reverse_, back, options_)
               : choose_reading(forward_, there, options_);
    }
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
    return (options_.json ? json_links(forced, map, scored, line) : pharaoh_links(scored, options_.probabilities)) +
           '\n';
  }

  Links combined(const AttentionMap& there, const AttentionMap& back) const {
    if (options_.symmetrize == kAverage) {
      return average_links(there, back, options_.threshold.value_or(kAverageThreshold));
    }
    const auto named = std::ranges::find(kSymmetrizations, options_.symmetrize, &SymmetrizationKind::name);
    const SymmetrizationKind& kind = named == kSymmetrizations.end() ? kDefaultSymmetrization : *named;
    return symmetrize(kind.value, links_of(there, options_.threshold), reversed(links_of(back, options_.threshold)));
  }

  const AlignOptions& options_;
  Output& output_;
  std::optional<std::uint64_t> total_;
  std::uint64_t aligned_ = 0;
  std::optional<ProgressBar> bar_;
  AlignmentDirection forward_;
  std::optional<AlignmentDirection> reverse_;
  std::optional<GoldFile> gold_;
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
  add_choice(command, "--step", kAlignSteps, options.step,
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
