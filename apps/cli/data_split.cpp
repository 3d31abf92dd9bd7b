#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/data.h"
#include "cli/progress_bar.h"
#include "core/error.h"
#include "data/split.h"
#include "data/text_writer.h"

namespace dhyan::cli {

namespace {

namespace fs = std::filesystem;

struct SplitCommandOptions {
  InputOptions inputs;
  SplitOptions split;
  std::string folder;
};

// ".hi.gz" of "data/corpus.hi.gz".
std::string ending_of(const std::string& file) {
  fs::path path = fs::path(file).filename();
  std::string ending = path.extension().string();
  if (ending != ".gz" && ending != ".zst") return ending;
  path.replace_extension();
  return path.extension().string() + ending;
}

// The extensions of the files of a part: ".hi" and ".en", or ".tsv".
std::vector<std::string> endings_of(const InputOptions& inputs, bool two_sided) {
  const std::vector<CorpusSpec> corpora = corpora_of(inputs);
  const std::vector<std::string>& files = corpora.front().files;
  const std::string first = ending_of(files.front());
  if (corpora.size() == 1 && files.size() == 2) {
    const std::string second = ending_of(files.back());
    if (first != second) return {first, second};
    return {".source" + first, ".target" + second};
  }
  const std::string packing = first.ends_with(".gz") ? ".gz" : first.ends_with(".zst") ? ".zst" : "";
  return {cat(two_sided ? ".tsv" : ".txt", packing)};
}

// One or two files for each part.
using PartFiles = std::array<std::vector<std::string>, kPartNames.size()>;

PartFiles files_of_parts(const SplitCommandOptions& options, bool two_sided) {
  PartFiles files;
  std::vector<std::string> all;
  for (const std::string& ending : endings_of(options.inputs, two_sided)) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i].push_back(fs::path(options.folder) / cat(kPartNames[i], ending));
      all.push_back(files[i].back());
    }
  }
  expect_other_files("data split", options.inputs.files, all);
  std::error_code failed;
  fs::create_directories(options.folder, failed);
  if (failed) throw WriteError(cat(options.folder, ": cannot create the folder: ", failed.message()));
  return files;
}

PairWriter open_part(const std::vector<std::string>& files, bool two_sided) {
  if (files.size() == 2) return {open_text_file(files[0]), open_text_file(files[1])};
  return {open_text_file(files[0]), two_sided};
}

void split(const SplitCommandOptions& options, Output& output) {
  if (std::ranges::count(options.inputs.files, "-") > 0) {
    throw UsageError("data split: the input is read twice, which standard input cannot be");
  }
  const auto first_pass = open_inputs(options.inputs);
  const bool two_sided = first_pass->has_targets();
  const PartFiles files = files_of_parts(options, two_sided);
  CorpusSplit parts(*first_pass, options.split);
  std::vector<PairWriter> writers;
  for (const auto& of_part : files) writers.push_back(open_part(of_part, two_sided));

  std::array<std::uint64_t, kPartNames.size()> sizes{};
  const auto second_pass = open_inputs(options.inputs);
  for (SentencePair pair; second_pass->next(pair);) {
    const auto part = static_cast<std::size_t>(parts.part_of(pair));
    writers[part].write(pair);
    ++sizes[part];
  }
  std::string report;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != parts.size(static_cast<Part>(i)))
      throw DataError("data split: the input changed while it was read");
    report += cat(kPartNames[i], ": ", grouped(sizes[i]), " pairs\n");
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 0) writers[i].commit();
  }
  std::cerr << skipped(second_pass->report(), options.inputs);
  output.write(report);
}

Runner add_split_options(CLI::App& command) {
  const auto options = std::make_shared<SplitCommandOptions>();
  add_input_options(command, options->inputs);
  command.add_option("-o,--output", options->folder, "Output folder for train, dev and test")
      ->type_name("FOLDER")
      ->required();
  command.add_option("--dev", options->split.dev, "Size of the dev set: number of pairs, or a share if below 1")
      ->capture_default_str();
  command.add_option("--test", options->split.test, "Size of the test set: number of pairs, or a share if below 1")
      ->capture_default_str();
  command.add_option("--seed", options->split.seed, "Random seed of the split")->capture_default_str();
  return [options](Output& output) { split(*options, output); };
}

}  // namespace

Command data_split_command() {
  return {"split",
          "Split a corpus into train, dev and test; pairs with the same source stay together",
          {"dhyan data split all.hi all.en --output parts --dev 500 --test 500",
           "dhyan data split all.tsv --output parts --dev 0.01 --test 0.01 --seed 7"},
          add_split_options};
}

}  // namespace dhyan::cli
