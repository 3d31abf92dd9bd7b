#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>

#include "cli/explain_arguments.h"
#include "cli/interrupt.h"
#include "config/model_kinds.h"
#include "core/file.h"
#include "core/table.h"
#include "decoding/step_records.h"
#include "explain/beam_tree.h"
#include "explain/compare_page.h"
#include "explain/formats.h"
#include "explain/line_view.h"
#include "explain/png.h"
#include "explain/step_page.h"
#include "kernels/simd/runtime.h"
#include "text/unicode.h"
#include "translator/text_models.h"
#include "translator/translator.h"

namespace dhyan::cli {

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

namespace {

RenderOptions looks_of(const ExplainArguments& options, const Output& output) {
  return {.colour = colour_of(options, output), .width = options.output.empty() ? output.width() : 0};
}

template <class Entry>
const Entry& format_in(std::span<const Entry> table, const ExplainArguments& options) {
  if (!options.format.empty()) return entry_called("format", table, options.format);
  if (options.output.empty()) return table.front();
  if (const Entry* format = format_of_file(table, options.output)) return *format;
  const std::string ending = std::filesystem::path(options.output).extension();
  throw UsageError(cat(
      "explain: ", ending.empty() ? cat("'", options.output, "' has no file ending") : "unknown file ending " + ending,
      "; name a format with -f:", names_in(table)));
}

const Format& format_of(const ExplainArguments& options) {
  if (options.drawing == Drawing::kMap) return format_in(formats(), options);
  if (options.format.empty() && options.output.empty()) {
    throw UsageError(
        cat("explain: --view lines is a picture or a page; name a file for it with -o, or a format with -f:",
            names_in(line_formats())));
  }
  return format_in(line_formats(), options);
}

void warn(const std::string& what) {
  if (!what.empty()) std::cerr << "dhyan: warning: " << what << '\n';
}

void expect_words(const Translation& translation) {
  if (translation.source_tokens.empty()) throw UsageError("explain: there are no words in the text to explain");
}

void warn_if_cut(const Translation& translation, const Translator& translator) {
  if (!translation.source_cut) return;
  warn(cat("the text has more than the ", translator.longest_source(),
           " tokens that are translated; its end is cut off"));
}

Translation translated(const Translator& translator, const ExplainArguments& options) {
  SearchOptions search = search_options(options.search);
  search.keep = RecordedAttention::kSteps;
  const Workers here{.poll = throw_if_interrupted};
  const std::span<const std::string> line(&options.text, 1);
  Translation translation = options.target
                                ? translator.force(line, std::span(&*options.target, 1), search, here).front()
                                : translator.translate(line, search, here).front().front();
  expect_words(translation);
  if (translation.hypothesis.tokens.empty()) {
    throw UsageError(
        cat("explain: --target has more tokens than the ", translator.model().longest(), " the model can"));
  }
  warn_if_cut(translation, translator);
  return translation;
}

// The one fixed vector of a model without attention; nothing of others.
std::vector<Real> context_vector_of(const TranslationModel& model, const std::vector<TokenId>& source) {
  if (model.attends()) return {};
  const auto decoding = model.decode({source, Segments::one(static_cast<Index>(source.size()))});
  const std::span<const Real> context_vector = decoding->context_vector().value().row(0);  // [H]
  return {context_vector.begin(), context_vector.end()};
}

// What was translated, and what can be asked of it beyond its record.
struct Explained {
  const Translated& translated;
  const TokenizerPair& tokenizers;
  const Config& config;
  std::function<std::unique_ptr<Decoding>()> decode =
      {};  // from the beginning, once more; none where nothing is written
};

void show_step(const ExplainArguments& options, const Explained& explained, const AttentionChoice& attention,
               Output& output) {
  const StepOptions step{*options.step, options.full, attention};
  const Translated& translated = explained.translated;
  if (format_of(options).name == "text") {
    return write(options, step_in_numbers(translated, explained.tokenizers, step), output);
  }
  const auto decoding = explained.decode();
  const std::vector<AttentionTrace> traces = trace_attention(*decoding, translated.hypothesis.tokens);
  const ScoreEntry& score = entry_named("score", scores(), explained.config.common.attention.score);
  write(options, step_page(translated, explained.tokenizers, {step, traces, score.formula}), output);
}

void show(const ExplainArguments& options, const Explained& explained, Output& output) {
  const Translated& translated = explained.translated;
  const Format& format = format_of(options);
  const AttentionChoice attention = choice_of(options.attention, translated.hypothesis.attention, format.summary);
  if (options.step) return show_step(options, explained, attention, output);
  const Explanation explanation = explain(translated, explained.tokenizers, {options.units, attention});
  if (format.warning != nullptr) warn(format.warning(explanation));
  write(options, format.render(explanation, looks_of(options, output)), output);
}

void explain_beam(const ExplainArguments& options, const Translator& translator, Output& output) {
  const BeamFormat& format = format_in(beam_formats(), options);
  SearchOptions search = search_options(options.search);
  search.n_best = search.beam_size;
  search.record_pruned = *options.beam;
  const std::span<const std::string> line(&options.text, 1);
  const Translation best = translator.translate(line, search, {.poll = throw_if_interrupted}).front().front();
  expect_words(best);
  warn_if_cut(best, translator);
  const BeamTree tree = beam_tree(best.source, best.text, best.beam, *translator.tokenizers().target, options.units);
  write(options, format.render(tree, looks_of(options, output)), output);
}

Explanation compared_explanation(const ExplainArguments& options, const Translator& translator, std::string_view name,
                                 Summary by_default) {
  const Translation translation = translated(translator, options);
  const Hypothesis& hypothesis = translation.hypothesis;
  const std::vector<Real> context_vector = context_vector_of(translator.model(), translation.source_tokens);
  AttentionChoice attention = choice_of(options.attention, hypothesis.attention, by_default);
  if (hypothesis.attention.empty()) attention = {};  // there is nothing to choose from its one vector
  attention.model = name;
  return explain({translation.source, translation.text, translation.source_tokens, hypothesis, context_vector},
                 translator.tokenizers(), {options.units, attention});
}

// The same sentence by two models.
void explain_both(const ExplainArguments& options, const Translator& translator, Output& output) {
  const CompareFormat& format = format_in(compare_formats(), options);
  LoadedModel loaded = load_model(*options.compared);
  if (!translates(loaded.config)) {
    throw UsageError(
        cat("explain: --compare is for models that translate; ", *options.compared, " is a ", loaded.config.model));
  }
  const Translator other(std::move(loaded));
  const std::vector<ComparedModel> models{
      {options.model, compared_explanation(options, translator, options.model, format.summary)},
      {*options.compared, compared_explanation(options, other, *options.compared, format.summary)}};
  if (format.name == "png") {
    for (const ComparedModel& model : models) warn(png_warning(model.explanation));
  }
  write(options, format.render(models, looks_of(options, output)), output);
}

void explain_translation(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  const Translator translator(std::move(loaded));
  if (options.compared) return explain_both(options, translator, output);
  if (options.beam) return explain_beam(options, translator, output);
  const Translation translation = translated(translator, options);
  const std::vector<TokenId>& source = translation.source_tokens;
  const std::vector<Real> context_vector = context_vector_of(translator.model(), source);
  const Translated seen{translation.source, translation.text, source, translation.hypothesis, context_vector};
  show(options,
       {seen, translator.tokenizers(), translator.config(),
        [&] {
          return translator.model().decode({source, Segments::one(std::ssize(source))});
        }},
       output);
}

// A text as a language model reads it, each token from those before.
void explain_text(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  if (options.beam) throw UsageError("explain: --beam is for models that translate; this one continues a text");
  if (options.compared) {
    throw UsageError("explain: --compare is for models that translate; this one continues a text");
  }
  if (options.target) throw UsageError("explain: --target is for models that translate; this one continues a text");
  const TokenizerPair tokenizers{loaded.tokenizers.source, loaded.tokenizers.source};
  const Writer writer(std::move(loaded));
  const Index tokens = std::ssize(writer.tokenizer().encode(options.text).ids);
  if (tokens == 0) throw UsageError("explain: there are no words in the text to explain");
  if (tokens > writer.config().transformer.longest) {
    throw UsageError(cat("explain: the text has ", tokens, " tokens; this model sees ",
                         writer.config().transformer.longest, " at once"));
  }
  const Continued read = writer.read(options.text);
  const Translated seen{"", read.text, {}, read.hypothesis};
  show(options, {seen, tokenizers, writer.config(), [&] { return writer.decode(); }}, output);
}

// A sentence as a masked language model sees it, with its gaps.
void explain_gaps(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  if (options.target) throw UsageError("explain: --target is for models that translate; this one fills in gaps");
  if (options.step) throw UsageError("explain: --step is for models that write word by word; this one fills in gaps");
  if (options.beam) throw UsageError("explain: --beam is for models that translate; this one fills in gaps");
  if (options.compared) {
    throw UsageError("explain: --compare is for models that translate; this one fills in gaps");
  }
  const TokenizerPair tokenizers{loaded.tokenizers.source, loaded.tokenizers.source};
  const Config config = loaded.config;
  const Filler filler(std::move(loaded));
  const std::vector<TokenId> tokens = filler.encode(options.text);
  Arena arena;
  Scope scope(arena);
  StepRecords records({.keep = RecordedAttention::kSteps});
  records.add_source(filler.model().encode(scope, {tokens, Segments::one(std::ssize(tokens))}).attention);
  filler.expect_weights_unchanged();
  Hypothesis seen;
  records.fill_source(0, seen);
  show(options, {{options.text, "", tokens, seen, {}, Filler::kGap}, tokenizers, config}, output);
}

}  // namespace

void explain_model(const ExplainArguments& options, Output& output) {
  const bool has_own_formats = options.beam || options.compared;
  const Format& format = has_own_formats ? formats().front() : format_of(options);
  if (options.step && format.name != "text" && format.name != "html") {
    throw UsageError(cat("explain: --step is text or html; it cannot be ", format.name));
  }
  require_utf8(options.text, "explain");
  require_utf8(options.target.value_or(""), "explain: --target");
  kernels::prepare_thread();
  LoadedModel loaded = load_model(options.model);
  switch (model_kind(loaded.config).task) {
    case Task::kTranslate:
      return explain_translation(options, std::move(loaded), output);
    case Task::kContinueText:
      return explain_text(options, std::move(loaded), output);
    case Task::kFillGaps:
      return explain_gaps(options, std::move(loaded), output);
  }
}

}  // namespace dhyan::cli
