#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <span>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/evaluate_captions.h"
#include "cli/evaluation_text.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/line_warnings.h"
#include "cli/phrasebook_options.h"
#include "cli/progress_bar.h"
#include "cli/ranks.h"
#include "cli/scoring_options.h"
#include "cli/search_options.h"
#include "config/model_kinds.h"
#include "core/error.h"
#include "core/number_text.h"
#include "data/lines.h"
#include "distributed/launcher.h"
#include "kernels/simd/runtime.h"
#include "phrasebook/phrasebook.h"

namespace dhyan::cli {

namespace {

struct EvaluateOptions {
  std::string model;
  std::vector<std::string> references;
  TestFiles test;
  std::string phrasebook;               // a language pair
  std::optional<Index> max_words = {};  // of its sentences; none: as in training
  CaptionTest captions;                 // its files are those of test
  TranslationFiles translations;
  EvaluationOptions evaluation;
  SearchRequest search;
  BootstrapOptions bootstrap;
  bool confidence = false;
  std::optional<double> fail_under;
  Precision precision = Precision::kFull;
  int threads = 1;
  RankOptions ranks;
  bool json = false;
};

constexpr std::array kTestParts{Choice{"train", Part::kTrain}, Choice{"dev", Part::kDev}, Choice{"test", Part::kTest}};

ReadOptions reading() { return {.poll = throw_if_interrupted}; }

EvaluationReport score_translations(const EvaluateOptions& options) {
  const auto [hypotheses, set] = read_translations(options.translations, reading());
  return {.name = set.name,
          .sentences = std::ssize(hypotheses),
          .text = score_text({hypotheses, set.references}, sentence_lengths(set), options.evaluation.scoring),
          .length_of = set.sources.empty() ? "reference" : "source"};
}

// The held-out part of the phrasebook that is asked for, else of the one that the model was trained on.
TestSet phrasebook_part(const EvaluateOptions& options, const DataConfig& trained_on) {
  const Index usual = trained_on.train.empty() ? trained_on.max_words : kUsualWords;
  return phrasebook_test_set(options.phrasebook.empty() ? trained_on.phrasebook : options.phrasebook, Part::kTest,
                             options.max_words.value_or(usual));
}

// The requested test set; for a model of the built-in corpus, its held-out part by default.
TestSet test_set(const EvaluateOptions& options, const DataConfig& trained_on) {
  if (!options.test.pairs.empty()) return read_test_set(options.test, reading());
  if (!options.test.references.empty()) throw UsageError("evaluate: --reference adds to --test or to --hypothesis");
  if (!options.phrasebook.empty() || trained_on.train.empty()) return phrasebook_part(options, trained_on);
  throw UsageError(cat("evaluate: ", options.model, " was trained on files; name others with --test SOURCE TARGET"));
}

EvaluationReport evaluate_model(const EvaluateOptions& options, Communicator* ranks) {
  std::optional<ProgressBar> bar("evaluating");
  const Translator translator(std::filesystem::path(options.model), {.precision = options.precision});
  const TestSet set = test_set(options, translator.config().data);
  if (options.evaluation.alignment_layer && set.alignments.empty()) {
    throw UsageError("evaluate: --alignment-layer is for gold alignments; name them with --alignments");
  }
  ThreadPool pool(options.threads, kernels::prepare_thread);
  const Evaluation evaluation = evaluate(translator, set, options.evaluation,
                                         {.pool = &pool, .poll = throw_if_interrupted, .ranks = ranks}, &*bar);
  bar.reset();
  if (ranks != nullptr && !ranks->first()) return {};
  if (!evaluation.cut.empty()) {
    std::cerr << cat("dhyan: warning: ", cut_in_words(evaluation.cut, set.name, translator), '\n');
  }
  warn_of_mostly_unknown({set.name, evaluation.mostly_unknown, set.sources.size()});
  return {.name = set.name,
          .sentences = std::ssize(set.sources),
          .text = evaluation.text,
          .forced = evaluation.forced,
          .gold_links = !set.alignments.empty()};
}

// A model of pictures.
EvaluationReport evaluate_on_pictures(const EvaluateOptions& options, const CLI::App& command) {
  std::optional<ProgressBar> bar("evaluating");
  const Translator translator(std::filesystem::path(options.model), {.precision = options.precision});
  CaptionTest test = options.captions;
  test.files = options.test.pairs;
  test.part_given = command.count("--split") > 0;
  std::size_t unreadable = 0;
  const TestSet set = caption_test(test, options.model, translator, unreadable);
  EvaluationOptions evaluation_options = options.evaluation;
  if (command.count("--metrics") == 0) evaluation_options.scoring.metrics = caption_metrics();
  ThreadPool pool(options.threads, kernels::prepare_thread);
  const Evaluation evaluation =
      evaluate(translator, set, evaluation_options, {.pool = &pool, .poll = throw_if_interrupted}, &*bar);
  return {.name = set.name,
          .sentences = std::ssize(set.sources),
          .text = evaluation.text,
          .length_of = "reference",
          .forced = evaluation.forced,
          .variety = evaluation.variety,
          .scenes = evaluation.scenes,
          .unreadable = static_cast<Index>(unreadable)};
}

// The text on which a model of plain text is measured.
std::vector<std::string> text_lines(const EvaluateOptions& options, const DataConfig& trained_on, std::string& name) {
  std::vector<std::string> lines;
  if (options.test.pairs.empty()) {
    if (options.phrasebook.empty() && !trained_on.train.empty()) {
      throw UsageError(cat("evaluate: ", options.model, " was trained on files; name another with --test TEXT"));
    }
    const TestSet set = phrasebook_part(options, trained_on);
    name = cat(set.name, ", its English");
    if (has_english_source(options.phrasebook.empty() ? trained_on.phrasebook : options.phrasebook)) return set.sources;
    for (const std::vector<std::string>& references : set.references) lines.push_back(references.front());
    return lines;
  }
  for (const std::string& file : options.test.pairs) {
    LineReader reader(file, reading());
    for (std::string_view line; reader.next(line);) lines.emplace_back(line);
    name += cat(name.empty() ? "" : " ", file);
  }
  return lines;
}

FitReport evaluate_on_text(const EvaluateOptions& options) {
  const ProgressBar bar("evaluating");
  LoadedModel loaded = load_model(options.model);
  FitReport report;
  const std::vector<std::string> lines = text_lines(options, loaded.config.data, report.name);
  ThreadPool pool(options.threads, kernels::prepare_thread);
  const bool continues = model_kind(loaded.config).task == Task::kContinueText;
  report.fit = continues ? Writer(std::move(loaded)).fit(lines, pool) : Filler(std::move(loaded)).fit(lines, pool);
  return report;
}

// Refuses options that do not apply to a model: `wrong` gives the reason for an option, or null.
template <class Wrong>
void refuse_options(const CLI::App& command, const Wrong& wrong) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    if (const std::string reason = wrong(option->get_single_name()); !reason.empty()) {
      throw UsageError(cat("evaluate: --", option->get_single_name(), " is for ", reason));
    }
  }
}

constexpr std::array<std::string_view, 3> kOfPictures{"images", "split", "scenes"};
constexpr std::array<std::string_view, 5> kOfTranslations{"alignments", "alignment-layer", "phrasebook", "max-words",
                                                          "reference"};

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Refuses options that only apply to translations.
void refuse_for_text(const CLI::App& command, const std::string& model) {
  constexpr std::array<std::string_view, 7> kOfTexts{"model",   "test", "phrasebook", "max-words",
                                                     "threads", "json", "help"};
  refuse_options(command, [&](std::string_view name) {
    return among(kOfTexts, name)
               ? std::string()
               : cat("translations; ", model, " is a model of plain text, which is measured by loss and perplexity");
  });
}

// Called after the scores are printed, so that they are not lost.
void expect_at_least(double wanted, const TextScore& score) {
  if (score.score >= wanted) return;
  throw ScoreTooLow(
      cat(score.name, " is ", fixed(score.score, 2), ", below the ", number_text(wanted), " of --fail-under"));
}

// The first metric decides, and higher must be better.
void check_fail_under(const EvaluateOptions& options) {
  const ScoringOptions& scoring = options.evaluation.scoring;
  if (!options.fail_under || !make_metric(scoring.metrics.front(), scoring.settings)->lower_is_better()) return;
  throw UsageError(cat("evaluate: --fail-under with ", scoring.metrics.front(),
                       " as the first of --metrics, for which lower is better; name another metric first"));
}

void evaluate(const EvaluateOptions& options, const CLI::App& command, Output& output, Communicator* ranks) {
  if (options.model.empty() == options.translations.hypotheses.empty()) {
    throw UsageError(
        "evaluate: name a model with --model, or translations with --hypothesis and their references with "
        "--reference\nRun 'dhyan evaluate --help'.");
  }
  const std::optional<Config> config = options.model.empty() ? std::nullopt : std::optional(load_config(options.model));
  if (config && !translates(*config)) {
    refuse_for_text(command, options.model);
    const FitReport report = evaluate_on_text(options);
    return output.write(options.json ? to_json(report) : to_table(report));
  }
  const bool pictures = config && reads_pictures(*config);
  refuse_options(command, [&](std::string_view name) {
    if (pictures) return among(kOfTranslations, name) ? cat("text; ", options.model, " reads pictures") : "";
    return among(kOfPictures, name) ? cat("models of pictures; ", options.model, " reads text") : std::string();
  });
  check_fail_under(options);
  const EvaluationReport report = options.model.empty() ? score_translations(options)
                                  : pictures            ? evaluate_on_pictures(options, command)
                                                        : evaluate_model(options, ranks);
  if (ranks != nullptr && !ranks->first()) return;
  output.write(options.json ? to_json(report) : to_table(report));
  if (options.fail_under) expect_at_least(*options.fail_under, report.text.scores.front());
}

void add_input_options(CLI::App& command, EvaluateOptions& options) {
  CLI::Option* model = command.add_option("-m,--model", options.model, "Folder of the model to evaluate");
  model->type_name("DIR");
  CLI::Option* test = command.add_option("--test", options.test.pairs,
                                         "Test set: two parallel files, or one TSV; plain text for a language model; "
                                         "image and caption for a model of pictures, or picturebook (default for a "
                                         "model of a built-in corpus: its held-out part)");
  test->type_name("FILE")->expected(1, 2)->needs(model);
  command
      .add_option("--images", options.captions.images,
                  "Folder of the pictures that --test names (default: that of the training)")
      ->type_name("DIR")
      ->needs(test);
  add_choice(command, "--split", kTestParts, options.captions.part,
             "Part of the captions, if --test has a column split, or of the picture book")
      ->default_str("test")
      ->needs(model);
  command.add_option("--scenes", options.captions.scenes, "Number of scenes of the picture book")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str()
      ->needs(model);
  command
      .add_option(
          "--alignments", options.test.alignments,
          "Gold alignments of the test set, pairs i-j in each line, i?j if only possible; adds the alignment error "
          "rate of forced decoding, which links each reference word to the source word with the most attention")
      ->type_name("FILE")
      ->needs(test);
  add_number_or_all(
      command, "--alignment-layer", options.evaluation.alignment_layer,
      "Decoder layer whose attention links words, averaged over its heads (default: the mean of all layers)")
      ->needs(model);
  command.add_option("--phrasebook", options.phrasebook, "Evaluate on the held-out part of a built-in corpus")
      ->type_name("PAIR")
      ->check(CLI::IsMember(phrasebook_names()))
      ->needs(model)
      ->excludes(test);
  add_max_words_option(command, options.max_words)->needs(model)->excludes(test);
  CLI::Option* hypothesis = command.add_option("--hypothesis", options.translations.hypotheses,
                                               "Translations to score, one per line, of any system; needs no model");
  hypothesis->type_name("FILE")->excludes(model);
  command
      .add_option("--reference", options.references,
                  "Reference translations, in addition to those of --test; can be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--source", options.translations.sources,
                  "Source text; sentence lengths are then measured in source words instead of reference words")
      ->type_name("FILE")
      ->needs(hypothesis);
}

void add_quality_options(CLI::App& command, EvaluateOptions& options) {
  CLI::Option* confidence =
      command.add_flag("--confidence", options.confidence,
                       "Add the mean and 95 % confidence interval of each score, by bootstrap resampling");
  add_bootstrap_options(command, "--confidence-n", options.bootstrap);
  for (const char* of_samples : {"--confidence-n", "--bootstrap-seed"})
    command.get_option(of_samples)->needs(confidence);
  command
      .add_option("--fail-under", options.fail_under, "Exit with code 4 if the first score of --metrics is below this")
      ->type_name("SCORE");
}

// What must be the same on all ranks.
std::vector<Agreed> seen_by_ranks(const EvaluateOptions& options) {
  std::vector<Agreed> agreed;
  if (launched().size == 1) return agreed;
  if (!options.model.empty()) agreed.push_back(model_on_rank(options.model));
  for (const std::string& file : options.test.pairs) agreed.push_back({cat("file ", file), file_on_rank(file)});
  return agreed;
}

Runner add_evaluate_options(CLI::App& command) {
  const auto options = std::make_shared<EvaluateOptions>();
  add_input_options(command, *options);
  command.option_defaults()->group("Metrics");
  add_scoring_options(command, options->evaluation.scoring);
  add_quality_options(command, *options);
  command.option_defaults()->group("Search");
  const std::size_t before = command.get_options().size();
  add_search_options(command, "Search", options->search);
  add_precision_option(command, options->precision);
  const std::vector<CLI::Option*> all = command.get_options();
  for (CLI::Option* of_search : std::span(all).subspan(before)) of_search->needs(command.get_option("--model"));
  command.option_defaults()->group("Options");
  add_threads_option(command, options->threads);
  add_rank_options(command, options->ranks);
  command.add_flag("--json", options->json, "Print JSON");
  return [options, &command](Output& output) {
    options->test.references = options->translations.references = options->references;
    options->evaluation.search = search_options(options->search);
    if (options->confidence) options->evaluation.scoring.confidence = options->bootstrap;
    const std::unique_ptr<Communicator> ranks = join_ranks(options->ranks, seen_by_ranks(*options));
    run_on_ranks(ranks.get(), [&] { evaluate(*options, command, output, ranks.get()); });
  };
}

}  // namespace

Command evaluate_command() {
  return {"evaluate",
          "Measure a model: BLEU, chrF, TER, CIDEr-D, perplexity, alignment error rate",
          {"dhyan evaluate -m model/ --test test.hi test.en", "dhyan evaluate -m model/",
           "dhyan evaluate -m gpt/ --test text.txt", "dhyan evaluate -m captions/ --test captions.tsv --images images/",
           "dhyan evaluate -m model/ --test test.hi test.en --alignments test.pharaoh --json",
           "dhyan evaluate -m model/ --test test.hi test.en --confidence --fail-under 25",
           "dhyan evaluate --hypothesis out.en --reference test.en --source test.hi --tokenize intl"},
          add_evaluate_options,
          {"--model", "--test", "--hypothesis", "--reference", "--metrics", "--images", "--split", "--alignments",
           "--confidence", "--fail-under", "--beam-size", "--threads", "--json", "--help", "--help-all"}};
}

}  // namespace dhyan::cli
