#include <CLI/CLI.hpp>
#include <memory>
#include <span>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/explain_arguments.h"
#include "cli/search_options.h"
#include "explain/formats.h"

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

void run(const ExplainArguments& options, Output& output) {
  if (options.model.empty() && !options.text.empty()) {
    throw UsageError(cat("explain: no model to explain '", options.text, "' with; name its folder with -m"));
  }
  if (options.model.empty()) {
    const Example& example = entry_called("example", std::span<const Example>(kExamples), options.example);
    return write(options, example.text(colour_of(options, output)), output);
  }
  if (options.text.empty() && !options.scene) {
    throw UsageError("explain: no text to explain; write it after the options, in quotes");
  }
  explain_model(options, output);
}

void add_model_options(CLI::App& command, ExplainArguments& options, CLI::Option* example) {
  CLI::Option* text = command.add_option("text", options.text,
                                         "Sentence to translate and explain; for a language model, the text to read; "
                                         "for a model that describes pictures, the file of one");
  text->type_name("TEXT");
  CLI::Option* model =
      command.add_option("-m,--model", options.model, "Folder of the model")->type_name("DIR")->excludes(example);
  command
      .add_option(
          "--scene", options.scene,
          "Draw this scene of the picture book and explain its caption, instead of a picture's: small red circle "
          "above large blue square")
      ->type_name("TEXT")
      ->excludes(text)
      ->needs(model);
  command.add_option("--target", options.target, "Explain this translation instead of the model's own")
      ->type_name("TEXT")
      ->needs(model);
  command
      .add_option(
          "-f,--format", options.format,
          cat("Output format (default: by the file extension of -o, otherwise text); csv and pharaoh are for text, "
              "over a picture there are text, svg, html, png and json:",
              described(formats())))
      ->type_name("NAME")
      ->needs(model);
  add_choice(command, "--units", kUnits, options.units, "Units in which attention, or a beam, is shown")
      ->default_str("word")
      ->needs(model);
  add_attention_options(command, options.attention, model);
  CLI::Option* view = add_choice(command, "--view", kDrawings, options.drawing,
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
  add_search_option(command, "beam-size", options.search)->needs(model);
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
      "Show the attention of a translation or of a caption, or a worked example",
      {"dhyan explain -m model/ \"मैं खाना खा रहा हूँ\"", "dhyan explain -m model/ -o picture.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --layer 2 --head all \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --attention encoder --summary rollout \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --view lines -o lines.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --compare other/ -o both.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --beam 2 -o beam.svg \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --step 3 \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m model/ --step 3 -o steps.html \"मैं खाना खा रहा हूँ\"",
       "dhyan explain -m captions/ photo.jpg -o photo.html",
       "dhyan explain -m captions/ --scene \"small red circle above large blue square\" --step 3",
       "dhyan explain -m model/ --target \"I eat food\" \"मैं खाना खा रहा हूँ\"", "dhyan explain --example self-attention"},
      add_explain_options,
      {"--model", "--output", "--format", "--target", "--attention", "--layer", "--head", "--step", "--beam",
       "--example", "--help", "--help-all"}};
}

}  // namespace dhyan::cli
