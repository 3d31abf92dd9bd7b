#include "cli/explain_parts.h"

#include <filesystem>

#include "cli/interrupt.h"
#include "core/file.h"
#include "core/table.h"
#include "explain/beam_tree.h"
#include "explain/step_page.h"

namespace dhyan::cli {

namespace {

void expect_words(const Translation& translation) {
  if (translation.source_tokens.empty()) throw UsageError("explain: there are no words in the text to explain");
}

void warn_if_cut(const Translation& translation, const Translator& translator) {
  if (!translation.source_cut) return;
  warn(cat("the text has more than the ", translator.longest_source(),
           " tokens that are translated; its end is cut off"));
}

}  // namespace

Colour colour_of(const ExplainArguments& options, const Output& output) {
  return options.output.empty() && output.colour() ? Colour::kYes : Colour::kNo;
}

void write(const ExplainArguments& options, const std::string& result, Output& output) {
  if (!options.output.empty()) return write_file(options.output, result);
  if (output.is_terminal() && result.find('\0') != std::string::npos) {
    throw UsageError("explain: this format is not for a terminal; write it to a file with -o");
  }
  output.write(result);
}

RenderOptions looks_of(const ExplainArguments& options, const Output& output) {
  return {.colour = colour_of(options, output), .width = options.output.empty() ? output.width() : 0};
}

void warn(const std::string& what) {
  if (!what.empty()) std::cerr << "dhyan: warning: " << what << '\n';
}

Translation explained_translation(const ExplainArguments& options, const Translator& translator, const Inputs& input) {
  SearchOptions search = search_options(options.search);
  search.keep = RecordedAttention::kSteps;
  const Workers here{.poll = throw_if_interrupted};
  Translation translation = options.target
                                ? translator.force(input, std::span(&*options.target, 1), search, here).front()
                                : translator.translate(input, search, here).front().front();
  expect_words(translation);
  if (translation.hypothesis.tokens.empty()) {
    throw UsageError(
        cat("explain: --target has more tokens than the ", translator.model().longest(), " the model can"));
  }
  warn_if_cut(translation, translator);
  return translation;
}

void show_step(const ExplainArguments& options, const Explained& explained, const AttentionChoice& attention,
               bool as_text, Output& output) {
  const StepOptions step{*options.step, options.full, attention};
  const Translated& translated = explained.translated;
  if (as_text) {
    return write(options, step_in_numbers(translated, explained.tokenizers, step), output);
  }
  const auto decoding = explained.decode();
  const std::vector<AttentionTrace> traces = trace_attention(*decoding, translated.hypothesis.tokens);
  const ScoreEntry& score = entry_named("score", scores(), explained.config.common.attention.score);
  write(options, step_page(translated, explained.tokenizers, {step, traces, score.formula}), output);
}

void explain_beam(const ExplainArguments& options, const Translator& translator, const Inputs& input, Output& output) {
  const BeamFormat& format = format_in(beam_formats(), options);
  SearchOptions search = search_options(options.search);
  search.n_best = search.beam_size;
  search.record_pruned = *options.beam;
  const Translation best = translator.translate(input, search, {.poll = throw_if_interrupted}).front().front();
  expect_words(best);
  warn_if_cut(best, translator);
  const BeamTree tree = beam_tree(best.source, best.text, best.beam, *translator.tokenizers().target, options.units);
  write(options, format.render(tree, looks_of(options, output)), output);
}

}  // namespace dhyan::cli
