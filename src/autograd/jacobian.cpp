#include "autograd/jacobian.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace dhyan {

namespace {

// The function with its inputs held as parameters that can be nudged.
class Probe {
 public:
  Probe(const DifferentiableFunction& f, const std::vector<Tensor>& inputs, std::uint64_t noise_seed)
      : f_(f), noise_(noise_seed) {
    for (const Tensor& input : inputs) {
      Parameter& parameter = parameters_.add(cat("input ", parameters_.count()), input.shape());
      std::ranges::copy(input.span(), parameter.value.data());
    }
  }

  ParameterSet& parameters() { return parameters_; }

  // A copy of the output. If `sink` is given, adds the gradients of output element `seeded` to it.
  std::vector<Real> output() { return evaluate(nullptr, 0); }
  std::vector<Real> gradients(GradientSet& sink, Index seeded) { return evaluate(&sink, seeded); }

 private:
  std::vector<Real> evaluate(GradientSet* sink, Index seeded) {
    arena_.reset();
    Tape tape(parameters_);
    GradientSet unused(parameters_);
    tape.start(sink != nullptr ? *sink : unused, noise_);
    Scope scope(arena_, tape);
    std::vector<Var> inputs;
    for (const Parameter& parameter : parameters_) inputs.push_back(scope.parameter(parameter));
    const Var y = f_(scope, inputs);
    std::vector<Real> values(y.value().span().begin(), y.value().span().end());
    if (sink != nullptr) {
      Tensor seed = Tensor::zeros(y.shape());
      seed.data()[seeded] = 1;
      tape.backward(y, seed);
    }
    return values;
  }

  const DifferentiableFunction& f_;
  Rng noise_;
  ParameterSet parameters_;
  Arena arena_;
};

// df/dx for every output element; x is one element of one parameter.
std::vector<double> differences(Probe& probe, Real& x, double step) {
  const Real at = x;
  const auto shifted = [&](double by) {
    x = static_cast<Real>(at + by);
    std::vector<Real> y = probe.output();
    x = at;
    return y;
  };
  const std::vector<Real> far_up = shifted(2 * step), up = shifted(step);
  const std::vector<Real> far_down = shifted(-2 * step), down = shifted(-step);
  std::vector<double> slopes(up.size());
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    slopes[i] = (8 * (double{up[i]} - down[i]) - (double{far_up[i]} - far_down[i])) / (12 * step);
  }
  return slopes;
}

}  // namespace

std::string jacobian_mismatch(const DifferentiableFunction& f, const std::vector<Tensor>& inputs,
                              const JacobianOptions& options) {
  Probe probe(f, inputs, options.noise_seed);
  const auto outputs = static_cast<Index>(probe.output().size());

  std::vector<GradientSet> by_output;
  for (Index i = 0; i < outputs; ++i) {
    by_output.emplace_back(probe.parameters());
    probe.gradients(by_output.back(), i);
  }

  double worst = options.tolerance;
  std::string description;
  for (Parameter& parameter : probe.parameters()) {
    for (Index k = 0; k < parameter.value.size(); ++k) {
      const std::vector<double> slopes = differences(probe, parameter.value.data()[k], options.step);
      for (Index i = 0; i < outputs; ++i) {
        const double analytic = by_output[static_cast<std::size_t>(i)][parameter].value().data()[k];
        const double numeric = slopes[static_cast<std::size_t>(i)];
        const double scale = std::max({std::abs(analytic), std::abs(numeric), options.floor});
        const double error = std::abs(analytic - numeric) / scale;
        if (error <= worst) continue;  // a NaN is not
        worst = error;
        description = cat("d(output[", i, "])/d(", parameter.name, "[", k, "]): backward gives ", analytic,
                          ", differences give ", numeric, ", relative error ", error);
        if (std::isnan(error)) return description;
      }
    }
  }
  return description;
}

Tensor random_tensor(Rng& rng, const Shape& shape, double low, double high) {
  Tensor tensor = Tensor::zeros(shape);
  for (Real& x : tensor.span()) x = static_cast<Real>(rng.uniform(low, high));
  return tensor;
}

}  // namespace dhyan
