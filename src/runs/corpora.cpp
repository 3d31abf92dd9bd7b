#include "runs/corpora.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "data/build_cache.h"
#include "data/captions.h"
#include "data/content_hash.h"
#include "phrasebook/phrasebook.h"
#include "runs/aligned_pairs.h"

namespace dhyan {

namespace {

// Lines of plain text, with the line as its own target for DataKind::kLines.
class TextLines final : public PairSource {
 public:
  TextLines(std::unique_ptr<PairSource> lines, DataKind data_kind) : lines_(std::move(lines)), data_kind_(data_kind) {}

  bool next(SentencePair& pair) override {
    if (!lines_->next(pair)) return false;
    if (has_targets()) pair.target = pair.source;
    return true;
  }
  bool has_targets() const override { return data_kind_ == DataKind::kLines; }
  ReadReport report() const override { return lines_->report(); }

 private:
  std::unique_ptr<PairSource> lines_;
  DataKind data_kind_;
};

constexpr Index kHeldOutScenes = 500;

class PhrasebookPairs final : public PairSource {
 public:
  explicit PhrasebookPairs(std::shared_ptr<const std::vector<PhrasePair>> phrases) : phrases_(std::move(phrases)) {}

  bool next(SentencePair& pair) override {
    if (at_ == phrases_->size()) return false;
    const PhrasePair& phrase = (*phrases_)[at_++];
    pair.source = phrase.source;
    pair.target = phrase.target;
    pair.line = at_;
    pair.links.assign(phrase.alignment.begin(), phrase.alignment.end());
    return true;
  }

 private:
  std::shared_ptr<const std::vector<PhrasePair>> phrases_;
  std::size_t at_ = 0;
};

// Reads the targets of another source as plain text.
class Translations final : public PairSource {
 public:
  explicit Translations(std::unique_ptr<PairSource> pairs) : pairs_(std::move(pairs)) {}

  bool next(SentencePair& pair) override {
    if (!pairs_->next(pair)) return false;
    pair.source = std::exchange(pair.target, {});
    return true;
  }

 private:
  std::unique_ptr<PairSource> pairs_;
};

std::unique_ptr<PairSource> for_data_kind(DataKind data_kind, std::unique_ptr<PairSource> text) {
  return std::make_unique<TextLines>(std::move(text), data_kind);
}

CorpusInput phrasebook_corpus(const DataConfig& config, Part part, DataKind data_kind) {
  const std::string& languages = config.phrasebook;
  auto phrases = std::make_shared<const std::vector<PhrasePair>>(phrasebook(languages, part, config.max_words));
  ContentHash hash;
  hash.add(static_cast<std::uint64_t>(data_kind));
  for (const PhrasePair& phrase : *phrases) {
    for (const std::string* text : {&phrase.source, &phrase.target}) {
      hash.add(text->size()).add(std::as_bytes(std::span(*text)));
    }
  }
  const auto open = [phrases, languages, data_kind]() -> std::unique_ptr<PairSource> {
    auto pairs = std::make_unique<PhrasebookPairs>(phrases);
    if (data_kind == DataKind::kPairs) return pairs;
    if (has_english_source(languages)) return for_data_kind(data_kind, std::move(pairs));
    return for_data_kind(data_kind, std::make_unique<Translations>(std::move(pairs)));
  };
  return {cat("the phrasebook ", languages, data_kind == DataKind::kPairs ? "" : ", its English", " (",
              kPartNames[static_cast<std::size_t>(part)], ")"),
          1, hash.value(), open};
}

CorpusInput picture_book(const DataConfig& config, Part part) {
  const bool aligned = part == Part::kTrain && !config.guided_alignment.empty();
  const PictureBookSpec spec{.language = config.picturebook,
                             .part = part,
                             .scenes = part == Part::kTrain ? config.scenes : kHeldOutScenes,
                             .aligned = aligned};
  return {.name = cat("the picture book ", picturebook::kLanguages[static_cast<std::size_t>(config.picturebook)].name,
                      " (", kPartNames[static_cast<std::size_t>(part)], ")"),
          .open = [spec] { return open_picture_book(spec); },
          .aligned = aligned,
          .scenes = spec};
}

std::vector<CorpusInput> caption_corpora(const std::vector<std::string>& files, Part part, const ReadOptions& reading) {
  std::vector<CorpusInput> corpora;
  for (const std::string& file : files) {
    const std::uint64_t fingerprint = ContentHash()
                                          .add(corpus_fingerprint({{file}, CorpusFormat::kTsv}, reading))
                                          .add(static_cast<std::uint64_t>(part))
                                          .value();
    corpora.push_back(
        {.name = file, .fingerprint = fingerprint, .open = [=] { return open_captions(file, part, reading); }});
  }
  return corpora;
}

// Validation captions inside the training files.
std::vector<std::string> files_with_split(const std::vector<std::string>& files, const ReadOptions& reading) {
  std::vector<std::string> split;
  std::ranges::copy_if(files, std::back_inserter(split),
                       [&](const std::string& file) { return has_split(file, reading); });
  return split;
}

CorpusInput file_corpus(const CorpusSpec& spec, DataKind data_kind, const ReadOptions& reading) {
  std::string name = spec.files.front();
  if (spec.files.size() == 2) name += cat(" and ", spec.files.back());
  const auto open = [=]() -> std::unique_ptr<PairSource> {
    auto lines = open_pairs(spec, reading);
    return data_kind == DataKind::kPairs ? std::move(lines) : for_data_kind(data_kind, std::move(lines));
  };
  CorpusInput corpus{name, 1, corpus_fingerprint(spec, reading), open};
  for (const std::string& file : spec.files) {
    if (std::filesystem::is_empty(file)) throw DataError(cat(file, ": is empty; expected lines of text"));
  }
  if (data_kind == DataKind::kPairs && !corpus.open()->has_targets()) {
    throw DataError(cat(name,
                        ": plain text, expected sentences with their translations: a second file beside it, "
                        "or tabs between source and target"));
  }
  return corpus;
}

CorpusInput built_in_corpus(const DataConfig& config, Part part, DataKind data_kind) {
  if (data_kind == DataKind::kCaptions) return picture_book(config, part);
  return phrasebook_corpus(config, part, data_kind);
}

// In plain text, every file is a corpus.
std::vector<CorpusSpec> specs_of(const std::vector<std::string>& files, const DataConfig& config, DataKind data_kind) {
  if (data_kind == DataKind::kPairs) return group_files(files, config.format);
  std::vector<CorpusSpec> specs;
  for (const std::string& file : files) specs.push_back({{file}, CorpusFormat::kPlain});
  return specs;
}

ReadOptions reading_of(const DataConfig& config, const std::function<void()>& poll) {
  return {.on_bad_utf8 = config.on_bad_utf8,
          .on_bad_columns = config.on_bad_columns,
          .source_language = config.source_language,
          .target_language = config.target_language,
          .poll = poll};
}

std::vector<CorpusInput> file_corpora(const std::vector<std::string>& files, const DataConfig& config,
                                      DataKind data_kind, Part part, const std::function<void()>& poll) {
  const ReadOptions reading = reading_of(config, poll);
  if (data_kind == DataKind::kCaptions) return caption_corpora(files, part, reading);
  std::vector<CorpusInput> corpora;
  for (const CorpusSpec& spec : specs_of(files, config, data_kind)) {
    corpora.push_back(file_corpus(spec, data_kind, reading));
  }
  return corpora;
}

// Alignments belong to lines; a TMX file has units instead.
void align(CorpusInput& corpus, const std::string& file, const ReadOptions& reading) {
  if (corpus.name.ends_with(".tmx")) {
    throw ConfigError(cat("guided-alignment needs a corpus with one pair per line; ", corpus.name, " is TMX"));
  }
  const CorpusSpec alignments{{file}, CorpusFormat::kPlain};
  corpus.fingerprint = ContentHash().add(corpus.fingerprint).add(corpus_fingerprint(alignments, reading)).value();
  corpus.open = [open = corpus.open, file, reading]() -> std::unique_ptr<PairSource> {
    return std::make_unique<AlignedPairs>(open(), file, reading);
  };
  corpus.aligned = true;
}

void align(std::vector<CorpusInput>& corpora, const DataConfig& config, DataKind data_kind,
           const ReadOptions& reading) {
  const std::vector<std::string>& files = config.guided_alignment;
  if (files.empty()) return;
  if (config.train.empty()) {
    const std::string book = data_kind == DataKind::kCaptions ? "picturebook" : "phrasebook";
    if (files != std::vector{book}) {
      throw ConfigError(cat("guided-alignment is ", files.front(), "; expected '", book, "' for the built-in corpus"));
    }
    corpora.front().aligned = true;
    return;
  }
  if (data_kind == DataKind::kCaptions) {
    throw ConfigError("guided-alignment of pictures needs the regions of words, which only the picture book has");
  }
  if (files.size() != corpora.size()) {
    throw ConfigError(
        cat("guided-alignment has ", files.size(), " files for ", corpora.size(), " corpora; expected one for each"));
  }
  for (std::size_t i = 0; i < files.size(); ++i) align(corpora[i], files[i], reading);
}

}  // namespace

std::vector<CorpusInput> training_corpora(const DataConfig& config, DataKind data_kind,
                                          const std::function<void()>& poll) {
  std::vector<CorpusInput> corpora = config.train.empty()
                                         ? std::vector{built_in_corpus(config, Part::kTrain, data_kind)}
                                         : file_corpora(config.train, config, data_kind, Part::kTrain, poll);
  if (!config.weights.empty() && config.weights.size() != corpora.size()) {
    throw ConfigError(cat("train-weights has ", config.weights.size(), " values for ", corpora.size(),
                          " corpora; expected one for each"));
  }
  for (std::size_t i = 0; i < config.weights.size(); ++i) corpora[i].weight = config.weights[i];
  align(corpora, config, data_kind, reading_of(config, poll));
  return corpora;
}

std::vector<CorpusInput> validation_corpora(const DataConfig& config, DataKind data_kind,
                                            const std::function<void()>& poll) {
  if (config.valid.empty() && config.train.empty()) return {built_in_corpus(config, Part::kDev, data_kind)};
  const bool split = data_kind == DataKind::kCaptions && config.valid.empty();
  return file_corpora(split ? files_with_split(config.train, reading_of(config, poll)) : config.valid, config,
                      data_kind, Part::kDev, poll);
}

}  // namespace dhyan
