#include "config/presets.h"

#include <algorithm>

#include "config/model_kinds.h"
#include "config/options.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/suggest.h"

namespace dhyan {

namespace {

// For corpora of some ten or hundred thousand pairs.
constexpr std::string_view kForCorpora = R"yaml(
batch-tokens: 2000
label-smoothing: 0.1
schedule: plateau
decay-patience: 0
decay-threshold: 1e-2
max-epochs: 30
patience: 4
)yaml";

// For a small, known vocabulary and short sentences; takes a minute on two cores.
constexpr std::string_view kForPhrasebook = R"yaml(
embedding: 128
hidden: 128
readout-hidden: 128
tokenizer: word
batch-tokens: 1000
schedule: cosine
learning-rate: 3e-3
warmup-steps: 50
total-steps: 1044
final-rate: 1e-4
max-epochs: 6
)yaml";

}  // namespace

std::string_view summary(const PresetText& preset) {
  std::string_view line = preset.yaml.substr(0, preset.yaml.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  return line;
}

std::vector<Setting> preset(std::string_view name) {
  const auto found = std::ranges::find(preset_texts(), name, &PresetText::name);
  if (found != preset_texts().end()) return parse_yaml(cat("preset ", name), found->yaml);
  throw UsageError(unknown_name("preset", name, names_of(preset_texts())));
}

std::vector<Setting> corpus_settings() { return parse_yaml("settings for corpora", kForCorpora); }

std::vector<Setting> phrasebook_settings() { return parse_yaml("settings for the phrasebook", kForPhrasebook); }

std::vector<Setting> phrasebook_pace(const Config& config) {
  return parse_yaml("pace for the phrasebook", model_kind(config).phrasebook_pace);
}

Config config_of(std::string_view preset_name, CorpusOf corpus) {
  Config config;
  assign(config, corpus == CorpusOf::kBuiltIn ? phrasebook_settings() : corpus_settings());
  assign(config, preset(preset_name));
  if (corpus == CorpusOf::kBuiltIn && !reads_pictures(config)) assign(config, phrasebook_pace(config));
  return config;
}

}  // namespace dhyan
