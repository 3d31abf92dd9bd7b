#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "data/picture_source.h"
#include "runs/corpora.h"
#include "runs/run_observer.h"

namespace dhyan {

// The pictures of the captions that a model is trained on or validated with.
struct TrainingPictures {
  std::shared_ptr<const PictureSource> pictures;
  std::shared_ptr<const Tokenizer> names;  // name to number; null for scenes, which have numbers only
  GridShape grid;                          // the grid of annotations
};

struct PictureSettings {
  std::filesystem::path caches;   // folder for decoded pictures, unless the config names one
  std::filesystem::path resumed;  // folder of the training to resume; its state has the backbone's weights
  ThreadPool* pool = nullptr;
  std::function<void()> poll = {};
};

// Decodes the pictures of all corpora; with a frozen backbone, to its features. Notes name unreadable pictures, whose
// captions are left out. DataError if none can be read.
TrainingPictures training_pictures(const Config& config, std::span<const CorpusInput> corpora,
                                   const PictureSettings& settings, RunObserver& observer);

// The prefix, before a dot, of the names of a backbone's parameters.
inline constexpr const char* kBackboneParameters = "encoder.backbone";

// Whether the weights of a config's backbone come from a file.
bool has_pretrained_backbone(const Config& config);

// Reads the weights of a pretrained backbone from the model that init-from names, if it has all of them, or else from
// the file of encoder-weights; returns the file. ConfigError if neither has them.
std::filesystem::path load_backbone(const Config& config, ParameterSet& parameters);

}  // namespace dhyan
