#include <memory>

#include "cli/data.h"
#include "cli/phrasebook_options.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

struct ReferenceOptions {
  std::string split = "train";
  bool alignments = false;
  bool antecedents = false;
};

void print(const ReferenceOptions& options, Output& output) {
  std::string text;
  for (const PhrasePair& pair : phrasebook(kReferenceCorpus, part_named(options.split))) {
    text += cat(pair.source, '\t', pair.target);
    if (options.alignments) text += cat('\t', to_pharaoh(pair.alignment));
    if (options.antecedents) {
      text += cat("\tit=", pair.it->it, " antecedent=", pair.it->antecedent, " rival=", pair.it->rival,
                  " translated=", pair.it->translated);
    }
    text += '\n';
  }
  output.write(text);
}

Runner add_reference_options(CLI::App& command) {
  const auto options = std::make_shared<ReferenceOptions>();
  add_split_option(command, options->split);
  command.add_flag("--alignments", options->alignments, "Add a column with word alignments, as i-j");
  command.add_flag("--antecedents", options->antecedents,
                   "Add a column with the number of the word 'it', of the noun that it stands for, of the other noun, "
                   "and of its translation");
  return [options](Output& output) { print(*options, output); };
}

}  // namespace

Command data_reference_command() {
  return {"reference",
          "Print the English–French corpus in which 'it' becomes il or elle by its meaning, as TSV",
          {"dhyan data reference --split train > train.tsv", "dhyan data reference --split test --antecedents"},
          add_reference_options};
}

}  // namespace dhyan::cli
