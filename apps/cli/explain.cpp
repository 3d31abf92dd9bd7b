#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/attention_options.h"
#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "core/error.h"
#include "core/file.h"
#include "core/suggest.h"
#include "decoding/step_records.h"
#include "explain/beam_tree.h"
#include "explain/formats.h"
#include "explain/step.h"
#include "explain/worked_example.h"
#include "kernels/runtime.h"
#include "text/unicode.h"
#include "translator/model_kinds.h"
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
  std::optional<Index> beam;  // hypotheses given up to show of each step
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
  throw UsageError(
      cat("explain: '", options.output, "' does not end as a format's files do; name one with -f:", names_in(table)));
}

const Format& format_of(const ExplainArguments& options) { return format_in(formats(), options); }

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
std::vector<Real> thought_of(const TranslationModel& model, const std::vector<TokenId>& source) {
  if (model.attends()) return {};
  const auto decoding = model.decode({source, Segments::one(static_cast<Index>(source.size()))});
  const std::span<const Real> thought = decoding->thought().value().row(0);  // [H]
  return {thought.begin(), thought.end()};
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

void show(const ExplainArguments& options, const Translated& translated, const TokenizerPair& tokenizers,
          Output& output) {
  const Format& format = format_of(options);
  const AttentionChoice attention = choice_of(options.attention, translated.hypothesis.attention, format.summary);
  if (options.step) {
    return write(options, step_in_numbers(translated, tokenizers, {*options.step, options.full, attention}), output);
  }
  const Explanation explanation = explain(translated, tokenizers, {options.units, attention});
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
  const BeamTree tree = beam_tree(best.source, best.text, best.beam, *translator.tokenizers().target);
  write(options, format.render(tree, looks_of(options, output)), output);
}

void explain_translation(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  const Translator translator(std::move(loaded));
  if (options.beam) return explain_beam(options, translator, output);
  const Translation translation = translated(translator, options);
  const std::vector<Real> thought = thought_of(translator.model(), translation.source_tokens);
  show(options, {translation.source, translation.text, translation.source_tokens, translation.hypothesis, thought},
       translator.tokenizers(), output);
}

// A text as a language model reads it, each token from those before.
void explain_text(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  if (options.beam) throw UsageError("explain: --beam is for models that translate; this one goes on with a text");
  if (options.target) throw UsageError("explain: --target is for models that translate; this one goes on with a text");
  const TokenizerPair tokenizers{loaded.tokenizers.source, loaded.tokenizers.source};
  const Writer writer(std::move(loaded));
  const Index tokens = std::ssize(writer.tokenizer().encode(options.text).ids);
  if (tokens == 0) throw UsageError("explain: there are no words in the text to explain");
  if (tokens > writer.config().transformer.longest) {
    throw UsageError(cat("explain: the text has ", tokens, " tokens; this model sees ",
                         writer.config().transformer.longest, " at once"));
  }
  const Continued read = writer.read(options.text);
  show(options, {"", read.text, {}, read.hypothesis}, tokenizers, output);
}

// A sentence as a masked language model sees it, with its gaps.
void explain_gaps(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  if (options.target) throw UsageError("explain: --target is for models that translate; this one fills in gaps");
  if (options.step) throw UsageError("explain: --step is for models that write word by word; this one fills in gaps");
  if (options.beam) throw UsageError("explain: --beam is for models that translate; this one fills in gaps");
  const TokenizerPair tokenizers{loaded.tokenizers.source, loaded.tokenizers.source};
  const Filler filler(std::move(loaded));
  const std::vector<TokenId> tokens = filler.encode(options.text);
  Arena arena;
  Scope scope(arena);
  StepRecords records({.keep = Keep::kSteps});
  records.add_source(filler.model().encode(scope, {tokens, Segments::one(std::ssize(tokens))}).attention);
  Hypothesis seen;
  records.fill_source(0, seen);
  show(options, {options.text, "", tokens, seen, {}, Filler::kGap}, tokenizers, output);
}

void explain_model(const ExplainArguments& options, Output& output) {
  const Format& format = options.beam ? formats().front() : format_of(options);
  if (options.step && &format != &formats().front()) {
    throw UsageError(cat("explain: --step is text; it cannot be ", format.name));
  }
  require_utf8(options.text, "explain");
  require_utf8(options.target.value_or(""), "explain: --target");
  kernels::prepare_thread();
  LoadedModel loaded = load_model(options.model);
  switch (model_kind(loaded.config).material) {
    case Material::kPairs:
      return explain_translation(options, std::move(loaded), output);
    case Material::kText:
      return explain_text(options, std::move(loaded), output);
    case Material::kLines:
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
  command
      .add_option("text", options.text, "Sentence to translate and explain; of a language model, text for it to read")
      ->type_name("TEXT");
  CLI::Option* model =
      command.add_option("-m,--model", options.model, "Folder of the model")->type_name("DIR")->excludes(example);
  command.add_option("--target", options.target, "Explain this translation instead of the model's own")
      ->type_name("TEXT")
      ->needs(model);
  command
      .add_option("-f,--format", options.format,
                  cat("How to show it; by default as the ending of -o says, or text:", described(formats())))
      ->type_name("NAME")
      ->needs(model);
  add_choice(command, "--units", kUnits, options.units, "What attention is shown between")
      ->default_str("word")
      ->needs(model);
  add_attention_options(command, options.attention, model);
  CLI::Option* step =
      command
          .add_option(
              "--step", options.step,
              "Show step N alone, in numbers that can be worked through by hand: energies, exponentials, weights, "
              "context, best words; a step writes a subword. Of several layers and heads, the weights of all and the "
              "numbers of one")
          ->type_name("N")
          ->needs(model);
  command.add_flag("--full", options.full, "With --step: all numbers of the context, not the first")->needs(step);
  command.add_option("-b,--beam-size", options.beam_size, "Hypotheses kept at every step; 1 is greedy search")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->needs(model);
  CLI::Option* beam = command.add_option(
      "--beam", options.beam,
      "Show how search found the translation: the tree of hypotheses that were kept and, of each step, the N "
      "best that were given up, with their probabilities; as text, svg, html, png or json");
  beam->type_name("[N]")->expected(0, 1)->default_str("3")->check(CLI::Range(0, 1000))->excludes(step)->needs(model);
  for (const char* of_attention : {"--target", "--units", "--attention", "--layer", "--head", "--summary"}) {
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
  command.add_option("-o,--output", options->output, "Where to write; by default standard output")->type_name("FILE");
  return [options](Output& output) { run(*options, output); };
}

}  // namespace

Command explain_command() {
  return {
      "explain",
      "Show what a translation looked at, or how attention computes",
      {"dhyan explain -m model/ \"मैं खाना खा रहा हूँ\"", "dhyan explain -m model/ -o picture.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --layer 2 --head all \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --attention encoder --summary rollout \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --beam 2 -o beam.svg \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --step 3 \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --target \"I eat food\" \"मैं खाना खा रहा हूँ\"", "dhyan explain --example self-attention"},
      add_explain_options};
}

}  // namespace dhyan::cli
