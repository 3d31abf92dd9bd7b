#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/build_cache.h"
#include "data/pairs.h"
#include "models/aligner_config.h"
#include "models/recurrent_config.h"
#include "models/transformer_config.h"
#include "phrasebook/phrasebook.h"
#include "phrasebook/scene_words.h"
#include "text/tokenizer_choice.h"
#include "text/tokenizer_factory.h"
#include "training/training_options.h"

namespace dhyan {

struct TokenizerConfig {
  std::string kind{kChosenKind};  // in the table of kinds, or "auto": chosen from the corpus when training starts
  bool shared = false;            // one vocabulary for both languages
  TokenizerOptions settings = {};
  bool sampled = false;  // subwords: sample another segmentation of a line each time it is used
  SubwordSampling sampling = {};
  std::string from;        // a model's folder to take the tokenizers from; empty: learn them from the data
  bool shortlist = false;  // of an imported model: its folder has one
};

struct DataConfig {
  std::vector<std::string> train;             // files, see group_files(); empty: the built-in phrasebook
  std::vector<double> weights;                // of the corpora in train; empty: 1 each
  std::vector<std::string> valid;             // files
  std::vector<std::string> guided_alignment;  // a Pharaoh file for each corpus in train, or "phrasebook" or
                                              // "picturebook"; empty: none
  std::string phrasebook = "hi-en";
  Index max_words = kUsualWords;                                        // of its sentences
  picturebook::Language picturebook = picturebook::Language::kEnglish;  // of the built-in picture book's captions
  Index scenes = 20000;                                                 // of the picture book, in an epoch
  std::string images;                                                   // folder of the pictures that captions name
  std::string picture_cache;  // folder for decoded pictures and features; empty: with the model's training state
  CorpusFormat format = CorpusFormat::kGuess;
  OnBadUtf8 on_bad_utf8 = OnBadUtf8::kError;
  OnBadColumns on_bad_columns = OnBadColumns::kError;
  std::string source_language;  // codes such as "hi", of TMX files and of the model; empty: not known, or derived from
  std::string target_language;  // the names of files when training starts
  Index max_length = 100;       // tokens per side
  Overlong overlong = Overlong::kDrop;
};

// Settings of validations.
struct ValidationConfig {
  std::vector<std::string> metrics;  // in the table of validation metrics; loss and perplexity are always measured
  Index beam_size = 1;               // for translations
  Index sentences = 500;             // most sentences to translate; 0: all
  Index samples = 3;                 // sentences whose translation and attention are saved
  std::string alignments;            // Pharaoh file of gold alignments; empty: none
};

// The kinds of models that a config can name, see model_kinds.h: the built-in ones, or a longer table of the caller's.
struct ModelKind;
std::span<const ModelKind> model_kinds();
using ModelKindTable = std::span<const ModelKind> (*)();

// All settings of a model and its training. Each is an option with a name: see options.h.
struct Config {
  std::string model = "recurrent";  // in the table `kinds`
  ModelKindTable kinds = model_kinds;
  std::string init_from;        // a model's folder to take tokenizers and weights from; empty: none
  std::string encoder_weights;  // a file with the weights of a pretrained backbone
  ModelConfig common = {};      // settings of every kind of model; vocabularies come from the tokenizers
  RecurrentSettings recurrent = {};
  TransformerSettings transformer = {};
  AlignerSettings aligner = {};
  TokenizerConfig tokenizer = {};
  DataConfig data = {};
  ValidationConfig validation = {};
  TrainingOptions training = {};
};

// Adds settings that follow from others: metric aer with cross-attention and gold alignments, metric true-captions with
// the picture book.
void complete(Config& config);

// Throws ConfigError for a model that cannot be built or trained, except for errors that depend on the data.
void check(const Config& config);

// Throws ConfigError for settings that need held-out corpora; needs the number of those.
void check_held_out(const Config& config, std::size_t corpora);

}  // namespace dhyan
