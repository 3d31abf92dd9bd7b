#include "runs/readme.h"

#include <cmath>
#include <iomanip>

#include "core/error.h"
#include "core/pluralize.h"

namespace dhyan {

namespace {

std::string number(Index value) { return grouped(static_cast<std::uint64_t>(value)); }

std::string list(const std::vector<CorpusFacts>& corpora, DataKind data_kind) {
  std::string text;
  for (const CorpusFacts& corpus : corpora) {
    const CacheCounts& counts = corpus.counts;
    const bool pairs = data_kind == DataKind::kPairs;
    text += cat("- ", corpus.name, ": ", pluralize(counts.pairs, pairs ? "pair" : "line"), ", ");
    text += pairs ? cat(grouped(counts.source_tokens), " source and ", pluralize(counts.target_tokens, "target token"))
                  : pluralize(counts.source_tokens, "token");
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

std::vector<std::string> what_to_type(const Config& config, const std::string& folder) {
  const bool phrases = config.data.train.empty();
  const auto example = [&](const char* sentence) { return cat(" \"", phrases ? sentence : "...", '"'); };
  const std::string evaluate = cat("dhyan evaluate -m ", folder);
  switch (model_kind(config).task) {
    case Task::kContinueText:
      return {cat("dhyan generate -m ", folder, " --prompt", example("I am ")),
              cat(evaluate, phrases ? "" : " --test TEXT")};
    case Task::kFillGaps:
      return {cat("dhyan fill -m ", folder, example("I am [MASK] food")), cat("dhyan embed -m ", folder, " SENTENCES"),
              cat(evaluate, phrases ? "" : " --test TEXT")};
    case Task::kTranslate:
      break;
  }
  const char* sentence = config.data.phrasebook == "hi-en" ? "मैं खाना खा रहा हूँ" : "je vais manger";
  return {cat("echo", example(sentence), " | dhyan translate -m ", folder),
          cat("dhyan explain -m ", folder, example(sentence)), cat(evaluate, phrases ? "" : " --test SOURCE TARGET")};
}

std::string readme(const TrainingRun& run) {
  const RunFacts& facts = run.facts();
  const DataKind data_kind = model_kind(run.config()).data_kind;
  std::string use;
  for (const std::string& command : what_to_type(run.config(), run.folder().string()))
    use += cat("    ", command, '\n');
  const TrainingState& state = run.state();
  return cat(kReadmeHeading, kReadmeIsRewritten, "\n", run.config().model, ", ", number(facts.weights),
             " weights; vocabularies of ", number(facts.source_vocabulary), " and ", number(facts.target_vocabulary),
             " tokens (", run.config().tokenizer.kind,
             "). Every option that applies is in config.json.\n\n## Trained on\n\n", list(facts.train, data_kind),
             "\nfor ", pluralize(static_cast<std::uint64_t>(state.step), "step"), " (",
             pluralize(state.position.epoch, "epoch"), ") in ", minutes(state.seconds), ".\n\n## Held out\n\n",
             list(facts.valid, data_kind), facts.held_out.empty() ? "" : "\n", list(facts.held_out), "\n## Use\n\n",
             use, "    dhyan train --resume -o ", run.folder().string(), "\n");
}

}  // namespace dhyan
