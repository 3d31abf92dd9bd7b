#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>

#include "cli/command.h"
#include "cli/suggest.h"
#include "core/error.h"
#include "explain/worked_example.h"

namespace dhyan::cli {

namespace {

struct Example {
  std::string name;
  std::string summary;
  std::string (*text)(Colour colour);
};

std::vector<Example> examples() {
  return {
      {"self-attention", "three tokens attend to each other, every number shown",
       [](Colour colour) { return to_text(self_attention_example(), colour); }},
  };
}

void explain(const std::string& name, Output& output) {
  std::vector<std::string> names;
  for (const Example& example : examples()) {
    if (example.name == name) return output.write(example.text(output.colour() ? Colour::kYes : Colour::kNo));
    names.push_back(example.name);
  }
  std::string known = suggestion(name, names);
  if (known.empty()) {
    known = "; there is:";
    for (const std::string& other : names) known += " " + other;
  }
  throw UsageError(cat("explain: there is no example '", name, "'", known));
}

Runner add_explain_options(CLI::App& command) {
  std::string help = "Worked example to print:";
  for (const Example& example : examples()) help += cat(" ", example.name, " (", example.summary, ")");
  const auto name = std::make_shared<std::string>(examples().front().name);
  command.add_option("--example", *name, help)->type_name("NAME")->capture_default_str();
  return [name](Output& output) { explain(*name, output); };
}

}  // namespace

Command explain_command() {
  return {"explain",
          "Show how attention computes, step by step",
          {"dhyan explain --example self-attention"},
          add_explain_options};
}

}  // namespace dhyan::cli
