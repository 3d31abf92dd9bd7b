#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/text_input.h"
#include "core/error.h"
#include "core/number_text.h"
#include "data/lines.h"
#include "kernels/simd/runtime.h"
#include "translator/text_models.h"

namespace dhyan::cli {

namespace {

struct EmbedOptions {
  std::string model;
  std::string input = "-";
};

std::string joined(const std::vector<Real>& vector) {
  std::string line;
  for (const Real x : vector) line += cat(line.empty() ? "" : "\t", number_text(double{x}));
  return line + '\n';
}

// Writes one vector per line of text, in order.
void embed(const EmbedOptions& options, Output& output) {
  kernels::prepare_thread();
  std::optional<ProgressBar> bar;
  if (!output.is_terminal()) bar.emplace("embedding");
  const std::optional<std::uint64_t> total = bar ? count_lines(options.input) : std::nullopt;
  const Filler filler{std::filesystem::path(options.model)};
  LineReader input(options.input, {.poll = throw_if_interrupted});
  Index number = 0;
  for (std::string_view line; input.next(line);) {
    const std::string text(line);
    ++number;
    try {
      output.write(joined(filler.embed(std::span(&text, 1)).front()));
    } catch (const DataError& error) {
      throw DataError(cat(input.name(), ":", number, ": ", error.what()));
    }
    if (bar) bar->update(static_cast<std::uint64_t>(number), total, "sentences");
  }
}

Runner add_embed_options(CLI::App& command) {
  const auto options = std::make_shared<EmbedOptions>();
  command.add_option("-m,--model", options->model, "Folder of a masked language model")->type_name("DIR")->required();
  command.add_option("input", options->input, "Sentences, one per line (default: standard input)")->type_name("FILE");
  return [options](Output& output) { embed(*options, output); };
}

}  // namespace

Command embed_command() {
  return {"embed",
          "Compute sentence vectors with a masked language model",
          {"echo \"I am eating food\" | dhyan embed -m bert", "dhyan embed -m bert sentences.txt > vectors.tsv"},
          add_embed_options};
}

}  // namespace dhyan::cli
