#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/data.h"
#include "cli/interrupt.h"
#include "cli/line_warnings.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/text_input.h"
#include "cli/translation_text.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "data/text_writer.h"
#include "text/unicode.h"
#include "translator/search_option_table.h"
#include "translator/test_set.h"

namespace dhyan::cli {

namespace {

constexpr std::array kBadLines{Choice{"error", OnBadUtf8::kError}, Choice{"replace", OnBadUtf8::kReplace}};

struct TranslateOptions {
  std::vector<std::string> models;
  std::vector<double> weights;  // of models
  TextInput input;
  std::string output = "-";
  SearchRequest search;
  bool split_sentences = false;
  TranslationFormat format;
  TranslatorLimits limits;
  OnBadUtf8 on_bad_utf8 = OnBadUtf8::kError;
  int threads = 1;
};

// No progress bar if a user types the input or sees the translations appear.
bool wants_bar(const TranslateOptions& options, const Output& output) {
  if (options.output != "-") return true;
  const bool typed = options.input.text || (options.input.file == "-" && ::isatty(STDIN_FILENO) == 1);
  return !typed && !output.is_terminal();
}

// Writes lines of output: at once to standard output, or to a file that appears when all is done.
class TranslationWriter {
 public:
  TranslationWriter(const TranslateOptions& options, const v1::Translator& translator, Output& output,
                    ProgressSink* bar)
      : options_(options),
        translator_(translator),
        output_(output),
        bar_(bar),
        total_(bar != nullptr && !options.input.text ? count_lines(options.input.file) : std::nullopt) {
    if (options.output != "-") file_ = open_text_file(options.output);
  }

  void write(const std::vector<v1::NBest>& window) {
    std::string text;
    for (const v1::NBest& n_best : window) {
      if (n_best.front().source_cut) warn_of_cut();
      if (n_best.front().required_dropped) warn_of_dropped();
      if (!n_best.front().finished) ++unfinished_;
      if (n_best.front().mostly_unknown) ++mostly_unknown_;
      text += to_text(n_best, lines_++, options_.format);
    }
    file_ == nullptr ? output_.write(text) : file_->write(text);
    if (bar_ != nullptr) bar_->update(lines_, total_, "sentences");
  }

  void commit() {
    if (file_ != nullptr) file_->commit();
  }

  // Called at the end: one warning each for cut translations and for mostly unknown sources.
  void warn_of_poor() const {
    const std::string name = options_.input.name();
    warn_of_lines({name, unfinished_, lines_}, "translation",
                  cat("did not end within the length limit and ", unfinished_ == 1 ? "was" : "were", " cut"),
                  "--max-length, --max-length-factor");
    warn_of_mostly_unknown({name, mostly_unknown_, lines_});
  }

 private:
  void warn_of_cut() const {
    std::cerr << cat("dhyan: warning: ", options_.input.name(), ":", lines_ + 1, ": more than ",
                     pluralize(static_cast<std::uint64_t>(translator_.longest_source()), "token"), "; the rest of the ",
                     options_.split_sentences ? "sentence" : "line", " is not translated\n");
  }

  void warn_of_dropped() const {
    std::cerr << cat("dhyan: warning: ", shown_name(options_.search.required_file), ":", lines_ + 1,
                     ": not all phrases fit into the longest translation; those that do not are left out\n");
  }

  const TranslateOptions& options_;
  const v1::Translator& translator_;
  Output& output_;
  std::unique_ptr<TextSink> file_;
  ProgressSink* bar_;
  std::optional<std::uint64_t> total_;  // lines of the input
  std::uint64_t lines_ = 0, unfinished_ = 0, mostly_unknown_ = 0;
};

// Refuses options that apply to single sentences if lines are split.
void expect_whole_lines(const TranslateOptions& options) {
  if (!options.split_sentences) return;
  const SearchRequest& search = options.search;
  for (const auto& [name, given] : {std::pair("--n-best", options.format.n_best),
                                    {"--sampling", search.sampling},
                                    {"--prefix", !search.prefix_file.empty()},
                                    {"--require", !search.required_file.empty()}}) {
    if (given)
      throw UsageError(cat("translate: --split-sentences does not go with ", name, ", which is of one sentence"));
  }
}

v1::TranslateOptions translate_options(const TranslateOptions& options, const v1::Translator& translator) {
  for (const std::string& phrase : options.search.forbidden) require_utf8(phrase, "translate: --forbid");
  const bool aligned = options.format.alignment != AlignmentText::kNone;
  const std::string& name = options.models.front();
  if (aligned) expect_cross_attention("translate", name, translator, "--alignment");
  for (const SearchOption& option : search_option_table()) {
    if (!option.needs_cross_attention || !is_set(option, options.search)) continue;
    expect_cross_attention("translate", name, translator, "--" + option.name);
  }
  v1::TranslateOptions translate{
      .details = details_of(options.format),
      .units = options.format.units == Units::kWords ? v1::Units::kWords : v1::Units::kSubwords,
      .split_sentences = options.split_sentences,
      .more = settings_of(options.search),
      .poll = throw_if_interrupted};
  // A list shows scores, which greedy search does not compute for the text alone.
  const bool greedy = options.search.search.beam_size == 1;
  if (options.format.n_best && greedy) translate.details = std::max(translate.details, v1::Details::kScores);
  return translate;
}

void translate(const TranslateOptions& options, Output& output) {
  std::vector<std::string> inputs = files_of(options.search);
  if (!options.input.text) inputs.push_back(options.input.file);
  refuse_stdin_twice({inputs});
  expect_other_files("translate", inputs, {options.output});
  expect_whole_lines(options);
  std::optional<ProgressBar> bar;
  if (wants_bar(options, output)) bar.emplace("translating");
  const v1::Translator translator(std::vector<std::filesystem::path>(options.models.begin(), options.models.end()),
                                  load_options({options.weights, options.limits, options.threads}));
  expect_text_model("translate", options.models.front(), translator);
  const v1::TranslateOptions translate = translate_options(options, translator);
  TranslationWriter writer(options, translator, output, bar ? &*bar : nullptr);
  translator.translate({.file = options.input.file,
                        .text = options.input.text,
                        .replace_invalid = options.on_bad_utf8 == OnBadUtf8::kReplace},
                       translate, [&](const std::vector<v1::NBest>& window) { writer.write(window); });
  writer.commit();
  bar.reset();
  writer.warn_of_poor();
}

void add_format_options(CLI::App& command, TranslateOptions& options) {
  TranslationFormat& format = options.format;
  add_search_option(command, "n-best", options.search);
  add_alignment_option(command, format.alignment);
  command.add_flag("--word-scores", format.word_scores,
                   "Append ||| WordScores= and log p of each target word, </s> included");
  add_choice(command, "--units", kUnits, format.units, "Units of alignments and word scores")->default_str("word");
  command.add_flag(
      "--json", format.json,
      "Write one JSON object per line: line (from 0), source, translation, score, log_probability, finished (false if "
      "the translation was cut at the maximum length), mostly_unknown (true if the source has more unknown tokens than "
      "known ones), tokens, source_tokens, token_scores, attention; with --alignment hard also alignment, a list of "
      "[i,j]");
}

Runner add_translate_options(CLI::App& command) {
  const auto options = std::make_shared<TranslateOptions>();
  CLI::Option* file = command.add_option("file", options->input.file,
                                         "Text to translate, one sentence per line; .gz and .zst are decompressed, - "
                                         "is standard input");
  file->type_name("FILE")->capture_default_str();
  command.add_option("--text", options->input.text, "Translate this text instead of a file")
      ->type_name("TEXT")
      ->excludes(file);
  command
      .add_option("-m,--model", options->models,
                  "Folder of the model. If given several times, the models, which need the same vocabularies, "
                  "translate as an ensemble; attention is that of the first")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--weights", options->weights, "Weight of each model of the ensemble (default: all equal)")
      ->type_name("X,...")
      ->delimiter(',');
  command.add_option("-o,--output", options->output, "Output file; .gz and .zst are compressed, - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_search_options(command, "Search", options->search);
  add_search_options(command, "Words and sampling", options->search);
  command.add_flag(
      "--split-sentences", options->split_sentences,
      "Split each line into sentences and translate them separately; the output still has one line per input line, and "
      "alignments, scores and JSON are those of the whole line with one </s>");
  command
      .add_option("--max-source-length", options->limits.max_source_length,
                  "Longest source line, in tokens; longer lines are cut off with a warning")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  add_format_options(command, *options);
  add_choice(command, "--on-bad-utf8", kBadLines, options->on_bad_utf8,
             "What to do with a line that is not valid UTF-8")
      ->default_str("error");
  add_precision_option(command, options->limits.precision);
  add_threads_option(command, options->threads);
  return [options](Output& output) {
    options->format.n_best = options->search.n_best.has_value();
    const std::string note = take_sentence_as_text(options->input);
    if (!note.empty()) std::cerr << "dhyan: note: " << note << '\n';
    translate(*options, output);
  };
}

}  // namespace

Command translate_command() {
  return {"translate",
          "Translate text, one sentence per line",
          {"dhyan translate -m model/ --text \"मैं खाना खा रहा हूँ\"", "dhyan translate -m model/ test.hi -o test.out",
           "dhyan translate -m model/ test.hi --n-best 5 --alignment hard",
           "dhyan translate -m model/ test.hi --json --units subword",
           "dhyan translate -m model/ test.hi --sampling --top-k 10 --seed 7 --n-best 4",
           "dhyan translate -m one/ -m two/ test.hi --require terms.txt --beam-size 12"},
          add_translate_options,
          {"--model", "--text", "--output", "--beam-size", "--n-best", "--alignment", "--json", "--length-penalty",
           "--sampling", "--split-sentences", "--threads", "--help", "--help-all"}};
}

}  // namespace dhyan::cli
