#include "backbones/conv_network.h"

#include <optional>

#include "core/error.h"

namespace dhyan {

namespace {

Index last_channels(const ConvNetworkOptions& options) {
  if (options.layers.empty()) throw ConfigError("conv network: no layers, expected at least one");
  return options.layers.back().channels;
}

// The index of the last layer with stride 2; the number of layers if there is none.
std::size_t last_stride(const ConvNetworkOptions& options) {
  std::size_t last = options.layers.size();
  for (std::size_t i = 0; i < options.layers.size(); ++i) {
    if (options.layers[i].stride > 1) last = i;
  }
  return last;
}

}  // namespace

ConvNetwork::ConvNetwork(ParameterSet& parameters, const std::string& name, const ConvNetworkOptions& options)
    : Backbone(options.picture), grid_(options.picture), norm_(parameters, name + ".norm", last_channels(options)) {
  for (std::size_t i = 0; i < options.layers.size(); ++i) {
    const auto& [channels, stride] = options.layers[i];
    // SAME padding shifts the receptive field of a cell to the bottom right at each stride of 2, by half the distance
    // of cells in total; symmetric padding at the last one shifts it back, so that the field is centred on the cell.
    const std::optional<Index> padding = i == last_stride(options) ? std::optional(options.kernel / 2) : std::nullopt;
    const ConvolutionOptions convolution{
        .in = width_,
        .out = channels,
        .filter = {{.kernel = options.kernel, .stride = stride, .padding = padding}, kernels::Rectifier::kRelu},
        .role = i == 0 ? Role::kOther : Role::kWeight,  // of pixels, int8 would not be faster
        .rng = options.rng};
    layers_.emplace_back(parameters, cat(name, ".", layers_.size()), convolution);
    grid_ = layers_.back().grid_of(grid_);
    width_ = channels;
  }
}

Var ConvNetwork::operator()(const Var& pixels) const {
  Frame frame(pixels.scope());
  Var x = pixels;  // [B*h*w,3]
  GridShape grid = picture();
  for (const Convolution& layer : layers_) {
    x = layer(x, grid);  // [B*h'*w',C]
    grid = layer.grid_of(grid);
  }
  return frame.keep(norm_(x));  // [B*grid,width]
}

}  // namespace dhyan
