#include "training/optimizers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/table.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/updates.h"
#include "kernels/rows/reductions.h"
#include "training/rank_shares.h"

namespace dhyan {

Optimizer::Optimizer(const ParameterSet& parameters, std::span<const std::string_view> slots) : slots_(slots.size()) {
  for (const Parameter& parameter : parameters) {
    shapes_.push_back(parameter.value.shape());
    kept_.push_back({0, parameter.value.size()});
  }
  share_ = {0, parameters.element_count()};
  for (const std::string_view slot : slots) {
    for (const Parameter& parameter : parameters) {
      state_.push_back({cat(parameter.name, ".", slot), Tensor::zeros(parameter.value.shape())});
    }
  }
}

void Optimizer::check(const ParameterSet& parameters, const GradientSet& gradients) const {
  if (parameters.count() != shapes_.size() || gradients.size() != shapes_.size()) {
    throw UsageError(cat("Optimizer::step: ", parameters.count(), " parameters and ", gradients.size(),
                         " gradients, expected ", shapes_.size(), " of each"));
  }
  for (const Parameter& parameter : parameters) {
    const Shape& expected = shapes_[parameter.index];
    expect_shape("Optimizer::step", parameter.name.c_str(), parameter.value.shape(), expected);
    expect_shape("Optimizer::step", parameter.name.c_str(), gradients[parameter].value().shape(), expected);
  }
}

void Optimizer::keep_share(const ElementRange& share) {
  share_ = share;
  Index first = 0;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    kept_[i] = part_in(share, first, shapes_[i].size());
    first += shapes_[i].size();
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      state_[slot * shapes_.size() + i].value = Tensor::zeros({kept_[i].end - kept_[i].begin});
    }
  }
}

StepLength sum_of(std::span<const StepLength> chunks) {
  StepLength all;
  for (const StepLength& chunk : chunks) {
    all.moved += chunk.moved;
    all.weights += chunk.weights;
  }
  return all;
}

// Old weights are copied one chunk at a time.
std::vector<StepLength> Optimizer::measured_step(ParameterSet& parameters, const GradientSet& gradients,
                                                 double learning_rate, ThreadPool* pool) {
  std::vector<StepLength> by_chunk(static_cast<std::size_t>(chunk_count(parameters.element_count())));
  move(parameters, gradients, learning_rate, pool, by_chunk.data());
  return by_chunk;
}

void Optimizer::move(ParameterSet& parameters, const GradientSet& gradients, double learning_rate, ThreadPool* pool,
                     StepLength* by_chunk) {
  check(parameters, gradients);
  ++steps_;
  const Index first = share_.begin / kChunkElements;
  run_chunks(pool, chunk_count(share_.end) - first, [&](Index of_share) {
    const Index chunk = first + of_share;
    const auto size_of = [](const Parameter& parameter) { return parameter.value.size(); };
    for_each_piece(chunk, parameters, size_of, [&](std::size_t i, Index begin, Index end) {
      const auto cut = [&](const Tensor& tensor) {
        return tensor.span().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
      };
      const Parameter& parameter = *(parameters.begin() + static_cast<Index>(i));
      Piece piece{cut(parameter.value), cut(gradients[parameter].value()), {}};
      for (std::size_t slot = 0; slot < slots_; ++slot)
        piece.slots[slot] = state_[slot * shapes_.size() + i].value.span().subspan(
            static_cast<std::size_t>(begin - kept_[i].begin), static_cast<std::size_t>(end - begin));
      std::vector<Real> before;
      if (by_chunk != nullptr) before.assign(piece.w.begin(), piece.w.end());
      if (!parameter.frozen) update(piece, learning_rate, steps_);
      if (by_chunk == nullptr) return;
      kernels::scale_add(piece.w, Real(-1), before);
      by_chunk[chunk].moved += kernels::sum_of_squares(before);
      by_chunk[chunk].weights += kernels::sum_of_squares(piece.w);
    });
  });
}

void Optimizer::restore(std::span<const NamedTensor> state, Index steps) {
  std::vector<const Tensor*> found;
  for (const NamedTensor& own : state_) {
    const auto other = std::ranges::find(state, own.name, &NamedTensor::name);
    if (other == state.end()) throw ModelFileError(cat("Optimizer::restore: tensor '", own.name, "' is missing"));
    const Shape& expected = shapes_[found.size() % shapes_.size()];
    if (other->value.shape() != expected) {
      throw ModelFileError(
          cat("Optimizer::restore: tensor '", own.name, "' is ", other->value.shape(), ", expected ", expected));
    }
    found.push_back(&other->value);
  }
  if (state.size() != state_.size() || steps < 0) {
    throw ModelFileError(cat("Optimizer::restore: ", state.size(), " tensors after ", steps, " steps, expected ",
                             state_.size(), " tensors"));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ElementRange& kept = kept_[i % shapes_.size()];
    std::copy(found[i]->data() + kept.begin, found[i]->data() + kept.end, state_[i].value.data());
  }
  steps_ = steps;
}

namespace {

using Names = std::vector<std::string_view>;

class Sgd final : public Optimizer {
 public:
  Sgd(const ParameterSet& parameters, const OptimizerOptions& options)
      : Optimizer(parameters, options.momentum == 0 ? Names{} : Names{"momentum_buffer"}),
        momentum_(options.momentum),
        weight_decay_(options.weight_decay.value_or(0)) {}

 private:
  void update(const Piece& piece, double learning_rate, Index) const override {
    const kernels::SgdStep step{.rate = learning_rate, .weight_decay = weight_decay_, .momentum = momentum_};
    if (momentum_ == 0) {
      kernels::sgd(piece.w, piece.g, step);
    } else {
      kernels::sgd_with_momentum(piece.w, piece.g, piece.slots[0], step);
    }
  }

  double momentum_, weight_decay_;
};

class Adadelta final : public Optimizer {
 public:
  Adadelta(const ParameterSet& parameters, const OptimizerOptions& options)
      : Optimizer(parameters, Names{"square_avg", "acc_delta"}),
        step_{.weight_decay = options.weight_decay.value_or(0),
              .rho = options.rho,
              .epsilon = options.epsilon.value_or(1e-6)} {}

 private:
  void update(const Piece& piece, double learning_rate, Index) const override {
    kernels::AdadeltaStep step = step_;
    step.rate = learning_rate;
    kernels::adadelta(piece.w, piece.g, piece.slots[0], piece.slots[1], step);
  }

  kernels::AdadeltaStep step_;
};

// Adam adds weight decay to the gradient; AdamW shrinks the weights independently of it.
enum class Decay { kInGradient, kDecoupled };

class Adam final : public Optimizer {
 public:
  Adam(const ParameterSet& parameters, const OptimizerOptions& options, Decay decay)
      : Optimizer(parameters, Names{"exp_avg", "exp_avg_sq"}), options_(options), decay_(decay) {}

 private:
  void update(const Piece& piece, double learning_rate, Index t) const override {
    const bool decoupled = decay_ == Decay::kDecoupled;
    const double weight_decay = options_.weight_decay.value_or(decoupled ? 0.01 : 0);
    const auto steps = static_cast<double>(t);
    kernels::adam(piece.w, piece.g, piece.slots[0], piece.slots[1],
                  {.rate = learning_rate,
                   .weight_decay = decoupled ? 0 : weight_decay,
                   .shrink = decoupled ? 1 - learning_rate * weight_decay : 1,
                   .beta1 = options_.beta1,
                   .beta2 = options_.beta2,
                   .epsilon = options_.epsilon.value_or(1e-8),
                   .correction1 = 1 - std::pow(options_.beta1, steps),
                   .correction2 = 1 - std::pow(options_.beta2, steps)});
  }

  OptimizerOptions options_;
  Decay decay_;
};

template <class Method, auto... extra>
std::unique_ptr<Optimizer> make(const ParameterSet& parameters, const OptimizerOptions& options) {
  return std::make_unique<Method>(parameters, options, extra...);
}

constexpr auto kOptimizers = std::to_array<OptimizerEntry>({
    {"sgd", "[robbins1951]; momentum: [polyak1964]", make<Sgd>},
    {"adadelta", "[zeiler2012] algorithm 1", make<Adadelta>},
    {"adam", "[kingma2015] algorithm 1", make<Adam, Decay::kInGradient>},
    {"adamw", "[loshchilov2019] algorithm 2", make<Adam, Decay::kDecoupled>},
});

void expect_in(const char* name, double value, double low, double below) {
  if (value >= low && value < below) return;
  throw ConfigError(cat("optimizer: ", name, " is ", value, ", expected ", low, " or more and less than ", below));
}

}  // namespace

std::span<const OptimizerEntry> optimizers() { return kOptimizers; }

std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const ParameterSet& parameters,
                                          const OptimizerOptions& options) {
  expect_in("momentum", options.momentum, 0, 1);
  expect_in("rho", options.rho, 0, 1);
  expect_in("beta1", options.beta1, 0, 1);
  expect_in("beta2", options.beta2, 0, 1);
  expect_in("epsilon", options.epsilon.value_or(0), 0, HUGE_VAL);
  expect_in("weight_decay", options.weight_decay.value_or(0), 0, HUGE_VAL);
  return entry_named("optimizer", optimizers(), name).make(parameters, options);
}

}  // namespace dhyan
