#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/parameter.h"
#include "backbones/backbone.h"
#include "core/rng.h"

namespace dhyan {

// The settings of all backbones; each uses its own.
struct BackboneSettings {
  Index image_size = 64;   // height and width of a picture, for backbones trained from scratch
  Index patch_size = 8;    // height and width of a patch
  Index width = 64;        // of an annotation, for backbones trained from scratch
  Index grid_size = 7;     // height and width of the grid of a pretrained backbone
  Index tuned_blocks = 0;  // last blocks of a pretrained backbone that are trained; 0: it is frozen
};

// The table of backbones.
struct BackboneEntry {
  std::string_view name;
  std::string_view description;
  // ConfigError for unusable settings.
  std::unique_ptr<Backbone> (*make)(ParameterSet& parameters, const std::string& name, const BackboneSettings& settings,
                                    const Rng& rng);
  double (*least_weights)(const BackboneSettings& settings);  // a lower bound on the number of weights
  // Reads the weights of the backbone `name` from a file. ModelFileError for a file with other weights. Null: not
  // pretrained.
  void (*load)(const std::filesystem::path& path, ParameterSet& parameters, const std::string& name) = nullptr;
  // The frozen parameters of the backbone `name`, as patterns of training/freeze.h. Null: none.
  std::vector<std::string> (*frozen)(const BackboneSettings& settings, const std::string& name) = nullptr;

  bool pretrained() const { return load != nullptr; }
};
std::span<const BackboneEntry> backbones();

struct BackboneShape {
  GridShape picture, grid;
  Index width = 0;
};

// The shapes of a backbone by name. ConfigError for unusable settings.
BackboneShape backbone_shape(std::string_view name, const BackboneSettings& settings);

}  // namespace dhyan
