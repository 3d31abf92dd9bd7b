#include "backbones/efficientnet_lite0.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "interop/safetensors.h"
#include "nn/testing/module_jacobian.h"
#include "ops/pixels.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

const EfficientNetOptions kSmall{.picture = {32, 48}, .blocks = 4, .rng = Rng(1)};

std::vector<std::uint8_t> made_up_bytes(Index n) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i % 251);
  return bytes;
}

TEST(EfficientNetLite0, HasTheGridsOfItsBlocks) {
  ParameterSet parameters, fewer;
  const EfficientNetLite0 network(parameters, "encoder.network", {.rng = Rng::unused()});
  EXPECT_EQ(network.grid(), (GridShape{7, 7}));
  EXPECT_EQ(network.width(), 320);
  EXPECT_EQ(network.grid_before(11), (GridShape{14, 14}));
  EXPECT_EQ(network.width_before(11), 112);
  EXPECT_EQ(parameters.element_count(), 2939120);
  const EfficientNetLite0 smaller(fewer, "encoder.network", {.blocks = 11, .rng = Rng::unused()});
  EXPECT_EQ(smaller.grid(), (GridShape{14, 14}));
  EXPECT_EQ(smaller.width(), 112);
  EXPECT_THROW(EfficientNetLite0(fewer, "x", {.blocks = 17, .rng = Rng::unused()}), ConfigError);
}

TEST(EfficientNetLite0, GivesAPictureTheSameBytesInAnyBatch) {
  ParameterSet parameters;
  const EfficientNetLite0 network(parameters, "n", kSmall);
  const Index size = 3 * kSmall.picture.cells();
  const std::vector<std::uint8_t> bytes = made_up_bytes(3 * size);
  Arena arena;
  Scope scope(arena);
  const std::vector<Real> together = values(network(pixels(scope, bytes)));
  std::vector<Real> alone;
  for (Index p = 0; p < 3; ++p) {
    const std::span one = std::span(bytes).subspan(static_cast<std::size_t>(p * size), static_cast<std::size_t>(size));
    const std::vector<Real> grid = values(network(pixels(scope, one)));
    alone.insert(alone.end(), grid.begin(), grid.end());
  }
  EXPECT_EQ(together, alone);
}

TEST(EfficientNetLite0, ContinuesFromAnyBlock) {
  ParameterSet parameters, fewer;
  const EfficientNetLite0 network(parameters, "n", kSmall);
  const EfficientNetLite0 beginning(fewer, "n", {.picture = kSmall.picture, .blocks = 2, .rng = Rng(1)});
  Arena arena;
  Scope scope(arena);
  const Var x = pixels(scope, made_up_bytes(2 * 3 * kSmall.picture.cells()));
  EXPECT_EQ(values(network.from_block(2, beginning(x))), values(network(x)));
  EXPECT_THROW(network.from_block(5, x), UsageError);
}

struct Trained {
  std::vector<Real> y, gradient;
  bool frozen_is_untouched;
};

Trained train(ParameterSet& parameters, const EfficientNetLite0& network) {
  GradientSet gradients(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(gradients, Rng(0));
  Scope scope(arena, tape);
  const Var y = network(pixels(scope, made_up_bytes(2 * 3 * kSmall.picture.cells())));
  Trained trained{values(y), {}, true};
  const Tensor seed = Tensor::zeros(y.shape());
  for (Index i = 0; i < seed.size(); ++i) seed.data()[i] = static_cast<Real>(1 + i % 3);
  tape.backward(y, seed);
  trained.gradient = values(gradients[*parameters.find("n.blocks.3.expand.weight")].value());
  for (const Parameter& parameter : parameters) {
    if (parameter.frozen && !gradients[parameter].untouched()) trained.frozen_is_untouched = false;
  }
  return trained;
}

TEST(EfficientNetLite0, GivesTheSameBytesWithAFrozenPart) {
  ParameterSet parameters;
  const EfficientNetLite0 network(parameters, "n", kSmall);
  const Trained all = train(parameters, network);
  for (Parameter& parameter : parameters) parameter.frozen = !parameter.name.starts_with("n.blocks.3.");
  const Trained last = train(parameters, network);
  EXPECT_EQ(last.y, all.y);
  EXPECT_EQ(last.gradient, all.gradient);
  EXPECT_TRUE(last.frozen_is_untouched);
}

TEST(EfficientNetLite0, RecordsNothingIfFrozen) {
  ParameterSet parameters;
  const EfficientNetLite0 network(parameters, "n", kSmall);
  for (Parameter& parameter : parameters) parameter.frozen = true;
  GradientSet gradients(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(gradients, Rng(0));
  Scope scope(arena, tape);
  const Var y = network(pixels(scope, made_up_bytes(3 * kSmall.picture.cells())));
  EXPECT_FALSE(y.needs_grad());
  EXPECT_EQ(&y.scope(), &scope);
  EXPECT_EQ(y.shape(), (Shape{4 * 6, 40}));
}

class EfficientNetFile : public testing::Test {
 protected:
  EfficientNetFile() {
    Rng rng(5);
    const auto add = [&](const std::string& name, const Shape& weight) {
      tensors_.push_back({name + ".weight", random_tensor(rng, weight)});
      tensors_.push_back({name + ".bias", random_tensor(rng, {weight[0]})});
    };
    add("_conv_stem", {32, 3, 3, 3});
    add("_blocks.0._depthwise_conv", {32, 1, 3, 3});
    add("_blocks.0._project_conv", {16, 32, 1, 1});
    add("_blocks.1._expand_conv", {96, 16, 1, 1});
    add("_blocks.1._depthwise_conv", {96, 1, 3, 3});
    add("_blocks.1._project_conv", {24, 96, 1, 1});
  }

  void load() {
    save_tensors(path_, tensors_);
    load_efficientnet_lite0(path_, parameters_, "n");
  }
  const Parameter& parameter(const char* name) const { return *parameters_.find(name); }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "weights.safetensors";
  std::vector<NamedTensor> tensors_;
  ParameterSet parameters_;
  EfficientNetLite0 network_{parameters_, "n", {.blocks = 2, .rng = Rng::unused()}};
};

TEST_F(EfficientNetFile, IsReadIntoOurLayout) {
  load();
  const Real* stem = tensors_[0].value.data();
  EXPECT_EQ(parameter("n.stem.weight").value.row((1 * 3 + 2) * 3 + 1)[7], stem[((7 * 3 + 1) * 3 + 1) * 3 + 2]);
  EXPECT_EQ(parameter("n.stem.bias").value.data()[5], tensors_[1].value.data()[5]);
  EXPECT_EQ(parameter("n.blocks.0.depthwise.weight").value.row(5)[30], tensors_[2].value.data()[30 * 9 + 5]);
  EXPECT_EQ(parameter("n.blocks.1.expand.weight").value.row(3)[90], tensors_[6].value.data()[90 * 16 + 3]);
  EXPECT_EQ(parameter("n.blocks.1.project.bias").value.data()[23], tensors_[11].value.data()[23]);
}

TEST_F(EfficientNetFile, HasItsBatchNormFolded) {
  std::erase_if(tensors_, [](const NamedTensor& one) { return one.name == "_blocks.1._expand_conv.bias"; });
  const auto add = [&](const char* tensor, Real value) {
    tensors_.push_back({cat("_blocks.1._bn0.", tensor), Tensor::zeros({96})});
    std::ranges::fill(tensors_.back().value.span(), value);
    return tensors_.back().value.data();
  };
  add("weight", 2), add("bias", 3), add("running_mean", 4);
  Real* variance = add("running_var", Real(0.249));
  variance[90] = Real(3.999);
  load();
  const Real* expand = tensors_[6].value.data();
  EXPECT_NEAR(parameter("n.blocks.1.expand.weight").value.row(3)[89], expand[89 * 16 + 3] * 4, 1e-5);
  EXPECT_NEAR(parameter("n.blocks.1.expand.bias").value.data()[89], 3 - 4 * 4, 1e-5);
  EXPECT_NEAR(parameter("n.blocks.1.expand.weight").value.row(3)[90], expand[90 * 16 + 3], 1e-5);
  EXPECT_NEAR(parameter("n.blocks.1.expand.bias").value.data()[90], 3 - 4, 1e-5);
  variance[5] = -1;
  EXPECT_EQ(thrown<ModelFileError>([&] { load(); }),
            cat(path_.string(), ": tensor '_blocks.1._bn0.running_var' has -1 at 5, expected a variance of 0 or more"));
  tensors_.pop_back();
  EXPECT_EQ(thrown<ModelFileError>([&] { load(); }),
            cat(path_.string(), ": has no tensor '_blocks.1._bn0.running_var' of EfficientNet-Lite0"));
}

TEST_F(EfficientNetFile, IsRefusedIfATensorIsMissing) {
  tensors_.erase(tensors_.begin() + 8);
  EXPECT_EQ(thrown<ModelFileError>([&] { load(); }),
            cat(path_.string(), ": has no tensor '_blocks.1._depthwise_conv.weight' of EfficientNet-Lite0"));
  EXPECT_EQ(parameter("n.stem.bias").value.data()[5], 0) << "nothing changes";
}

TEST_F(EfficientNetFile, IsRefusedIfATensorHasAnotherShape) {
  tensors_[2].value = Tensor::zeros({32, 1, 5, 5});
  EXPECT_EQ(thrown<ModelFileError>([&] { load(); }),
            cat(path_.string(), ": tensor '_blocks.0._depthwise_conv.weight' is [32,1,5,5], expected [32,1,3,3]"));
  EXPECT_THROW(load_efficientnet_lite0(path_, parameters_, "other"), UsageError);
}

}  // namespace
}  // namespace dhyan
