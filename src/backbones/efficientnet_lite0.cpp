#include "backbones/efficientnet_lite0.h"

#include <algorithm>

#include "core/error.h"
#include "ops/arena_copy.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

constexpr Index kStemChannels = 32;

// The blocks of EfficientNet-B0 ([tan2019] table 1), and of Lite0.
constexpr struct {
  Index expansion, kernel, stride, out;
} kBlockTable[] = {
    {1, 3, 1, 16},                                   //
    {6, 3, 2, 24},  {6, 3, 1, 24},                   //
    {6, 5, 2, 40},  {6, 5, 1, 40},                   //
    {6, 3, 2, 80},  {6, 3, 1, 80},  {6, 3, 1, 80},   //
    {6, 5, 1, 112}, {6, 5, 1, 112}, {6, 5, 1, 112},  //
    {6, 5, 2, 192}, {6, 5, 1, 192}, {6, 5, 1, 192}, {6, 5, 1, 192}, {6, 3, 1, 320},
};
static_assert(std::size(kBlockTable) == EfficientNetOptions::kBlocks);

std::vector<const Parameter*> added_since(const ParameterSet& parameters, std::size_t count) {
  std::vector<const Parameter*> added;
  for (const Parameter& parameter : parameters) {
    if (parameter.index >= count) added.push_back(&parameter);
  }
  return added;
}

Convolution stem_of(ParameterSet& parameters, const std::string& name, const Rng& rng) {
  return {parameters,
          name + ".stem",
          {.in = 3,
           .out = kStemChannels,
           .filter = {{.kernel = 3, .stride = 2}, kernels::Rectifier::kRelu6},
           .role = Role::kOther,  // int8 would not be faster, and the grid an eighth less exact
           .rng = rng}};
}

}  // namespace

EfficientNetLite0::EfficientNetLite0(ParameterSet& parameters, const std::string& name,
                                     const EfficientNetOptions& options)
    : Backbone(options.picture), stem_(stem_of(parameters, name, options.rng)) {
  if (options.blocks < 1 || options.blocks > EfficientNetOptions::kBlocks) {
    throw ConfigError(
        cat("efficientnet-lite0: ", options.blocks, " blocks, expected 1 to ", EfficientNetOptions::kBlocks));
  }
  parameters_.push_back({&stem_.weight(), &stem_.bias()});
  grids_.push_back(stem_.grid_of(options.picture));
  Index width = kStemChannels;
  for (Index i = 0; i < options.blocks; ++i) {
    const auto& [expansion, kernel, stride, out] = kBlockTable[i];
    const std::size_t count = parameters.count();
    blocks_.emplace_back(parameters, cat(name, ".blocks.", i),
                         InvertedResidualOptions{width, out, expansion, kernel, stride, options.rng});
    parameters_.push_back(added_since(parameters, count));
    grids_.push_back(blocks_.back().grid_of(grids_.back()));
    width = out;
  }
}

Index EfficientNetLite0::width_before(Index block) const {
  return block == 0 ? kStemChannels : blocks_[static_cast<std::size_t>(block - 1)].options().out;
}

Index EfficientNetLite0::frozen_parts() const {
  const auto is_frozen = [](const std::vector<const Parameter*>& part) {
    return std::ranges::all_of(part, &Parameter::frozen);
  };
  return std::ranges::find_if_not(parameters_, is_frozen) - parameters_.begin();
}

Var EfficientNetLite0::run_blocks(Index first, Index end, const Var& input) const {
  Var x = input;  // [B*grid_before(first),.]
  for (Index i = first; i < end; ++i) {
    const Var y = blocks_[static_cast<std::size_t>(i)](x, grid_before(i));  // [B*grid_before(i + 1),.]
    if (i > first) release(x);
    x = y;
  }
  return x;
}

Var EfficientNetLite0::from_block(Index first, const Var& x) const {
  if (first < 0 || first > blocks()) {
    throw UsageError(cat("efficientnet-lite0: from block ", first, " of ", blocks()));
  }
  Frame frame(x.scope());
  return frame.keep(run_blocks(first, blocks(), x));  // [B*grid(),width()]
}

// Without a tape one picture after the other, so that the output of the blocks stays in the CPU caches.
Var EfficientNetLite0::until(Index end, const Var& pixels) const {
  const Index cells = picture().cells(), pictures = pixels.rows() / cells;
  Frame frame(pixels.scope());
  const auto run = [&](const Var& some) { return run_blocks(0, end, stem_(some, picture())); };
  if (pixels.scope().recording() || pictures < 2 || pixels.rows() % cells != 0) return frame.keep(run(pixels));
  const std::span<Var> grids = arena_span<Var>(pixels.scope().arena(), static_cast<std::size_t>(pictures));
  for (Index b = 0; b < pictures; ++b) {
    Frame one(pixels.scope());
    const Var rows = slice_rows(pixels, b * cells, (b + 1) * cells);  // [h*w,3]
    grids[static_cast<std::size_t>(b)] = one.keep(run(rows));         // [grid_before(end),.]
  }
  return frame.keep(concat_rows(grids));  // [B*grid_before(end),.]
}

Var EfficientNetLite0::operator()(const Var& pixels) const {
  Scope& scope = pixels.scope();
  const Index frozen = scope.recording() && !pixels.needs_grad() ? frozen_parts() : 0;
  if (frozen == 0) return until(blocks(), pixels);  // [B*grid(),width()]
  Scope inference(scope.arena());
  const Var features = until(frozen - 1, inference.constant(pixels.value()));  // [B*grid_before(frozen - 1),.]
  return from_block(frozen - 1, scope.constant(features.value()));             // [B*grid(),width()]
}

}  // namespace dhyan
