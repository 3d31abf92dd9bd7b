#include "backbones/backbones.h"

#include "backbones/conv_network.h"
#include "backbones/efficientnet_lite0.h"
#include "backbones/patch_network.h"
#include "core/error.h"
#include "core/table.h"

namespace dhyan {

namespace {

std::unique_ptr<Backbone> make_conv(ParameterSet& parameters, const std::string& name, const BackboneSettings& settings,
                                    const Rng& rng) {
  ConvNetworkOptions options{.picture = {settings.image_size, settings.image_size}, .rng = rng};
  options.layers.back().channels = settings.width;
  return std::make_unique<ConvNetwork>(parameters, name, options);
}

double least_of_conv(const BackboneSettings& settings) {
  const ConvNetworkOptions options;
  const Index in = options.layers[options.layers.size() - 2].channels;
  return static_cast<double>(options.kernel * options.kernel * in) * static_cast<double>(settings.width);
}

std::unique_ptr<Backbone> make_patches(ParameterSet& parameters, const std::string& name,
                                       const BackboneSettings& settings, const Rng& rng) {
  const PatchNetworkOptions options{.picture = {settings.image_size, settings.image_size},
                                    .patch = settings.patch_size,
                                    .width = settings.width,
                                    .rng = rng};
  return std::make_unique<PatchNetwork>(parameters, name, options);
}

double least_of_patches(const BackboneSettings& settings) {
  return 3 * static_cast<double>(settings.patch_size * settings.patch_size) * static_cast<double>(settings.width);
}

// The number of blocks up to a grid of this height and width.
Index blocks_for(Index grid_size) {
  if (grid_size == 7) return EfficientNetOptions::kBlocks;
  if (grid_size == 14) return 11;
  throw ConfigError(cat("grid-size is ", grid_size, ", expected 7 or 14"));
}

std::unique_ptr<Backbone> make_efficientnet_lite0(ParameterSet& parameters, const std::string& name,
                                                  const BackboneSettings& settings, const Rng& rng) {
  const EfficientNetOptions options{.blocks = blocks_for(settings.grid_size), .rng = rng};
  return std::make_unique<EfficientNetLite0>(parameters, name, options);
}

double least_of_efficientnet_lite0(const BackboneSettings&) { return 500'000; }

std::vector<std::string> frozen_of_efficientnet_lite0(const BackboneSettings& settings, const std::string& name) {
  const Index blocks = blocks_for(settings.grid_size);
  if (settings.tuned_blocks > blocks) {
    throw ConfigError(cat("tuned-blocks is ", settings.tuned_blocks, ", and the backbone has ", blocks, " blocks"));
  }
  std::vector<std::string> frozen{name + ".stem"};
  for (Index block = 0; block < blocks - settings.tuned_blocks; ++block) {
    frozen.push_back(cat(name, ".blocks.", block));
  }
  return frozen;
}

constexpr BackboneEntry kBackbones[] = {
    {"conv", "small convolutional network, trained with the decoder", make_conv, least_of_conv},
    {"patches", "patches of pixels, each projected, for Transformers [dosovitskiy2021]", make_patches,
     least_of_patches},
    {"efficientnet-lite0", "EfficientNet-Lite0, pretrained: a file has its weights", make_efficientnet_lite0,
     least_of_efficientnet_lite0, load_efficientnet_lite0, frozen_of_efficientnet_lite0},
};

}  // namespace

std::span<const BackboneEntry> backbones() { return kBackbones; }

BackboneShape backbone_shape(std::string_view name, const BackboneSettings& settings) {
  ParameterSet scratch;
  const auto network = entry_named("encoder", backbones(), name).make(scratch, "backbone", settings, Rng::unused());
  return {network->picture(), network->grid(), network->width()};
}

}  // namespace dhyan
