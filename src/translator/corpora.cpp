#include "translator/corpora.h"

#include "core/error.h"
#include "data/build_cache.h"
#include "data/content_hash.h"
#include "data/phrasebook.h"

namespace dhyan {

namespace {

class PhrasebookPairs final : public PairSource {
 public:
  explicit PhrasebookPairs(std::shared_ptr<const std::vector<PhrasePair>> phrases) : phrases_(std::move(phrases)) {}

  bool next(SentencePair& pair) override {
    if (at_ == phrases_->size()) return false;
    const PhrasePair& phrase = (*phrases_)[at_++];
    pair.source = phrase.source;
    pair.target = phrase.target;
    pair.line = at_;
    return true;
  }

 private:
  std::shared_ptr<const std::vector<PhrasePair>> phrases_;
  std::size_t at_ = 0;
};

CorpusInput phrasebook_corpus(const std::string& languages, Part part) {
  auto phrases = std::make_shared<const std::vector<PhrasePair>>(phrasebook(languages, part));
  ContentHash hash;
  for (const PhrasePair& phrase : *phrases) {
    for (const std::string* text : {&phrase.source, &phrase.target}) {
      hash.add(text->size()).add(std::as_bytes(std::span(*text)));
    }
  }
  return {cat("the phrasebook ", languages, " (", kPartNames[static_cast<std::size_t>(part)], ")"), 1, hash.value(),
          [phrases] { return std::make_unique<PhrasebookPairs>(phrases); }};
}

CorpusInput file_corpus(const CorpusSpec& spec, const ReadOptions& reading) {
  std::string name = spec.files.front();
  if (spec.files.size() == 2) name += cat(" and ", spec.files.back());
  CorpusInput corpus{name, 1, corpus_fingerprint(spec, reading), [=] { return open_pairs(spec, reading); }};
  if (!corpus.open()->has_targets()) {
    throw DataError(cat(name,
                        ": plain text, expected sentences with their translations: a second file beside it, "
                        "or tabs between source and target"));
  }
  return corpus;
}

std::vector<CorpusInput> file_corpora(const std::vector<std::string>& files, const DataConfig& config,
                                      const std::function<void()>& poll) {
  const ReadOptions reading{.on_bad_utf8 = config.on_bad_utf8,
                            .on_bad_columns = config.on_bad_columns,
                            .source_language = config.source_language,
                            .target_language = config.target_language,
                            .poll = poll};
  std::vector<CorpusInput> corpora;
  for (const CorpusSpec& spec : group_files(files, config.format)) corpora.push_back(file_corpus(spec, reading));
  return corpora;
}

}  // namespace

std::vector<CorpusInput> training_corpora(const DataConfig& config, const std::function<void()>& poll) {
  std::vector<CorpusInput> corpora = config.train.empty()
                                         ? std::vector{phrasebook_corpus(config.phrasebook, Part::kTrain)}
                                         : file_corpora(config.train, config, poll);
  if (!config.weights.empty() && config.weights.size() != corpora.size()) {
    throw ConfigError(cat("train-weights has ", config.weights.size(), " numbers for ", corpora.size(),
                          " corpora; expected one for each"));
  }
  for (std::size_t i = 0; i < config.weights.size(); ++i) corpora[i].weight = config.weights[i];
  return corpora;
}

std::vector<CorpusInput> validation_corpora(const DataConfig& config, const std::function<void()>& poll) {
  if (config.valid.empty() && config.train.empty()) return {phrasebook_corpus(config.phrasebook, Part::kDev)};
  return file_corpora(config.valid, config, poll);
}

}  // namespace dhyan
