#pragma once

#include <span>
#include <vector>

#include "autograd/parameter.h"
#include "core/thread_pool.h"
#include "interop/safetensors.h"

namespace dhyan {

// An average of a model's weights over the steps of training, the older the less: a_t = d a_(t-1) + (1-d) w_t. The idea
// is [polyak1992]'s; that the decay d begins small, min(decay, (1+t)/(10+t)), lets it forget the weights it began with.
class MovingAverage {
 public:
  // Begins with the weights as they are. ConfigError unless 0 < decay < 1.
  MovingAverage(const ParameterSet& weights, double decay);

  // After step number `step`, which counts from 1. The result does not depend on the pool.
  void add(const ParameterSet& weights, Index step, ThreadPool* pool = nullptr);

  // The weights become the average, and the average the weights.
  void swap_with(ParameterSet& weights);

  // For checkpoints. Tensors have the names of the weights and share storage with the average.
  std::span<const NamedTensor> state() const { return averages_; }

 private:
  double decay_;
  std::vector<NamedTensor> averages_;  // in the order of the weights
};

// While it lives the weights are the average, if there is one.
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
