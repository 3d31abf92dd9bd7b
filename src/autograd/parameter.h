#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace dhyan {

struct Prepacked;  // the ops that multiply define it

// The ops that read a weight, which decide in what form it may be stored.
enum class Role {
  kOther,   // any op: as floats
  kWeight,  // [I,O]: linear() or conv2d() alone
  kTable,   // [V,H]: embedding(), an output layer, or both
};

struct Parameter;

// A low-rank addition to a weight W [I,O], [hu2022] eq. 3: W + scale · down up.
struct Adapter {
  const Parameter* down = nullptr;  // [I,R]
  const Parameter* up = nullptr;    // [R,O]
  Real scale = 1;
};

// A weight of a model. Lives in a ParameterSet; its address is stable.
struct Parameter {
  std::string name;       // "encoder.0.forward.U"
  Tensor value;           // owned; the values of an int8 weight are read through `prepacked`
  std::size_t index = 0;  // its place in the set, and in every GradientSet
  bool frozen = false;    // has no gradient and is never updated
  Role role = Role::kOther;
  std::shared_ptr<const Prepacked> prepacked = {};  // the form that products read; null if the value may change
  bool takes_adapter = false;                       // its layer adds the products with its adapter
  std::optional<Adapter> adapter = {};              // see nn/adapters.h
};

// d(loss)/d(one parameter), accumulated over any number of backward passes. It records which rows were
// written, so that clearing and adding the gradient of an embedding table costs only those rows.
class Gradient {
 public:
  explicit Gradient(const Shape& shape);
  Gradient(Gradient&&) = default;  // no copies: they would share the values but not the record of touched rows
  Gradient& operator=(Gradient&&) = default;

  const Tensor& value() const { return value_; }  // zero where nothing was written

  // To accumulate into.
  const Tensor& touch_all();
  std::span<Real> touch_row(RowId row);
  const Tensor& touch_to_overwrite();  // the caller writes every element

  bool all_touched() const { return all_; }
  std::span<const RowId> touched_rows() const { return rows_; }  // in order of first touch; unused if all_touched()
  bool untouched() const { return !all_ && rows_.empty(); }

  void clear();

  // clear() in two parts, so that a gradient that will be overwritten is not filled with zeros first. In between,
  // elements of value() that were not written are stale.
  void forget();
  void clear_forgotten();

 private:
  Tensor value_;
  bool all_ = false;
  bool stale_ = false;  // forget() was called and the old values are still there
  std::vector<RowId> rows_;
  std::vector<bool> seen_;  // per row: is it in rows_?
};

class ParameterSet;

// One gradient per parameter of a set.
class GradientSet {
 public:
  explicit GradientSet(const ParameterSet& parameters);

  Gradient& operator[](const Parameter& parameter) { return gradients_[parameter.index]; }
  const Gradient& operator[](const Parameter& parameter) const { return gradients_[parameter.index]; }
  std::size_t size() const { return gradients_.size(); }
  auto begin() { return gradients_.begin(); }  // in the order of the parameters
  auto end() { return gradients_.end(); }
  auto begin() const { return gradients_.begin(); }
  auto end() const { return gradients_.end(); }
  void clear();
  void forget();
  void clear_forgotten();

 private:
  std::vector<Gradient> gradients_;
};

// All weights of a model, in the order in which they were added.
class ParameterSet {
 public:
  ParameterSet() = default;
  ParameterSet(const ParameterSet&) = delete;
  ParameterSet& operator=(const ParameterSet&) = delete;
  ParameterSet(ParameterSet&&) = default;
  ParameterSet& operator=(ParameterSet&&) = default;

  // Zero-filled. Throws ConfigError if the name is taken.
  Parameter& add(std::string name, const Shape& shape);

  Parameter* find(std::string_view name);  // null if there is none
  const Parameter* find(std::string_view name) const;

  std::size_t count() const { return parameters_.size(); }
  Index element_count() const;
  auto begin() { return parameters_.begin(); }
  auto end() { return parameters_.end(); }
  auto begin() const { return parameters_.begin(); }
  auto end() const { return parameters_.end(); }

 private:
  std::deque<Parameter> parameters_;
};

}  // namespace dhyan
