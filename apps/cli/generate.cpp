#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/table_option.h"
#include "core/error.h"
#include "kernels/simd/runtime.h"
#include "text/unicode.h"
#include "translator/search_option_table.h"
#include "translator/text_models.h"

namespace dhyan::cli {

namespace {

struct GenerateOptions {
  std::string model;
  std::string prompt;
  GenerationOptions generation;
  bool json = false;
};

std::string to_json(const Continued& text, const std::string& prompt) {
  const nlohmann::ordered_json line{{"prompt", prompt},
                                    {"text", text.text},
                                    {"tokens", text.hypothesis.tokens.size()},
                                    {"log_probability", text.hypothesis.log_probability}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

// Prints the texts; several texts each get a heading line.
void generate(const GenerateOptions& options, Output& output) {
  require_utf8(options.prompt, "generate: --prompt");
  check(options.generation.sampling);
  kernels::prepare_thread();
  const Writer writer{std::filesystem::path(options.model)};
  if (const Index forgotten = writer.forgotten(options.prompt); forgotten > 0) {
    std::cerr << cat("dhyan: warning: --prompt is longer than the ", writer.config().transformer.longest,
                     " tokens the model sees at once; its first ", forgotten, " are forgotten\n");
  }
  Index number = 0;
  for (const Continued& text : writer.write(options.prompt, options.generation)) {
    ++number;
    if (options.json) {
      output.write(to_json(text, options.prompt));
      continue;
    }
    if (options.generation.count > 1) output.write(cat(number > 1 ? "\n" : "", "== ", number, '\n'));
    output.write(cat(options.prompt, text.text, '\n'));
  }
}

Runner add_generate_options(CLI::App& command) {
  const auto options = std::make_shared<GenerateOptions>();
  command.add_option("-m,--model", options->model, "Folder of a language model")->type_name("DIR")->required();
  command.add_option("-p,--prompt", options->prompt, "Text to continue (default: start a new text)")->type_name("TEXT");
  for (const OptionOf<GenerationOptions>& option : generation_option_table()) {
    add_table_option(command, option, options->generation);
  }
  command.add_flag("--json", options->json, "Write one JSON object per text");
  options->generation.sampling.poll = throw_if_interrupted;
  return [options](Output& output) { generate(*options, output); };
}

}  // namespace

Command generate_command() {
  return {"generate",
          "Continue a text with a language model",
          {"dhyan train --preset gpt-nano --train text.txt -o gpt", "dhyan generate -m gpt --prompt \"O Romeo, \"",
           "dhyan generate -m gpt --prompt \"To be\" --temperature 0.8 --top-k 40 --seed 7 -n 3"},
          add_generate_options};
}

}  // namespace dhyan::cli
