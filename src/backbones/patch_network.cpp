#include "backbones/patch_network.h"

#include "core/error.h"

namespace dhyan {

namespace {

WindowOptions patch_windows(const PatchNetworkOptions& options) {
  const auto [height, width] = options.picture;
  if (options.patch < 1 || height % options.patch != 0 || width % options.patch != 0) {
    throw ConfigError(cat("patches: pictures of ", height, "x", width, " pixels, expected a multiple of the patch of ",
                          options.patch));
  }
  return {.kernel = options.patch, .stride = options.patch, .padding = 0};
}

}  // namespace

PatchNetwork::PatchNetwork(ParameterSet& parameters, const std::string& name, const PatchNetworkOptions& options)
    : Backbone(options.picture),
      patch_(parameters, name + ".patch",
             {.in = 3, .out = options.width, .filter = {patch_windows(options)}, .rng = options.rng}) {}

Var PatchNetwork::operator()(const Var& pixels) const { return patch_(pixels, picture()); }  // [B*grid,H]

}  // namespace dhyan
