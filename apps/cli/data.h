#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "data/filters.h"
#include "data/pairs.h"

namespace dhyan::cli {

Command data_check_command();
Command data_clean_command();
Command data_lexicon_command();
Command data_phrasebook_command();
Command data_reference_command();
Command data_picturebook_command();
Command data_split_command();

// Reads the corpora of a command in sequence.
struct InputOptions {
  std::vector<std::string> files;
  std::string format = "auto";
  std::string on_bad_utf8 = "error";
  std::string on_bad_lines = "error";
  std::string source_language, target_language;
};

void add_input_options(CLI::App& command, InputOptions& options);

std::vector<CorpusSpec> corpora_of(const InputOptions& options);

// Shows progress, and stops when the user interrupts.
std::unique_ptr<PairSource> open_inputs(const InputOptions& options);

void add_filter_options(CLI::App& command, FilterOptions& options);

// "skipped 3 pairs that are not UTF-8\n" and the like; nothing where nothing was skipped.
std::string skipped(const ReadReport& report, const InputOptions& options);

// UsageError if an output file is also an input, or is named twice.
void expect_other_files(const std::string& command, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs);

}  // namespace dhyan::cli
