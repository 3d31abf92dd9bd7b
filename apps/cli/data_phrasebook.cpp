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

Part part_named(const std::string& name) {
  if (name == "dev") return Part::kDev;
  return name == "test" ? Part::kTest : Part::kTrain;
}

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
  command.add_option("languages", options->languages, "Language pair: hi-en or fr-en")->type_name("PAIR")->required();
  command.add_option("--split", options->split, "Part of the corpus to print")
      ->check(CLI::IsMember({"train", "dev", "test"}))
      ->capture_default_str();
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
