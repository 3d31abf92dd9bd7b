#include "cli/explain_parts.h"
#include "config/model_kinds.h"
#include "decoding/step_records.h"
#include "explain/compare_page.h"
#include "explain/line_view.h"
#include "explain/png.h"
#include "kernels/simd/runtime.h"
#include "text/unicode.h"
#include "translator/text_models.h"
#include "translator/translator.h"

namespace dhyan::cli {

namespace {

const Format& format_of(const ExplainArguments& options) {
  if (options.drawing == Drawing::kMap) return format_in(formats(), options);
  if (options.format.empty() && options.output.empty()) {
    throw UsageError(
        cat("explain: --view lines is a picture or a page; name a file for it with -o, or a format with -f:",
            names_in(line_formats())));
  }
  return format_in(line_formats(), options);
}

void show(const ExplainArguments& options, const Explained& explained, Output& output) {
  const Translated& translated = explained.translated;
  const Format& format = format_of(options);
  const AttentionChoice attention = choice_of(options.attention, translated.hypothesis.attention, format.summary);
  if (options.step) return show_step(options, explained, attention, format.name == "text", output);
  const Explanation explanation = explain(translated, explained.tokenizers, {options.units, attention});
  if (format.warning != nullptr) warn(format.warning(explanation));
  write(options, format.render(explanation, looks_of(options, output)), output);
}

Explanation compared_explanation(const ExplainArguments& options, const Translator& translator, std::string_view name,
                                 Summary by_default) {
  const Translation translation = explained_translation(options, translator, std::span(&options.text, 1));
  const Hypothesis& hypothesis = translation.hypothesis;
  const std::vector<Real> context_vector = context_vector_of(translator.model(), translation);
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
  if (reads_pictures(loaded.config)) {
    throw UsageError(cat("explain: --compare is for models of text; ", *options.compared, " reads pictures"));
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
  if (options.beam) return explain_beam(options, translator, std::span(&options.text, 1), output);
  const Translation translation = explained_translation(options, translator, std::span(&options.text, 1));
  const std::vector<TokenId>& source = translation.source_tokens;
  const std::vector<Real> context_vector = context_vector_of(translator.model(), translation);
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
  require_utf8(options.target.value_or(""), "explain: --target");
  kernels::prepare_thread();
  // A mistake in the command line is reported before a folder that holds no model.
  const bool is_model = std::filesystem::exists(std::filesystem::path(options.model) / kConfigFile);
  if (is_model && reads_pictures(load_config(options.model))) {
    return explain_picture(options, load_model(options.model), output);
  }
  if (is_model && options.scene)
    throw UsageError(cat("explain: --scene is for models of pictures; ", options.model, " reads text"));
  require_utf8(options.text, "explain");
  const bool has_own_formats = options.beam || options.compared;
  const Format& format = has_own_formats ? formats().front() : format_of(options);
  if (options.step && format.name != "text" && format.name != "html") {
    throw UsageError(cat("explain: --step is text or html; it cannot be ", format.name));
  }
  LoadedModel loaded = load_model(options.model);
  switch (task_of(loaded.config)) {
    case Task::kCaption:
      return explain_picture(options, std::move(loaded), output);
    case Task::kTranslate:
      return explain_translation(options, std::move(loaded), output);
    case Task::kContinueText:
      return explain_text(options, std::move(loaded), output);
    case Task::kFillGaps:
      return explain_gaps(options, std::move(loaded), output);
  }
}

}  // namespace dhyan::cli
