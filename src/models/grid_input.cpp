#include "models/grid_input.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "core/table.h"
#include "kernels/bfloat16/bfloat16.h"
#include "ops/arena_copy.h"
#include "ops/pixels.h"

namespace dhyan {

namespace {

constexpr double kPositionsBegin = 0.1;  // small beside features of size 1

// The pictures of a batch, one after the other.
std::span<std::byte> read_pictures(Scope& scope, const SourceBatch& source) {
  const std::size_t size = source.pictures->format().bytes();
  const std::span<std::byte> all = arena_span<std::byte>(scope.arena(), size * source.tokens.size());
  for (std::size_t b = 0; b < source.tokens.size(); ++b) {
    source.pictures->read(source.tokens[b], all.subspan(b * size, size));
  }
  return all;
}

Real value_of(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

}  // namespace

GridInput::GridInput(ParameterSet& parameters, const std::string& name, const ModelConfig& config, const Rng& rng)
    : frozen_(entry_named("encoder", backbones(), config.encoder).pretrained() && config.backbone.tuned_blocks == 0),
      backbone_(entry_named("encoder", backbones(), config.encoder)
                    .make(parameters, name + ".backbone", config.backbone, rng)),
      positions_(parameters, name + ".positions",
                 {.grid = backbone_->grid(),
                  .hidden = config.hidden,
                  .kind = "learned",
                  .table = {.name = "uniform", .number = kPositionsBegin},
                  .rng = rng}) {
  if (backbone_->width() == config.hidden) return;
  projection_.emplace(parameters, name + ".projection", backbone_->width(), config.hidden, LinearOptions{.rng = rng});
}

Var GridInput::features(Scope& scope, const SourceBatch& source) const {
  if (source.pictures == nullptr) throw UsageError("the model reads pictures, and the batch has none");
  const PictureFormat format = source.pictures->format();
  const Index B = source.segments.count();
  if (format.content == PictureContent::kFeatures) {
    if (!frozen_ || format.size != backbone_->grid() || format.channels != backbone_->width()) {
      throw UsageError(cat("features are ", format.size, " cells of ", format.channels, "; expected those of a frozen ",
                           "backbone, ", backbone_->grid(), " cells of ", backbone_->width()));
    }
    const std::span<std::byte> bytes = read_pictures(scope, source);
    const std::span from(reinterpret_cast<const Bfloat16*>(bytes.data()), bytes.size() / sizeof(Bfloat16));
    const Tensor rows = scope.tensor({B * format.size.cells(), format.channels});
    std::ranges::transform(from, rows.data(), value_of);
    return scope.constant(rows);
  }
  if (format.size != backbone_->picture()) {
    throw UsageError(cat("pictures have ", format.size, " pixels, expected ", backbone_->picture()));
  }
  const std::span<std::byte> bytes = read_pictures(scope, source);
  const std::span from(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const Var rows = (*backbone_)(pixels(scope, from));  // [B*h*w,C]
  if (!frozen_) return rows;
  const Tensor rounded = scope.tensor(rows.shape());  // rounded as in a cache of features
  std::ranges::transform(rows.value().span(), rounded.data(), kernels::rounded_to_bfloat16);
  return scope.constant(rounded);
}

Ragged GridInput::operator()(Scope& scope, const SourceBatch& source) const {
  Var x = features(scope, source);         // [B*h*w,C]
  if (projection_) x = (*projection_)(x);  // [B*h*w,H]
  const std::vector<Index> lengths(static_cast<std::size_t>(source.segments.count()), backbone_->grid().cells());
  return {positions_.add_to(x), Segments::from_lengths(lengths)};
}

}  // namespace dhyan
