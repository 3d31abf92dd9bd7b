#include "runs/readme.h"

#include <cmath>
#include <iomanip>

#include "core/error.h"
#include "core/pluralize.h"
#include "text/language_names.h"

namespace dhyan {

namespace {

std::string number(Index value) { return grouped(static_cast<std::uint64_t>(value)); }

std::string list(const std::vector<CorpusFacts>& corpora, DataKind data_kind) {
  std::string text;
  for (const CorpusFacts& corpus : corpora) {
    const CacheCounts& counts = corpus.counts;
    text += cat("- ", corpus.name, ": ", pluralize(counts.pairs, unit_of(data_kind)), ", ");
    if (data_kind == DataKind::kPairs) text += cat(grouped(counts.source_tokens), " source and ");
    const bool has_targets = data_kind == DataKind::kPairs || data_kind == DataKind::kCaptions;
    text += has_targets ? pluralize(counts.target_tokens, data_kind == DataKind::kPairs ? "target token" : "token")
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

std::string vocabularies(const RunFacts& facts, DataKind data_kind) {
  if (data_kind == DataKind::kCaptions) return cat("a vocabulary of ", number(facts.target_vocabulary));
  return cat("vocabularies of ", number(facts.source_vocabulary), " and ", number(facts.target_vocabulary));
}

// "Languages: Hindi (hi) to English (en)."
std::string languages(const DataConfig& data) {
  const auto named = [](const std::string& code) { return cat(language_name(code), " (", code, ")"); };
  const std::string &source = data.source_language, &target = data.target_language;
  if (source.empty() && target.empty()) return {};
  if (source.empty() || target.empty()) return cat("Language: ", named(source.empty() ? target : source), ".\n\n");
  return cat("Languages: ", named(source), " to ", named(target), ".\n\n");
}

std::string minutes(double seconds) { return cat(fixed(seconds / 60, 1), " minutes"); }

}  // namespace

std::vector<std::string> what_to_type(const Config& config, const std::string& folder) {
  const bool phrases = config.data.train.empty();
  const auto example = [&](const char* sentence) { return cat(" \"", phrases ? sentence : "...", '"'); };
  const std::string evaluate = cat("dhyan evaluate -m ", folder);
  switch (task_of(config)) {
    case Task::kContinueText:
      return {cat("dhyan generate -m ", folder, " --prompt", example("I am ")),
              cat(evaluate, phrases ? "" : " --test TEXT")};
    case Task::kFillGaps:
      if (config.transformer.masked.head == MaskedHead::kNone) {
        return {cat("dhyan embed -m ", folder, " SENTENCES"), cat("dhyan explain -m ", folder, example("I am eating"))};
      }
      return {cat("dhyan fill -m ", folder, example("I am [MASK] food")), cat("dhyan embed -m ", folder, " SENTENCES"),
              cat(evaluate, phrases ? "" : " --test TEXT")};
    case Task::kCaption:
      return {cat("dhyan caption -m ", folder,
                  phrases ? " --scene \"small red circle above large blue square\"" : " PICTURES"),
              cat("dhyan explain -m ", folder,
                  phrases ? " --scene \"small red circle above large blue square\"" : " PICTURE"),
              cat(evaluate, phrases ? "" : " --test CAPTIONS --images DIR")};
    case Task::kTranslate:
      break;
  }
  if (model_kind(config).aligns) {
    return {cat("dhyan align -m ", folder, " SOURCE TARGET"),
            cat("dhyan align -m ", folder, " --reverse OTHER SOURCE TARGET --symmetrize average")};
  }
  const char* sentence = config.data.phrasebook == "hi-en"   ? "मैं खाना खा रहा हूँ"
                         : config.data.phrasebook == "fr-en" ? "je vais manger"
                                                             : "the hen avoided this street because it was afraid";
  return {cat("echo", example(sentence), " | dhyan translate -m ", folder),
          cat("dhyan explain -m ", folder, example(sentence)), cat(evaluate, phrases ? "" : " --test SOURCE TARGET")};
}

std::string readme(const TrainingRun& run) {
  const RunFacts& facts = run.facts();
  const DataKind data_kind = data_kind_of(run.config());
  std::string use;
  for (const std::string& command : what_to_type(run.config(), run.folder().string()))
    use += cat("    ", command, '\n');
  const TrainingState& state = run.state();
  return cat(kReadmeHeading, kReadmeIsRewritten, "\n", run.config().model, ", ", number(facts.weights), " weights; ",
             vocabularies(facts, data_kind), " tokens (", run.config().tokenizer.kind,
             "). Every option that applies is in config.json.\n\n", languages(run.config().data), "## Trained on\n\n",
             list(facts.train, data_kind), "\nfor ", pluralize(static_cast<std::uint64_t>(state.step), "step"), " (",
             pluralize(state.position.epoch, "epoch"), ") in ", minutes(state.seconds), ".\n\n## Held out\n\n",
             list(facts.valid, data_kind), facts.held_out.empty() ? "" : "\n", list(facts.held_out), "\n## Use\n\n",
             use, "    dhyan train --resume -o ", run.folder().string(), "\n");
}

}  // namespace dhyan
