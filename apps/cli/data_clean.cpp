#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/data.h"
#include "cli/output_sink.h"
#include "cli/progress_bar.h"
#include "core/error.h"
#include "data/text_writer.h"

namespace dhyan::cli {

namespace {

struct CleanOptions {
  InputOptions inputs;
  FilterOptions filters;
  std::vector<std::string> outputs{"-"};
  std::string dropped;
};

PairWriter open_writer(const std::vector<std::string>& files, bool two_sided, Output& output) {
  if (files.size() == 1) return {open_sink(files[0], output), two_sided};
  if (!two_sided) throw UsageError("data clean: plain text is written to one file, not to two");
  return {open_sink(files[0], output), open_sink(files[1], output)};
}

// Writes dropped pairs: reason, line, source, target; the line with its file if there are several corpora.
class DroppedFile {
 public:
  DroppedFile(const CleanOptions& options, Output& output) : corpora_(corpora_of(options.inputs)) {
    if (!options.dropped.empty()) file_ = open_sink(options.dropped, output);
  }

  void write(const SentencePair& pair, const Filter& reason) {
    if (file_ == nullptr) return;
    line_ = reason.name;
    line_ += '\t';
    if (corpora_.size() > 1) line_ += cat(corpora_[pair.corpus].files.front(), ":");
    line_ += cat(pair.line, '\t');
    append_column(line_, pair.source);
    line_ += '\t';
    append_column(line_, pair.target);
    line_ += '\n';
    file_->write(line_);
  }

  void commit() {
    if (file_ != nullptr) file_->commit();
  }

 private:
  std::vector<CorpusSpec> corpora_;
  std::unique_ptr<TextSink> file_;
  std::string line_;
};

std::string summary(const PairFilter& filter, const PairWriter& writer) {
  std::string text = cat("kept: ", grouped(filter.kept()), " of ", grouped(filter.judged()), '\n');
  for (const Filter& one : filters()) {
    const std::uint64_t dropped = filter.count(one).dropped;
    if (dropped > 0) text += cat("dropped, ", one.name, ": ", grouped(dropped), '\n');
  }
  if (filter.cut() > 0) text += cat("cut: ", grouped(filter.cut()), '\n');
  if (writer.tabs_replaced() > 0) text += cat("tabs replaced by spaces: ", grouped(writer.tabs_replaced()), '\n');
  return text;
}

void clean(const CleanOptions& options, Output& output) {
  std::vector<std::string> written = options.outputs;
  if (!options.dropped.empty()) written.push_back(options.dropped);
  if (options.outputs.size() > 2) {
    throw UsageError(cat("data clean: ", options.outputs.size(), " outputs; expected at most two"));
  }
  expect_other_files("data clean", options.inputs.files, written);

  const auto pairs = open_inputs(options.inputs);
  PairFilter filter(options.filters, pairs->has_targets());
  PairWriter writer = open_writer(options.outputs, pairs->has_targets(), output);
  DroppedFile dropped(options, output);
  filter_pairs(*pairs, filter, [&](const SentencePair& pair, const Verdict& verdict) {
    if (verdict.reason == nullptr) {
      writer.write(pair);
    } else {
      dropped.write(pair, *verdict.reason);
    }
  });
  writer.commit();
  dropped.commit();
  std::cerr << skipped(pairs->report(), options.inputs) << summary(filter, writer);
}

Runner add_clean_options(CLI::App& command) {
  const auto options = std::make_shared<CleanOptions>();
  add_input_options(command, options->inputs);
  command
      .add_option("-o,--output", options->outputs,
                  "Output for pairs that are kept: one file is written as TSV, two as sources and targets; .gz and "
                  ".zst are compressed, - is standard output")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      .add_option("--dropped", options->dropped, "Output for pairs that are dropped: reason, line, source and target")
      ->type_name("FILE");
  add_filter_options(command, options->filters);
  return [options](Output& output) { clean(*options, output); };
}

}  // namespace

Command data_clean_command() {
  return {"clean",
          "Write the good pairs of a corpus, and the dropped ones with the reason",
          {"dhyan data clean web.hi web.en -o clean.hi -o clean.en --dropped dropped.tsv",
           "dhyan data clean web.tsv -o clean.tsv.zst --max-words 80 --filter duplicate-source",
           "dhyan data clean memory.tmx --source-lang hi --target-lang en > memory.tsv"},
          add_clean_options,
          {"--output", "--dropped", "--max-words", "--max-ratio", "--filter", "--no-filter", "--on-bad-utf8",
           "--on-bad-lines", "--help", "--help-all"}};
}

}  // namespace dhyan::cli
