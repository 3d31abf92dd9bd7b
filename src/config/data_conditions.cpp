#include "config/model_kinds.h"
#include "config/option_conditions.h"
#include "core/error.h"

namespace dhyan::option_table {

namespace {

bool reads_files(const Config& config) { return !config.data.train.empty() || !config.data.valid.empty(); }

// Every kind except words and characters has subwords, also the kind that is chosen later.
bool has_subwords(const Config& config) { return !is_one_of(config.tokenizer.kind, {"word", "char"}); }

bool learns_tokenizers(const Config& config) { return config.tokenizer.from.empty() && config.init_from.empty(); }

std::string running_text(const Config& config) {
  return cat("model is ", config.model, ", which reads text in stretches of context-length tokens");
}

std::string tokenizer_in_use(const Config& config) {
  if (!config.tokenizer.from.empty()) return cat("the tokenizers are taken from ", config.tokenizer.from);
  if (!config.init_from.empty()) return cat("the tokenizers are taken from ", config.init_from);
  return cat("tokenizer is ", config.tokenizer.kind);
}

std::string vocabularies_in_use(const Config& config) {
  if (reads_pictures(config)) return "the source is a picture";
  return translates(config) ? tokenizer_in_use(config) : plain_text_in_use(config);
}

std::string sampling_in_use(const Config& config) {
  return config.tokenizer.sampled || !has_subwords(config) ? cat("tokenizer is ", config.tokenizer.kind)
                                                           : "subword-sampling is false";
}

std::string phrasebook_in_use(const Config& config) {
  return cat("train names no file, so that the built-in ", reads_pictures(config) ? "picture book" : "phrasebook",
             " is used");
}

std::string pairs_in_use(const Config& config) {
  return translates(config) ? phrasebook_in_use(config) : plain_text_in_use(config);
}

std::string files_in_use(const Config& config) {
  if (!config.data.train.empty()) return cat("train names ", config.data.train.front());
  return reads_pictures(config) ? "the model reads pictures" : "the model reads text";
}

std::string captions_in_use(const Config& config) {
  return reads_pictures(config) ? phrasebook_in_use(config) : "the model reads text";
}

std::string text_pairs_in_use(const Config& config) {
  return reads_pictures(config) ? "the model reads pictures" : pairs_in_use(config);
}

}  // namespace

constinit const Condition kPairedVocabularies{
    [](const Config& config) { return translates(config) && !reads_pictures(config) && learns_tokenizers(config); },
    "two vocabularies to learn", vocabularies_in_use};

constinit const Condition kLearnedTokenizer{learns_tokenizers, "tokenizers to learn", tokenizer_in_use};

constinit const Condition kLearnedSubwords{
    [](const Config& config) { return learns_tokenizers(config) && has_subwords(config); },
    "subwords to learn (tokenizer unigram or bpe)", tokenizer_in_use};

constinit const Condition kLearnedWords{
    [](const Config& config) {
      return learns_tokenizers(config) && !is_one_of(config.tokenizer.kind, {"unigram", "bpe", kChosenKind});
    },
    "words or characters to learn (tokenizer word or char)", tokenizer_in_use};

constinit const Condition kSubwords{has_subwords, "tokenizer unigram or bpe", tokenizer_in_use};

constinit const Condition kImportedPieces{
    [](const Config& config) { return config.tokenizer.shortlist || config.tokenizer.kind == "pieces"; },
    "tokenizer pieces, of an imported model", tokenizer_in_use};

constinit const Condition kUnigramSampling{[](const Config& config) {
                                             return config.tokenizer.sampled && has_subwords(config) &&
                                                    config.tokenizer.kind != "bpe";
                                           },
                                           "subword-sampling with tokenizer unigram", sampling_in_use};

constinit const Condition kBpeSampling{[](const Config& config) {
                                         return config.tokenizer.sampled && has_subwords(config) &&
                                                config.tokenizer.kind != "unigram";
                                       },
                                       "subword-sampling with tokenizer bpe", sampling_in_use};

constinit const Condition kCorpusFiles{reads_files, "files to train on", phrasebook_in_use};

constinit const Condition kTrainingFiles{[](const Config& config) { return !config.data.train.empty(); },
                                         "files to train on", phrasebook_in_use};

constinit const Condition kPairFiles{[](const Config& config) { return translates(config) && reads_files(config); },
                                     "files of sentence pairs to train on", pairs_in_use};

constinit const Condition kTextPairFiles{
    [](const Config& config) { return translates(config) && !reads_pictures(config) && reads_files(config); },
    "files of sentence pairs to train on", text_pairs_in_use};

constinit const Condition kSourceText{[](const Config& config) { return !reads_pictures(config); },
                                      "a model that reads text",
                                      [](const Config&) { return std::string("the model reads pictures"); }};

constinit const Condition kPhrasebook{
    [](const Config& config) { return config.data.train.empty() && !reads_pictures(config); },
    "a training on the built-in phrasebook", files_in_use};

constinit const Condition kPictureBook{
    [](const Config& config) { return config.data.train.empty() && reads_pictures(config); },
    "a training on the built-in picture book", files_in_use};

constinit const Condition kCaptionFiles{
    [](const Config& config) { return reads_pictures(config) && reads_files(config); }, "files of captions to train on",
    captions_in_use};

constinit const Condition kSentences{[](const Config& config) { return data_kind_of(config) != DataKind::kText; },
                                     "a model of sentences", running_text};

}  // namespace dhyan::option_table
