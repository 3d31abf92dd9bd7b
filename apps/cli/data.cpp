#include "cli/data.h"

#include <CLI/CLI.hpp>

namespace dhyan::cli {

Command data_command() {
  return {"data",
          "Check, clean and split corpora; make lexicons; write the built-in corpora",
          {"dhyan data check train.hi train.en", "dhyan data clean web.tsv.gz --output clean.tsv.gz",
           "dhyan data phrasebook hi-en --split test"},
          [](CLI::App& command) {
            return add_commands(
                command, {data_check_command(), data_clean_command(), data_split_command(), data_lexicon_command(),
                          data_phrasebook_command(), data_reference_command(), data_picturebook_command()});
          }};
}

}  // namespace dhyan::cli
