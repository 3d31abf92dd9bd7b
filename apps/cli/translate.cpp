#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/data.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/translation_text.h"
#include "core/choice.h"
#include "core/error.h"
#include "data/text_writer.h"
#include "kernels/runtime.h"
#include "translator/test_set.h"
#include "translator/translate_stream.h"

namespace dhyan::cli {

namespace {

constexpr std::array kAlignments{Choice{"hard", AlignmentText::kHard}, Choice{"soft", AlignmentText::kSoft}};
constexpr std::array kBadLines{Choice{"error", OnBadUtf8::kError}, Choice{"replace", OnBadUtf8::kReplace}};

struct TranslateOptions {
  std::vector<std::string> models;
  std::vector<double> weights;  // of models
  std::string input = "-";
  std::string output = "-";
  SearchOptions search;
  WordOptions words;
  bool split_sentences = false;
  std::optional<Index> n_best;
  TranslationFormat format;
  TranslatorLimits limits;
  OnBadUtf8 on_bad_utf8 = OnBadUtf8::kError;
  int threads = 1;
};

// Lines of output, to a file that appears when all is done or, as soon as they are known, to standard output.
class TranslationWriter {
 public:
  TranslationWriter(const TranslateOptions& options, const Translator& translator, Output& output)
      : options_(options), translator_(translator), output_(output) {
    if (options.output == "-") return;
    file_ = open_text_file(options.output);
    bar_.emplace("translating");
  }

  void write(const NBestLists& window, const ByteSource& input) {
    std::string text;
    for (const std::vector<Translation>& n_best : window) {
      if (n_best.front().source_cut) warn_of_cut();
      if (n_best.front().required_dropped) warn_of_dropped();
      text += to_text(n_best, lines_++, translator_.tokenizers(), options_.format);
    }
    if (file_ == nullptr) return output_.write(text);
    file_->write(text);
    const bool known = input.bytes_in_all() > 0;
    bar_->update(input.bytes_read(), known ? std::optional(input.bytes_in_all()) : std::nullopt, "bytes");
  }

  void commit() {
    if (file_ != nullptr) file_->commit();
  }

 private:
  void warn_of_cut() const {
    std::cerr << cat("dhyan: warning: ", shown_name(options_.input), ":", lines_ + 1, ": more than ",
                     translator_.longest_source(), " tokens; the rest of the ",
                     options_.split_sentences ? "sentence" : "line", " is not translated\n");
  }

  void warn_of_dropped() const {
    std::cerr << cat("dhyan: warning: ", shown_name(options_.words.required_file), ":", lines_ + 1,
                     ": not all phrases fit into the longest translation; those that do not are left out\n");
  }

  const TranslateOptions& options_;
  const Translator& translator_;
  Output& output_;
  std::unique_ptr<TextSink> file_;
  std::optional<ProgressBar> bar_;
  std::uint64_t lines_ = 0;
};

void expect_cross_attention(const TranslateOptions& options, const TranslationModel& model, const char* wanted) {
  if (model.crosses()) return;
  throw UsageError(cat("translate: ", options.models.front(), " is a model without ", model.attends() ? "cross-" : "",
                       "attention; it has no ", wanted));
}

// What needs the sentences of a line apart.
void expect_whole_lines(const TranslateOptions& options) {
  if (!options.split_sentences) return;
  const WordOptions& words = options.words;
  const TranslationFormat& format = options.format;
  const bool more = format.json || format.n_best || format.word_scores || format.alignment != AlignmentText::kNone;
  if (!more && !words.sampling && words.prefix_file.empty() && words.required_file.empty()) return;
  throw UsageError(
      "translate: --split-sentences goes with text alone, not with --n-best, --alignment, --word-scores, --json, "
      "--sampling, --prefix or --require");
}

SearchOptions search_options(const TranslateOptions& options, const TranslationModel& model) {
  SearchOptions search = options.search;
  if (options.n_best) search.n_best = *options.n_best == 0 ? search.beam_size : *options.n_best;
  if (options.words.sampling) {  // nothing is searched for
    search.beam_size = search.n_best;
    search.groups = 1;
  }
  const bool aligned = options.format.alignment != AlignmentText::kNone;
  if (aligned) expect_cross_attention(options, model, "--alignment");
  if (options.words.replace_unknown) expect_cross_attention(options, model, "--replace-unk");
  if (search.coverage_penalty > 0) expect_cross_attention(options, model, "--coverage-penalty");
  if ((aligned || options.format.json) && model.crosses()) search.keep = Keep::kWeights;
  const bool shown = options.format.json || options.format.n_best || options.format.word_scores;
  search.scored = search.beam_size > 1 || shown || options.words.sampling;
  check(search);
  return search;
}

void translate(const TranslateOptions& options, Output& output) {
  std::vector<std::string> inputs = files_of(options.words);
  inputs.push_back(options.input);
  refuse_stdin_twice({inputs});
  expect_other_files("translate", inputs, {options.output});
  expect_whole_lines(options);
  const std::vector<std::filesystem::path> folders(options.models.begin(), options.models.end());
  TranslatorLimits limits =
      options.limits;  // a file may be long; who types, or sends line by line, waits for the first
  if (options.input != "-") limits.precision = Precision::kTakenApart;
  const Translator translator(load_ensemble(folders, options.weights), limits);
  const OpenedWords words =
      open_words(options.words, search_options(options, translator.model()), translator.tokenizers());
  ThreadPool pool(options.threads, kernels::prepare_thread);
  const StreamOptions stream{.translation = words.translation,
                             .prefixes = words.prefixes.get(),
                             .required = words.required.get(),
                             .split_sentences = options.split_sentences,
                             .workers = {.pool = &pool, .poll = throw_if_interrupted}};
  LineReader input(options.input, {.on_bad_utf8 = options.on_bad_utf8, .poll = throw_if_interrupted});
  TranslationWriter writer(options, translator, output);
  translate_stream(translator, input, stream, [&](const NBestLists& window) { writer.write(window, input.bytes()); });
  writer.commit();
}

void add_format_options(CLI::App& command, TranslateOptions& options) {
  TranslationFormat& format = options.format;
  command
      .add_option("--n-best", options.n_best,
                  "Write the N best translations of each line, all of the beam if no N is given, as: number of the "
                  "line, from 0 ||| text ||| score")
      ->type_name("[N]")
      ->expected(0, 1)
      ->default_str("0")
      ->check(CLI::Range(0, 1000));
  add_choice(command, "--alignment", kAlignments, format.alignment,
             "Write ||| and what each target word looked at: hard, pairs i-j of source and target words from 0; soft, "
             "all weights, a row for each target word, </s> included")
      ->type_name("KIND");
  command.add_flag("--word-scores", format.word_scores,
                   "Write ||| WordScores= and log p of each target word, </s> included");
  add_choice(command, "--units", kUnits, format.units, "What alignments and scores are given for")->default_str("word");
  command.add_flag("--json", format.json,
                   "Write an object a line: line (from 0), source, translation, score, log_probability, "
                   "tokens, source_tokens, token_scores, attention; with --alignment hard also alignment, of [i,j]");
}

Runner add_translate_options(CLI::App& command) {
  const auto options = std::make_shared<TranslateOptions>();
  command
      .add_option("file", options->input,
                  "Text with a sentence a line; .gz and .zst are read as they are, - is "
                  "standard input")
      ->type_name("FILE")
      ->capture_default_str();
  command
      .add_option("-m,--model", options->models,
                  "Folder of the model; may be given several times, of models with the same vocabularies, which then "
                  "translate together by the mean of their probabilities. Attention is that of the first")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--weights", options->weights, "How much each model counts in that mean; by default all the same")
      ->type_name("X,...")
      ->delimiter(',');
  command
      .add_option("-o,--output", options->output, "Where to write; .gz and .zst are compressed, - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_search_options(command, options->search);
  add_word_options(command, options->words);
  command.add_flag("--split-sentences", options->split_sentences,
                   "Cut lines into sentences, by rules, and translate each by itself; a line of output has them all");
  command
      .add_option("--max-source-length", options->limits.max_source_length,
                  "Longest line, in tokens; the rest of it is cut off with a warning")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  add_format_options(command, *options);
  add_choice(command, "--on-bad-utf8", kBadLines, options->on_bad_utf8, "What to do with a line that is not UTF-8")
      ->default_str("error");
  add_threads_option(command, options->threads);
  return [options](Output& output) {
    options->format.n_best = options->n_best.has_value();
    translate(*options, output);
  };
}

}  // namespace

Command translate_command() {
  return {"translate",
          "Translate text, a sentence a line",
          {"echo \"मैं खाना खा रहा हूँ\" | dhyan translate -m model/", "dhyan translate -m model/ test.hi -o test.out",
           "dhyan translate -m model/ test.hi --n-best 5 --alignment hard",
           "dhyan translate -m model/ test.hi --json --units subword",
           "dhyan translate -m model/ test.hi --sampling --top-k 10 --seed 7 --n-best 4",
           "dhyan translate -m one/ -m two/ test.hi --require terms.txt --beam-size 12"},
          add_translate_options};
}

}  // namespace dhyan::cli
