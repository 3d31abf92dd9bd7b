#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/attention_options.h"
#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "config/model_kinds.h"
#include "core/error.h"
#include "core/file.h"
#include "core/suggest.h"
#include "core/table.h"
#include "decoding/step_records.h"
#include "explain/beam_tree.h"
#include "explain/compare_page.h"
#include "explain/line_view.h"
#include "explain/png.h"
#include "explain/step_page.h"
#include "explain/worked_example.h"
#include "kernels/simd/runtime.h"
#include "text/unicode.h"
#include "translator/text_models.h"
#include "translator/translator.h"

namespace dhyan::cli {

namespace {

struct Example {
  std::string_view name;
  std::string_view description;
  std::string (*text)(Colour colour);
};

constexpr Example kExamples[] = {
    {"self-attention", "three tokens attend to each other, every number shown",
     [](Colour colour) { return to_text(self_attention_example(), colour); }},
};

enum class MaskAndBias { kMap, kLines };
constexpr std::array kViews = {Choice{"map", MaskAndBias::kMap}, Choice{"lines", MaskAndBias::kLines}};

struct ExplainArguments {
  std::string example;
  std::string model;
  std::string text;
  std::optional<std::string> target;
  std::string format;
  std::string output;
  std::optional<Index> step;
  bool full = false;
  Units units = Units::kWords;
  AttentionOptions attention;
  Index beam_size = SearchOptions{}.beam_size;
  MaskAndBias view = MaskAndBias::kMap;
  std::optional<std::string> compared;  // folder of another model
  std::optional<Index> beam;            // hypotheses given up to show of each step
};

template <class Entry>
std::string names_in(std::span<const Entry> table) {
  std::string text;
  for (const Entry& entry : table) text += cat(' ', entry.name);
  return text;
}

// The entry of a table; UsageError with the nearest name, or else with all of them.
template <class Entry>
const Entry& chosen(std::string_view what, std::span<const Entry> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found != table.end()) return *found;
  const std::string near = suggestion(name, names_of(table));
  throw UsageError(
      cat("explain: there is no ", what, " '", name, "'", near.empty() ? "; there is:" + names_in(table) : near));
}

template <class Entry>
const Entry& format_in(std::span<const Entry> table, const ExplainArguments& options) {
  if (!options.format.empty()) return chosen("format", table, options.format);
  if (options.output.empty()) return table.front();
  if (const Entry* format = format_of_file(table, options.output)) return *format;
  const std::string ending = std::filesystem::path(options.output).extension();
  throw UsageError(cat(
      "explain: ", ending.empty() ? cat("'", options.output, "' has no file ending") : "unknown file ending " + ending,
      "; name a format with -f:", names_in(table)));
}

const Format& format_of(const ExplainArguments& options) {
  if (options.view == MaskAndBias::kMap) return format_in(formats(), options);
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
  SearchOptions search{.beam_size = options.beam_size, .keep = Keep::kSteps};
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

Colour colour_of(const ExplainArguments& options, const Output& output) {
  return options.output.empty() && output.colour() ? Colour::kYes : Colour::kNo;
}

RenderOptions looks_of(const ExplainArguments& options, const Output& output) {
  return {.colour = colour_of(options, output), .width = options.output.empty() ? output.width() : 0};
}

void write(const ExplainArguments& options, const std::string& result, Output& output) {
  if (!options.output.empty()) return write_file(options.output, result);
  if (output.is_terminal() && result.find('\0') != std::string::npos) {
    throw UsageError("explain: this format is not for a terminal; write it to a file with -o");
  }
  output.write(result);
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
  const SearchOptions search{
      .beam_size = options.beam_size, .n_best = options.beam_size, .record_pruned = *options.beam};
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
  StepRecords records({.keep = Keep::kSteps});
  records.add_source(filler.model().encode(scope, {tokens, Segments::one(std::ssize(tokens))}).attention);
  filler.expect_weights_unchanged();
  Hypothesis seen;
  records.fill_source(0, seen);
  show(options, {{options.text, "", tokens, seen, {}, Filler::kGap}, tokenizers, config}, output);
}

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

void run(const ExplainArguments& options, Output& output) {
  if (options.model.empty() && !options.text.empty()) {
    throw UsageError(cat("explain: no model to explain '", options.text, "' with; name its folder with -m"));
  }
  if (options.model.empty()) {
    const Example& example = chosen("example", std::span<const Example>(kExamples), options.example);
    return write(options, example.text(colour_of(options, output)), output);
  }
  if (options.text.empty()) throw UsageError("explain: no text to explain; write it after the options, in quotes");
  explain_model(options, output);
}

void add_model_options(CLI::App& command, ExplainArguments& options, CLI::Option* example) {
  command.add_option("text", options.text, "Sentence to translate and explain; for a language model, the text to read")
      ->type_name("TEXT");
  CLI::Option* model =
      command.add_option("-m,--model", options.model, "Folder of the model")->type_name("DIR")->excludes(example);
  command.add_option("--target", options.target, "Explain this translation instead of the model's own")
      ->type_name("TEXT")
      ->needs(model);
  command
      .add_option("-f,--format", options.format,
                  cat("Output format (default: by the file extension of -o, otherwise text):", described(formats())))
      ->type_name("NAME")
      ->needs(model);
  add_choice(command, "--units", kUnits, options.units, "Units in which attention, or a beam, is shown")
      ->default_str("word")
      ->needs(model);
  add_attention_options(command, options.attention, model);
  CLI::Option* view = add_choice(command, "--view", kViews, options.view,
                                 "How attention is drawn: as a map, or as lines between two columns of words; lines as "
                                 "html, svg or png. Each head has a colour of its own on the html page, and in svg "
                                 "and png with --head or --summary none; otherwise their mean is drawn in one");
  view->default_str("map")->needs(model);
  CLI::Option* step =
      command
          .add_option("--step", options.step,
                      "Show step N only, in numbers that can be checked by hand: energies, exponentials, weights, "
                      "context, best words. A step writes one token. With several layers and heads: the weights of "
                      "all, the other numbers of one. As html: one page of all steps, energies term by term, that "
                      "opens at step N")
          ->type_name("N")
          ->excludes(view)
          ->needs(model);
  command.add_flag("--full", options.full, "Show all numbers of the context vector")->needs(step);
  command.add_option("-b,--beam-size", options.beam_size, "Hypotheses kept at every step; 1 is greedy search")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->needs(model);
  CLI::Option* compare =
      command
          .add_option(
              "--compare", options.compared,
              "Folder of another model that translates the same sentence: shows both translations, the probability "
              "of each word and both maps, or the context vector of a model without attention; as text, svg, html, "
              "png or json")
          ->type_name("DIR")
          ->excludes(step)
          ->excludes(view)
          ->needs(model);
  CLI::Option* beam = command.add_option("--beam", options.beam,
                                         "Show the beam search: the tree of hypotheses with their probabilities and, "
                                         "for each step, the N best that were pruned; as text, svg, html, png or json");
  beam->type_name("[N]")
      ->expected(0, 1)
      ->default_str("3")
      ->check(CLI::Range(0, 1000))
      ->excludes(step)
      ->excludes(compare)
      ->needs(model);
  for (const char* of_attention : {"--target", "--attention", "--layer", "--head", "--summary", "--view"}) {
    beam->excludes(command.get_option(of_attention));
  }
}

Runner add_explain_options(CLI::App& command) {
  const auto options = std::make_shared<ExplainArguments>();
  options->example = kExamples[0].name;
  CLI::Option* example =
      command
          .add_option("--example", options->example,
                      cat("Worked example to print instead:", described(std::span<const Example>(kExamples))))
          ->type_name("NAME")
          ->capture_default_str();
  add_model_options(command, *options, example);
  command.add_option("-o,--output", options->output, "Output file (default: standard output)")->type_name("FILE");
  return [options](Output& output) { run(*options, output); };
}

}  // namespace

Command explain_command() {
  return {
      "explain",
      "Show the attention of a translation, or a worked example of attention",
      {"dhyan explain -m model/ \"मैं खाना खा रहा हूँ\"", "dhyan explain -m model/ -o picture.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --layer 2 --head all \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --attention encoder --summary rollout \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --view lines -o lines.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --compare other/ -o both.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --beam 2 -o beam.svg \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --step 3 \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --step 3 -o steps.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --target \"I eat food\" \"मैं खाना खा रहा हूँ\"", "dhyan explain --example self-attention"},
      add_explain_options,
      {"--model", "--output", "--format", "--target", "--attention", "--layer", "--head", "--step", "--beam",
       "--example", "--help", "--help-all"}};
}

}  // namespace dhyan::cli
