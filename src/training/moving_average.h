#pragma once

#include <span>
#include <vector>

#include "autograd/parameter.h"
#include "core/thread_pool.h"
#include "interop/safetensors.h"

namespace dhyan {

// An exponential moving average of the weights over training steps: a_t = d a_(t-1) + (1-d) w_t ([polyak1992]). The
// decay d starts small, min(decay, (1+t)/(10+t)), so that the initial weights are forgotten quickly.
class MovingAverage {
 public:
  // Starts with the current weights. ConfigError unless 0 < decay < 1.
  MovingAverage(const ParameterSet& weights, double decay);

  // Updates the average after step `step`, counted from 1. The result does not depend on the pool.
  void add(const ParameterSet& weights, Index step, ThreadPool* pool = nullptr);

  // Swaps the weights and the average.
  void swap_with(ParameterSet& weights);

  // For checkpoints. Tensors have the names of the weights and share storage with the average.
  std::span<const NamedTensor> state() const { return averages_; }

 private:
  double decay_;
  std::vector<NamedTensor> averages_;  // in the order of the weights
};

// Swaps in the average, if there is one, for its lifetime.
class UseAverage {
 public:
  UseAverage(MovingAverage* average, ParameterSet& weights) : average_(average), weights_(weights) { swap(); }
  ~UseAverage() { swap(); }
  UseAverage(const UseAverage&) = delete;
  UseAverage& operator=(const UseAverage&) = delete;

 private:
  void swap() {
    if (average_ != nullptr) average_->swap_with(weights_);
  }

  MovingAverage* average_;
  ParameterSet& weights_;
};

}  // namespace dhyan
