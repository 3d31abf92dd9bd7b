#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "autograd/parameter.h"
#include "core/thread_pool.h"
#include "interop/safetensors.h"
#include "training/chunks.h"

namespace dhyan {

// Settings of all optimizers; each uses its own. Names and defaults are PyTorch's, so that loss curves match.
struct OptimizerOptions {
  double momentum = 0;                      // sgd
  double rho = 0.9;                         // adadelta
  double beta1 = 0.9;                       // adam, adamw
  double beta2 = 0.999;                     // adam, adamw
  std::optional<double> epsilon = {};       // adadelta 1e-6; adam, adamw 1e-8
  std::optional<double> weight_decay = {};  // adamw 0.01, decoupled from the gradient; others 0, added to it
};

// The length of a step: squared norms over all weights as one vector.
struct StepLength {
  double moved = 0;    // of the update
  double weights = 0;  // of the weights, after it
};
StepLength sum_of(std::span<const StepLength> chunks);

// Updates the weights of one model by their gradients. The constructor allocates its state.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // An untouched gradient counts as zero; frozen weights and their state are unchanged. The result does not depend on
  // the pool.
  void step(ParameterSet& parameters, const GradientSet& gradients, double learning_rate, ThreadPool* pool = nullptr) {
    move(parameters, gradients, learning_rate, pool, nullptr);
  }
  // Returns the length of each chunk; those outside of a share are 0.
  std::vector<StepLength> measured_step(ParameterSet& parameters, const GradientSet& gradients, double learning_rate,
                                        ThreadPool* pool = nullptr);

  // Before the first step: updates these elements of all parameters only, and keeps no state of others. The share is
  // one of whole chunks.
  void keep_share(const ElementRange& share);

  // For checkpoints. Tensors are named "<parameter>.<what>" and share storage with the optimizer; of
  // a share they have the elements that are in it.
  Index steps() const { return steps_; }
  void set_steps(Index steps) { steps_ = steps; }  // of a state that was copied into that of a share
  std::span<const NamedTensor> state() const { return state_; }

  // The elements of a parameter whose state is kept.
  const ElementRange& kept(std::size_t parameter) const { return kept_[parameter]; }
  std::span<const Shape> shapes() const { return shapes_; }

  // Copies. ModelFileError, without any change, unless names and shapes are those of a state of all elements.
  void restore(std::span<const NamedTensor> state, Index steps);

 protected:
  // `slots` names the tensors kept for each parameter; at most kMaxSlots.
  static constexpr std::size_t kMaxSlots = 2;
  Optimizer(const ParameterSet& parameters, std::span<const std::string_view> slots);

  // A range of one parameter.
  struct Piece {
    std::span<Real> w;
    std::span<const Real> g;
    std::span<Real> slots[kMaxSlots];
  };

 private:
  virtual void update(const Piece& piece, double learning_rate, Index step) const = 0;

  void check(const ParameterSet& parameters, const GradientSet& gradients) const;
  void move(ParameterSet& parameters, const GradientSet& gradients, double learning_rate, ThreadPool* pool,
            StepLength* by_chunk);  // null: do not measure

  std::vector<Shape> shapes_;
  std::vector<ElementRange> kept_;  // of each parameter
  ElementRange share_;              // of all
  std::vector<NamedTensor> state_;  // all of the first slot, then all of the second
  std::size_t slots_ = 0;
  Index steps_ = 0;
};

// The table of optimizers.
struct OptimizerEntry {
  std::string_view name;
  std::string_view reference;
  std::unique_ptr<Optimizer> (*make)(const ParameterSet& parameters, const OptimizerOptions& options);
};
std::span<const OptimizerEntry> optimizers();

// Throws ConfigError for a name that is not in the table, or a setting out of range.
std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const ParameterSet& parameters,
                                          const OptimizerOptions& options = {});

}  // namespace dhyan
