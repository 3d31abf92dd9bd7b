#include "runs/training_languages.h"

#include <algorithm>
#include <array>
#include <set>

#include "phrasebook/phrasebook.h"
#include "text/language_names.h"

namespace dhyan {

namespace {

constexpr std::size_t kTrigramPairs = 200'000, kTrigramBytes = 64 << 20;  // of all corpora

// "hi" for "train.hi.gz"; empty if the name contains no language.
std::string language_of(std::filesystem::path file) {
  constexpr std::array kOtherEndings{".gz", ".zst", ".txt", ".tsv"};
  while (std::ranges::find(kOtherEndings, file.extension()) != kOtherEndings.end()) file.replace_extension();
  const std::string extension = file.extension();
  if (extension.empty() || !is_known_language(extension.substr(1))) return {};
  return usual_spelling(extension.substr(1));
}

struct SideLanguages {
  std::string source, target;
};

SideLanguages built_in_languages(const DataConfig& config, DataKind data_kind) {
  if (data_kind == DataKind::kCaptions) {
    return {{}, std::string(picturebook::kLanguages[static_cast<std::size_t>(config.picturebook)].name)};
  }
  const std::size_t hyphen = config.phrasebook.find('-');
  const std::string source = config.phrasebook.substr(0, hyphen), target = config.phrasebook.substr(hyphen + 1);
  if (data_kind == DataKind::kPairs) return {source, target};
  return {has_english_source(config.phrasebook) ? source : target, {}};  // the plain text is the English side
}

// The language that the names of these files contain; empty if there is none or they differ.
std::string common_language(const std::vector<std::string>& files) {
  std::set<std::string> languages;
  for (const std::string& file : files) languages.insert(language_of(file));
  languages.erase("");
  return languages.size() == 1 ? *languages.begin() : "";
}

SideLanguages languages_of_files(const DataConfig& config, DataKind data_kind) {
  if (data_kind == DataKind::kCaptions) return {{}, common_language(config.train)};
  if (data_kind != DataKind::kPairs) return {common_language(config.train), {}};
  std::vector<std::string> sources, targets;
  for (const CorpusSpec& corpus : group_files(config.train, config.format)) {
    if (corpus.files.size() != 2) continue;
    sources.push_back(corpus.files[0]);
    targets.push_back(corpus.files[1]);
  }
  return {common_language(sources), common_language(targets)};
}

}  // namespace

void derive_languages(DataConfig& config, DataKind data_kind) {
  const SideLanguages found =
      config.train.empty() ? built_in_languages(config, data_kind) : languages_of_files(config, data_kind);
  if (config.source_language.empty()) config.source_language = found.source;
  if (config.target_language.empty()) config.target_language = found.target;
}

SideTrigrams trigrams_of(std::span<const CorpusInput> corpora, DataKind data_kind) {
  TrigramCounter source, target;
  for (const CorpusInput& corpus : corpora) {
    const std::unique_ptr<PairSource> pairs = corpus.open();
    SentencePair pair;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i * corpora.size() < kTrigramPairs && bytes * corpora.size() < kTrigramBytes; ++i) {
      if (!pairs->next(pair)) break;
      bytes += pair.source.size() + pair.target.size();
      if (data_kind != DataKind::kCaptions) source.add(pair.source);
      if (data_kind == DataKind::kCaptions || data_kind == DataKind::kPairs) target.add(pair.target);
    }
  }
  return {profile_of(source.counts()), profile_of(target.counts())};
}

}  // namespace dhyan
