#include "translator/readme.h"

#include <cmath>
#include <iomanip>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

namespace {

std::string number(Index value) { return grouped(static_cast<std::uint64_t>(value)); }

std::string list(const std::vector<CorpusFacts>& corpora) {
  std::string text;
  for (const CorpusFacts& corpus : corpora) {
    text += cat("- ", corpus.name, ": ", grouped(corpus.counts.pairs), " pairs, ", grouped(corpus.counts.source_tokens),
                " source and ", grouped(corpus.counts.target_tokens), " target tokens");
    if (corpus.weight != 1) text += cat(", weight ", corpus.weight);
    text += '\n';
  }
  return text.empty() ? "- none\n" : text;
}

std::string list(const std::vector<NamedScore>& metrics) {
  std::ostringstream text;
  text << std::setprecision(4);
  for (const NamedScore& metric : metrics) text << "- " << metric.name << ": " << metric.value << '\n';
  return std::move(text).str();
}

std::string minutes(double seconds) { return cat(fixed(seconds / 60, 1), " minutes"); }

}  // namespace

std::string readme(const TrainingRun& run) {
  const RunFacts& facts = run.facts();
  const TrainingState& state = run.state();
  const std::string folder = run.folder().string();
  return cat("# A translation model of dhyan\n\n", run.config().model, ", ", number(facts.weights),
             " weights; vocabularies of ", number(facts.source_vocabulary), " and ", number(facts.target_vocabulary),
             " tokens (", run.config().tokenizer.kind, "). Every option is in config.json.\n\n## Trained on\n\n",
             list(facts.train), "\nfor ", number(state.step), " steps (",
             number(static_cast<Index>(state.position.epoch)), " epochs) in ", minutes(state.seconds),
             ".\n\n## Held out\n\n", list(facts.valid), facts.held_out.empty() ? "" : "\n", list(facts.held_out),
             "\n## Use\n\n    echo \"...\" | dhyan translate -m ", folder, "\n    dhyan explain -m ", folder,
             " \"...\"\n    dhyan evaluate -m ", folder, " --test SOURCE TARGET\n    dhyan train --resume -o ", folder,
             "\n");
}

}  // namespace dhyan
