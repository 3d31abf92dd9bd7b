#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/align_options.h"
#include "cli/alignment_text.h"
#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/text_input.h"
#include "core/error.h"
#include "data/pairs.h"
#include "metrics/symmetrize.h"
#include "translator/test_set.h"
#include "translator/word_links.h"

namespace dhyan::cli {

namespace {

constexpr std::size_t kPairsToAlignAtOnce = 1024;

std::vector<std::string> combinations() {
  std::vector<std::string> names = names_of(kSymmetrizations);
  names.emplace_back(v1::kAverage);
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
        aligner_(options.model, options.reverse, options.align,
                 load_options({.limits = {.precision = options.precision}, .threads = options.threads})) {
    if (!options.gold.empty()) gold_.emplace(options.gold);
    if (!output.is_terminal()) bar_.emplace("aligning");
  }

  void align(const PairWindow& window) {
    if (window.sources.empty()) return;
    const std::vector<v1::AlignedPair> pairs = aligner_.align(window.sources, window.targets, throw_if_interrupted);
    if (aligned_ == 0) tell_readings();
    std::string text;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const v1::AlignedPair& pair = pairs[i];
      if (!pair.shortfall.empty()) {
        std::cerr << cat("dhyan: warning: ", options_.files.front(), ":", window.lines[i], ": ", pair.shortfall, '\n');
      }
      if (gold_) gold_->count(pair);
      text += options_.json ? json_links(window.sources[i], window.targets[i], pair, window.lines[i] - 1)
                            : pharaoh_links(pair.links, options_.probabilities);
      text += '\n';
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
  void tell_readings() const {
    const std::string readings = aligner_.readings();
    if (readings.empty()) return;
    std::cerr << cat("dhyan: ", readings,
                     options_.reverse.empty() ? "; --layer and --head choose others, --reverse the best by itself" : "",
                     '\n');
  }

  const AlignOptions& options_;
  Output& output_;
  std::optional<std::uint64_t> total_;
  std::uint64_t aligned_ = 0;
  std::optional<ProgressBar> bar_;
  v1::Aligner aligner_;
  std::optional<GoldFile> gold_;
};

void run_align(const AlignOptions& options, Output& output) {
  if (!options.align.symmetrize.empty() && options.reverse.empty()) {
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
  command.add_option("--layer", options.align.layer, "Layer whose attention is read, from 1, in both models")
      ->type_name("N")
      ->check(from_one, "", "");
  command.add_option("--head", options.align.head, "Head whose attention is read, from 1, in both models")
      ->type_name("N")
      ->check(from_one, "", "");
  add_choice(command, "--step", kAlignSteps, options.align.step,
             "Step whose attention belongs to a word: the one that predicts it, or the next, which reads it; auto: by "
             "the agreement of both directions")
      ->default_str("auto");
  command
      .add_option("--threshold", options.align.threshold,
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
      .add_option(
          "--symmetrize", options->align.symmetrize,
          cat("How the links of both directions are combined", described(kSymmetrizations), "\n  ", v1::kAverage,
              ": links that have a mean weight of --threshold or more, by default ", kAverageThreshold))
      ->check(CLI::IsMember(combinations()))
      ->type_name("KIND")
      ->default_str(std::string(kSymmetrizations.back().name));
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
  add_precision_option(command, options->precision);
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
