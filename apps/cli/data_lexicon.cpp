#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/data.h"
#include "cli/interrupt.h"
#include "cli/output_sink.h"
#include "cli/tokenizer_option.h"
#include "core/error.h"
#include "runs/aligned_pairs.h"
#include "translator/lexicon.h"

namespace dhyan::cli {

namespace {

struct LexiconCommandOptions {
  InputOptions inputs;
  std::string alignments;
  std::string model;
  std::string output = "-";
  LexiconOptions lexicon;
};

void write_lexicon(const LexiconCommandOptions& options, Output& output) {
  if (corpora_of(options.inputs).size() != 1) {
    throw UsageError("data lexicon: expected one corpus, two parallel files or a TSV, which the alignments belong to");
  }
  std::vector<std::string> inputs = options.inputs.files;
  inputs.push_back(options.alignments);
  if (std::ranges::count(inputs, "-") > 1) throw UsageError("data lexicon: standard input can be read only once");
  if (options.output != "-") expect_other_files("data lexicon", inputs, {options.output});
  TokenizerPair tokenizers;
  if (!options.model.empty()) tokenizers = tokenizers_of_model(options.model);
  auto corpus = open_inputs(options.inputs);
  if (!corpus->has_targets()) throw UsageError("data lexicon: the corpus has no translations; name a second file");
  AlignedPairs pairs(std::move(corpus), options.alignments, {.poll = throw_if_interrupted});
  Lexicon lexicon(options.model.empty() ? nullptr : &tokenizers);
  for (SentencePair pair; pairs.next(pair);) lexicon.add(pair);
  if (lexicon.links() == 0) throw DataError(cat(options.alignments, ": has no links"));
  const std::unique_ptr<TextSink> sink = open_sink(options.output, output);
  sink->write(lexicon.text(options.lexicon));
  sink->commit();
}

Runner add_lexicon_options(CLI::App& command) {
  const auto options = std::make_shared<LexiconCommandOptions>();
  add_input_options(command, options->inputs);
  command
      .add_option(
          "-a,--alignments", options->alignments,
          "Word alignments of the corpus in Pharaoh's format, as fast_align and eflomal write them: 0-0 1-2, a line "
          "for each pair")
      ->type_name("FILE")
      ->required();
  command
      .add_option("-m,--model", options->model,
                  "Write the tokens of this model, which its --shortlist needs where they are subwords; by default the "
                  "words of the corpus")
      ->type_name("DIR");
  command
      .add_option("-o,--output", options->output, "Where to write; .gz and .zst are compressed, - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command.add_option("--best", options->lexicon.best, "Keep the N most likely translations of each word; 0: all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--threshold", options->lexicon.threshold, "Leave out translations less likely than this")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  return [options](Output& output) { write_lexicon(*options, output); };
}

}  // namespace

Command data_lexicon_command() {
  return {"lexicon",
          "Make a lexicon (lex.s2t) for translate --shortlist from word alignments",
          {"dhyan data lexicon train.hi train.en --alignments train.align -m model/ -o lex.s2t.gz",
           "dhyan data lexicon train.tsv --alignments train.align --best 50 --threshold 0.001 > lex.s2t",
           "dhyan translate -m model/ test.hi --shortlist lex.s2t.gz"},
          add_lexicon_options};
}

}  // namespace dhyan::cli
