#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/comparison_text.h"
#include "cli/evaluation_text.h"
#include "cli/interrupt.h"
#include "cli/line_warnings.h"
#include "cli/phrasebook_options.h"
#include "cli/progress_bar.h"
#include "cli/scoring_options.h"
#include "cli/search_options.h"
#include "cli/translation_text.h"
#include "core/error.h"
#include "kernels/simd/runtime.h"
#include "phrasebook/phrasebook.h"
#include "translator/evaluation.h"

namespace dhyan::cli {

namespace {

struct CompareOptions {
  std::vector<std::string> systems;  // folders of models, or files of translations
  TestFiles test;
  std::string phrasebook;  // a language pair
  std::optional<Index> max_words = {};
  ComparisonOptions comparison;
  SearchRequest search;
  Precision precision = Precision::kFull;
  int threads = 1;
  bool json = false;
};

bool is_model(const std::string& system) { return std::filesystem::is_directory(system); }

TestSet compared_on(const CompareOptions& options) {
  const ReadOptions reading{.poll = throw_if_interrupted};
  if (!options.test.pairs.empty()) return read_test_set(options.test, reading);
  if (!options.phrasebook.empty()) {
    return phrasebook_test_set(options.phrasebook, Part::kTest, options.max_words.value_or(kUsualWords));
  }
  for (const std::string& system : options.systems) {
    if (is_model(system))
      throw UsageError(cat("compare: nothing for ", system, " to translate; name --test SOURCE TARGET"));
  }
  if (options.test.references.empty()) {
    throw UsageError("compare: nothing to compare with; name --test SOURCE TARGET, or --reference FILE");
  }
  return read_references(options.test.references, reading);
}

std::vector<std::string> translated(const std::string& folder, const TestSet& set, const CompareOptions& options,
                                    ThreadPool& pool) {
  const Translator translator(std::filesystem::path(folder), {.precision = options.precision});
  expect_text_model("compare", folder, translator.model(),
                    "write its captions to a file with dhyan caption, and compare the files");
  std::optional<ProgressBar> bar(folder);
  const BestTranslations best = best_translations(translator, set.sources, search_options(options.search),
                                                  {.pool = &pool, .poll = throw_if_interrupted}, &*bar);
  bar.reset();
  if (!best.cut.empty()) {
    std::cerr << cat("dhyan: warning: ", folder, ": ", cut_in_words(best.cut, set.name, translator), '\n');
  }
  warn_of_mostly_unknown({cat(folder, ": ", set.name), best.mostly_unknown, set.sources.size()});
  return best.texts;
}

void compare(const CompareOptions& options, Output& output) {
  refuse_stdin_twice({options.systems, options.test.pairs, options.test.references});
  check(options.comparison.scoring);
  ComparisonReport report{.set = compared_on(options), .systems = {}, .comparison = {}};
  ThreadPool pool(options.threads, kernels::prepare_thread);
  for (const std::string& system : options.systems) {
    report.systems.push_back({system, is_model(system)
                                          ? translated(system, report.set, options, pool)
                                          : read_hypotheses(system, report.set, {.poll = throw_if_interrupted})});
  }
  report.comparison =
      compare_texts(report.systems, report.set.references, sentence_lengths(report.set), options.comparison);
  output.write(options.json ? to_json(report) : to_table(report));
}

Runner add_compare_options(CLI::App& command) {
  const auto options = std::make_shared<CompareOptions>();
  command
      .add_option("systems", options->systems,
                  "Folders of models, or files with translations of any system; each is compared with the first")
      ->type_name("SYSTEM")
      ->required()
      ->expected(2, 100);
  CLI::Option* test = command.add_option("--test", options->test.pairs, "Test set: two parallel files, or one TSV");
  test->type_name("FILE")->expected(1, 2);
  CLI::Option* phrasebook =
      command.add_option("--phrasebook", options->phrasebook, "Compare on the held-out part of a built-in corpus");
  phrasebook->type_name("PAIR")->check(CLI::IsMember(phrasebook_names()))->excludes(test);
  add_max_words_option(command, options->max_words)->needs(phrasebook);
  command
      .add_option("--reference", options->test.references,
                  "Reference translations, in addition to those of --test; sufficient if no system is a model")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->excludes(phrasebook);
  command.option_defaults()->group("Metrics");
  add_scoring_options(command, options->comparison.scoring);
  add_bootstrap_options(command, "--paired-bs-n", options->comparison.bootstrap);
  command
      .add_option("--sentences", options->comparison.sentences,
                  "Number of sentences to show where the systems differ most")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str();
  command.option_defaults()->group("Search");
  add_search_options(command, "Search", options->search);
  add_precision_option(command, options->precision);
  command.option_defaults()->group("Options");
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print JSON");
  return [options](Output& output) { compare(*options, output); };
}

}  // namespace

Command compare_command() {
  return {"compare",
          "Compare systems: scores, statistical significance, sentences that differ most",
          {"dhyan compare old/ new/ --test test.hi test.en",
           "dhyan compare model/ other-system.en --test test.hi test.en --metrics bleu,chrf,ter",
           "dhyan compare a.en b.en c.en --reference test.en --json"},
          add_compare_options,
          {"--test", "--reference", "--metrics", "--tokenize", "--sentences", "--beam-size", "--threads", "--json",
           "--help", "--help-all"}};
}

}  // namespace dhyan::cli
