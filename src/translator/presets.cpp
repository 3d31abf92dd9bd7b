#include "translator/presets.h"

#include <algorithm>

#include "core/choice.h"
#include "core/error.h"
#include "core/suggest.h"

namespace dhyan {

std::string_view summary(const PresetText& preset) {
  std::string_view line = preset.yaml.substr(0, preset.yaml.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  return line;
}

std::vector<Setting> preset(std::string_view name) {
  const auto found = std::ranges::find(preset_texts(), name, &PresetText::name);
  if (found != preset_texts().end()) return parse_yaml(cat("preset ", name), found->yaml);
  const std::vector<std::string> names = names_of(preset_texts());
  std::string known;
  for (const std::string& one : names) known += cat(known.empty() ? "" : ", ", one);
  throw UsageError(cat("there is no preset '", name, "'", suggestion(name, names), " Presets: ", known));
}

std::vector<Setting> phrasebook_settings() {
  return parse_yaml("the phrasebook's settings", "tokenizer: word\nbatch-tokens: 1000\nmax-epochs: 6\n");
}

}  // namespace dhyan
