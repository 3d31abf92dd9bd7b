#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "core/error.h"
#include "core/number_text.h"
#include "kernels/simd/runtime.h"
#include "text/unicode.h"
#include "translator/text_models.h"

namespace dhyan::cli {

namespace {

struct FillOptions {
  std::string model;
  std::string text;
  Index candidates = 5;
  bool json = false;
};

std::string to_table(const Filled& filled) {
  std::string text;
  for (std::size_t gap = 0; gap < filled.gaps.size(); ++gap) {
    if (filled.gaps.size() > 1) text += cat(gap > 0 ? "\n" : "", "gap ", gap + 1, '\n');
    for (const Filling& filling : filled.gaps[gap]) {
      text += cat("  ", fixed(filling.probability, 4), "  ", filling.text, '\n');
    }
  }
  return cat(text, '\n', filled.text, '\n');
}

std::string to_json(const Filled& filled) {
  nlohmann::ordered_json gaps = nlohmann::ordered_json::array();
  for (const std::vector<Filling>& best : filled.gaps) {
    nlohmann::ordered_json& gap = gaps.emplace_back(nlohmann::ordered_json::array());
    for (const Filling& filling : best) {
      gap.push_back({{"token", filling.text}, {"probability", filling.probability}});
    }
  }
  const nlohmann::ordered_json all{{"text", filled.text}, {"gaps", gaps}};
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

void fill(const FillOptions& options, Output& output) {
  require_utf8(options.text, "fill");
  kernels::prepare_thread();
  const Filler filler{std::filesystem::path(options.model)};
  const Filled filled = filler.fill(options.text, options.candidates);
  output.write(options.json ? to_json(filled) : to_table(filled));
}

Runner add_fill_options(CLI::App& command) {
  const auto options = std::make_shared<FillOptions>();
  command.add_option("-m,--model", options->model, "Folder of a masked language model")->type_name("DIR")->required();
  command.add_option("text", options->text, cat("Sentence with ", Filler::kGap, " in place of each token to fill in"))
      ->type_name("TEXT")
      ->required();
  command.add_option("-n,--candidates", options->candidates, "Number of candidates for each [MASK]")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag("--json", options->json, "Print JSON");
  return [options](Output& output) { fill(*options, output); };
}

}  // namespace

Command fill_command() {
  return {"fill",
          "Fill in masked words with a masked language model",
          {"dhyan train --preset bert-nano --train text.txt -o bert", "dhyan fill -m bert \"I am [MASK] food\""},
          add_fill_options};
}

}  // namespace dhyan::cli
