#include <CLI/CLI.hpp>
#include <memory>

#include "cli/data.h"
#include "cli/phrasebook_options.h"
#include "core/error.h"
#include "phrasebook/phrasebook.h"

namespace dhyan::cli {

namespace {

struct PhrasebookOptions {
  std::string languages;
  std::string split = "train";
  std::optional<Index> max_words = {};
  bool alignments = false;
};

void print(const PhrasebookOptions& options, Output& output) {
  std::string text;
  for (const PhrasePair& pair :
       phrasebook(options.languages, part_named(options.split), options.max_words.value_or(kUsualWords))) {
    text += cat(pair.source, '\t', pair.target);
    if (options.alignments) text += cat('\t', to_pharaoh(pair.alignment));
    text += '\n';
  }
  output.write(text);
}

Runner add_phrasebook_options(CLI::App& command) {
  const auto options = std::make_shared<PhrasebookOptions>();
  command.add_option("languages", options->languages, "Language pair: hi-en, fr-en or en-fr")
      ->type_name("PAIR")
      ->required();
  add_split_option(command, options->split);
  add_max_words_option(command, options->max_words);
  command.add_flag("--alignments", options->alignments, "Add a third column with word alignments, as i-j");
  return [options](Output& output) { print(*options, output); };
}

}  // namespace

Command data_phrasebook_command() {
  return {
      "phrasebook",
      "Print the built-in corpus as TSV",
      {"dhyan data phrasebook hi-en --split train > train.tsv", "dhyan data phrasebook fr-en --split test --alignments",
       "dhyan data phrasebook hi-en --split test --max-words 60"},
      add_phrasebook_options};
}

}  // namespace dhyan::cli
