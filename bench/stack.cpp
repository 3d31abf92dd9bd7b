#include "stack.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/gemm/gemm.h"
#include "ops/linear.h"
#include "ops/output_loss.h"

namespace dhyan::bench {

namespace {

const Parameter* add_random(ParameterSet& parameters, const std::string& name, const Shape& shape, double spread) {
  Parameter& parameter = parameters.add(name, shape);
  Rng rng(parameters.count());
  for (Real& x : parameter.value.span()) x = static_cast<Real>(rng.uniform(-spread, spread));
  return &parameter;
}

Tensor random(const Shape& shape) {
  Rng rng(1);
  const Tensor tensor = Tensor::zeros(shape);
  for (Real& x : tensor.span()) x = static_cast<Real>(rng.uniform(-1, 1));
  return tensor;
}

}  // namespace

std::vector<GemmShape> gemm_shapes(const StackSize& size) {
  std::vector<GemmShape> all;
  for (const int projections : {4, 8}) {
    for (Index layer = 0; layer < size.layers; ++layer) {
      for (int i = 0; i < projections; ++i) all.push_back({size.d, size.d});
      all.push_back({size.d, size.ff});
      all.push_back({size.ff, size.d});
    }
  }
  return all;
}

double flops(const StackSize& size, Index rows) {
  double weights = static_cast<double>(size.d * size.V);
  for (const GemmShape& shape : gemm_shapes(size)) weights += static_cast<double>(shape.I * shape.O);
  return 6 * weights * static_cast<double>(rows);
}

Stack::Stack(ParameterSet& parameters, const StackSize& size) {
  for (const GemmShape& shape : gemm_shapes(size)) {
    const std::string name = cat("layer.", layers_.size());
    const double spread = std::sqrt(3.0 / static_cast<double>(shape.I));
    layers_.push_back({add_random(parameters, name + ".weight", {shape.I, shape.O}, spread),
                       add_random(parameters, name + ".bias", {shape.O}, 0)});
  }
  output_ = {add_random(parameters, "output.weight", {size.V, size.d}, 0.1),
             add_random(parameters, "output.bias", {size.V}, 0)};
}

Var Stack::loss(Scope& scope, const Tensor& x, std::span<const RowId> targets) const {
  Var h = scope.variable(x);  // [M,d]
  for (const Layer& layer : layers_) h = linear(h, scope.parameter(*layer.weight), scope.parameter(*layer.bias));
  return output_loss(h, {scope.parameter(*output_.weight), scope.parameter(*output_.bias)}, targets).loss;
}

BareStack::BareStack(const StackSize& size, Index rows) {
  for (const GemmShape& shape : gemm_shapes(size)) {
    layers_.push_back({random({rows, shape.I}), random({rows, shape.I}), random({shape.I, shape.O}),
                       random({shape.I, shape.O}), random({rows, shape.O}), random({rows, shape.O})});
  }
  x_ = random({rows, size.d});
  dx_ = random({rows, size.d});
  w_ = random({size.V, size.d});
  dw_ = random({size.V, size.d});
  logits_ = random({std::min(rows, OutputLossOptions().chunk_rows), size.V});
}

void BareStack::run() {
  using kernels::gemm;
  for (const Layer& layer : layers_) gemm(layer.x.matrix(), layer.w.matrix(), layer.y.matrix());
  for (Index begin = 0; begin < x_.rows(); begin += logits_.rows()) {
    const Index end = std::min(begin + logits_.rows(), x_.rows());
    const Matrix x = x_.row_range(begin, end).matrix(), z = logits_.row_range(0, end - begin).matrix();
    gemm(x, w_.matrix().t(), z);
    gemm(z, w_.matrix(), dx_.row_range(begin, end).matrix());
    gemm(z.t(), x, dw_.matrix(), {.beta = static_cast<Real>(begin == 0 ? 0 : 1)});
  }
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    gemm(layer->dy.matrix(), layer->w.matrix().t(), layer->dx.matrix());
    gemm(layer->x.matrix().t(), layer->dy.matrix(), layer->dw.matrix());
  }
}

}  // namespace dhyan::bench
