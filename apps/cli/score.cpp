#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/line_warnings.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/text_input.h"
#include "cli/translation_text.h"
#include "core/error.h"
#include "data/pairs.h"
#include "translator/test_set.h"

namespace dhyan::cli {

namespace {

constexpr std::size_t kPairsAtOnce = 1024;
constexpr std::string_view kColumnEnd = " ||| ";

struct ScoreOptions {
  std::vector<std::string> models;
  std::vector<double> weights;
  std::vector<std::string> files;
  std::string n_best;
  SearchRequest search{.search = {.length_penalty = 0}};
  TranslationFormat format;
  TranslatorLimits limits;
  int threads = 1;
};

// Pairs to be scored together, and where they come from.
struct ScoredWindow {
  std::vector<std::string> sources, targets;
  std::vector<std::uint64_t> lines;  // from 1
  std::vector<std::string> entries;  // of an n-best list, as they were

  void clear() { *this = {}; }
};

class Scorer {
 public:
  Scorer(const ScoreOptions& options, Output& output)
      : options_(options),
        output_(output),
        total_(count_lines(options.n_best.empty() ? options.files.front() : options.n_best)),
        translator_(std::vector<std::filesystem::path>(options.models.begin(), options.models.end()),
                    load_options({options.weights, options.limits, options.threads})) {
    expect_text_model("score", options.models.front(), translator_);
    if (!output.is_terminal()) bar_.emplace("scoring");
    score_.length_penalty = options.search.search.length_penalty;
    score_.more = settings_of(options.search);
    score_.units = options.format.units == Units::kWords ? v1::Units::kWords : v1::Units::kSubwords;
    score_.poll = throw_if_interrupted;
    const bool aligned = options.format.alignment != AlignmentText::kNone;
    if (aligned) expect_cross_attention("score", options.models.front(), translator_, "--alignment");
    score_.details = aligned                                             ? v1::Details::kAttention
                     : options.format.json || options.format.word_scores ? v1::Details::kScores
                                                                         : v1::Details::kText;
  }

  // Writes the lines in the window if there are enough.
  void score(ScoredWindow& window, bool last) {
    if (window.sources.empty() || (!last && window.sources.size() < kPairsAtOnce)) return;
    const std::vector<v1::Translation> scored = translator_.score(window.sources, window.targets, score_);
    std::string text;
    for (std::size_t i = 0; i < scored.size(); ++i) {
      warn(scored[i], window.lines[i]);
      count(scored[i], window.lines[i]);
      if (!window.entries.empty()) text += cat(window.entries[i], kColumnEnd);
      text += scored_text(scored[i], window.lines[i] - 1, options_.format);
    }
    output_.write(text);
    scored_ += window.sources.size();
    if (bar_) bar_->update(scored_, total_, "sentences");
    window.clear();
  }

  // At the end.
  void warn_of_unknown() {
    bar_.reset();
    warn_of_mostly_unknown({options_.files.front(), mostly_unknown_, lines_});
  }

 private:
  // The entries of an n-best list that have the same source are one line.
  void count(const v1::Translation& scored, std::uint64_t line) {
    if (std::exchange(last_line_, line) == line) return;
    ++lines_;
    if (scored.mostly_unknown) ++mostly_unknown_;
  }

  void warn(const v1::Translation& scored, std::uint64_t line) const {
    const std::string where = cat("dhyan: warning: ", options_.files.front(), ":", line, ": ");
    if (scored.source_tokens == 0) {
      std::cerr << where << "there is no text; it is not scored\n";
    } else if (scored.target_tokens == 0) {
      std::cerr << where << "its translation has more tokens than the " << translator_.longest_target()
                << " the model can; it is not scored\n";
    }
    if (!scored.source_cut) return;
    std::cerr << where << "more than " << translator_.longest_source() << " tokens; the rest of the line is cut off\n";
  }

  const ScoreOptions& options_;
  Output& output_;
  std::optional<std::uint64_t> total_;
  std::uint64_t scored_ = 0, lines_ = 0, last_line_ = 0, mostly_unknown_ = 0;
  std::optional<ProgressBar> bar_;
  v1::Translator translator_;
  v1::ScoreOptions score_;
};

void score_pairs(const ScoreOptions& options, Scorer& scorer) {
  const auto pairs = open_pairs({.files = options.files}, {.poll = throw_if_interrupted});
  if (!pairs->has_targets()) {
    throw UsageError(cat("score: ", options.files.front(), " has no translations; name a second file, or a TSV"));
  }
  ScoredWindow window;
  for (SentencePair pair; pairs->next(pair);) {
    window.sources.push_back(pair.source);
    window.targets.push_back(pair.target);
    window.lines.push_back(pair.line);
    scorer.score(window, false);
  }
  scorer.score(window, true);
}

// The number of the source line and the text of an entry "0 ||| text ||| ...".
std::pair<std::uint64_t, std::string> entry_in(std::string_view line, const LineReader& n_best) {
  const std::size_t first = line.find(kColumnEnd);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + std::min(first, line.size()), number);
  if (first == line.npos || error != std::errc() || end != line.data() + first) {
    n_best.fail("expected the number of a line, from 0 ||| its translation");
  }
  const std::string_view rest = line.substr(first + kColumnEnd.size());
  return {number, std::string(rest.substr(0, rest.find(kColumnEnd)))};
}

void score_n_best(const ScoreOptions& options, Scorer& scorer) {
  if (options.files.size() != 1) throw UsageError("score: with --n-best, name the source alone");
  const ReadOptions reading{.poll = throw_if_interrupted};
  LineReader n_best(options.n_best, reading), sources(options.files.front(), reading);
  ScoredWindow window;
  std::string source;
  for (std::string_view line; n_best.next(line);) {
    auto [number, text] = entry_in(line, n_best);
    if (number + 1 < sources.number()) n_best.fail(cat("line ", number, " comes after line ", sources.number() - 1));
    for (std::string_view next; sources.number() <= number; source = next) {
      if (!sources.next(next)) n_best.fail(cat("there is no line ", number, " in ", sources.name()));
    }
    window.entries.emplace_back(line);
    window.sources.push_back(source);
    window.targets.push_back(std::move(text));
    window.lines.push_back(number + 1);
    scorer.score(window, false);
  }
  scorer.score(window, true);
}

void run_score(const ScoreOptions& options, Output& output) {
  if (!options.n_best.empty() && options.format.json) {
    throw UsageError("score: --n-best adds to the list as it is; it cannot be JSON");
  }
  refuse_stdin_twice({options.files, {&options.n_best, 1}});
  Scorer scorer(options, output);
  options.n_best.empty() ? score_pairs(options, scorer) : score_n_best(options, scorer);
  scorer.warn_of_unknown();
}

void add_score_format_options(CLI::App& command, ScoreOptions& options) {
  add_search_option(command, "length-penalty", options.search);
  add_search_option(command, "length-norm", options.search);
  add_alignment_option(command, options.format.alignment);
  command.add_flag("--word-scores", options.format.word_scores,
                   "Append ||| WordScores= and log p of each target word, </s> included");
  add_choice(command, "--units", kUnits, options.format.units, "Units of alignments and word scores")
      ->default_str("word");
  command.add_flag(
      "--json", options.format.json,
      "Write one JSON object per line: line (from 0), source, translation, score, log_probability, finished, "
      "mostly_unknown, tokens, source_tokens, token_scores; with --alignment also attention, and with hard alignment, "
      "a list of [i,j]");
}

Runner add_score_options(CLI::App& command) {
  const auto options = std::make_shared<ScoreOptions>();
  command
      .add_option("files", options->files,
                  "Sentences and their translations: two parallel files, or one TSV; with --n-best only the source")
      ->type_name("FILE")
      ->expected(1, 2)
      ->required();
  command
      .add_option("-m,--model", options->models,
                  "Folder of the model. If given several times, the models, which need the same vocabularies, score as "
                  "an ensemble")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--weights", options->weights, "Weight of each model of the ensemble (default: all equal)")
      ->type_name("X,...")
      ->delimiter(',');
  command
      .add_option(
          "--n-best", options->n_best,
          "Score the translations of this n-best list, written by dhyan translate, and append ||| score to its lines")
      ->type_name("FILE");
  add_score_format_options(command, *options);
  add_precision_option(command, options->limits.precision);
  add_threads_option(command, options->threads);
  return [options](Output& output) { run_score(*options, output); };
}

}  // namespace

Command score_command() {
  return {"score",
          "Score given translations with a model: log p of each",
          {"dhyan score -m model/ test.hi test.en", "dhyan score -m model/ test.hi test.en --normalize 1 --word-scores",
           "dhyan score -m model/ test.hi test.en --alignment hard",
           "dhyan translate -m small/ test.hi --n-best 10 > list && dhyan score -m large/ test.hi --n-best list"},
          add_score_options};
}

}  // namespace dhyan::cli
