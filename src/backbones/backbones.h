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

// The settings of all backbones; each reads those that it has.
struct BackboneSettings {
  Index image_size = 64;   // height and width of a picture, of a backbone that is trained from the beginning
  Index patch_size = 8;    // height and width of a patch
  Index width = 64;        // of an annotation, of a backbone that is trained from the beginning
  Index grid_size = 7;     // height and width of the grid of a pretrained backbone
  Index tuned_blocks = 0;  // last blocks of a pretrained backbone that are trained; 0: it is frozen
};

// The table of backbones.
struct BackboneEntry {
  std::string_view name;
  std::string_view description;
  // ConfigError for settings that it cannot be built with.
  std::unique_ptr<Backbone> (*make)(ParameterSet& parameters, const std::string& name, const BackboneSettings& settings,
                                    const Rng& rng);
  double (*least_weights)(const BackboneSettings& settings);  // a lower bound on their number
  // Reads the weights of the backbone `name` from a file. ModelFileError for a file that has other weights. Null: it is
  // not pretrained.
  void (*load)(const std::filesystem::path& path, ParameterSet& parameters, const std::string& name) = nullptr;
  // Which parameters of the backbone `name` stay as they are (training/freeze.h). Null: none.
  std::vector<std::string> (*frozen)(const BackboneSettings& settings, const std::string& name) = nullptr;

  bool pretrained() const { return load != nullptr; }
};
std::span<const BackboneEntry> backbones();

struct BackboneShape {
  GridShape picture, grid;
  Index width = 0;
};

// Of a backbone by name. ConfigError for settings that it cannot be built with.
BackboneShape backbone_shape(std::string_view name, const BackboneSettings& settings);

}  // namespace dhyan
