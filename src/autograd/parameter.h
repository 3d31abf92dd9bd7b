#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace dhyan {

struct Prepacked;  // defined by those who multiply

// Which ops read a weight, and so in what form it may be kept.
enum class Role {
  kOther,   // any: as numbers
  kWeight,  // [I,O]: linear() alone
  kTable,   // [V,H]: embedding(), an output layer, or both
};

// A weight of a model. Lives in a ParameterSet; its address is stable.
struct Parameter {
  std::string name;       // "encoder.0.forward.U"
  Tensor value;           // owned; the values of an int8 weight are read through `prepacked`
  std::size_t index = 0;  // its place in the set, and in every GradientSet
  bool frozen = false;    // stays as it is: it has no gradient and no update
  Role role = Role::kOther;
  std::shared_ptr<const Prepacked> prepacked = {};  // the form that products read; null if the value may change
};

// d(loss)/d(one parameter), accumulated over any number of backward passes. It knows which rows were written, so that
// clearing and adding an embedding table costs what was used of it and no more.
class Gradient {
 public:
  explicit Gradient(const Shape& shape);
  Gradient(Gradient&&) = default;  // no copies: they would share the numbers but not the record of what was touched
  Gradient& operator=(Gradient&&) = default;

  const Tensor& value() const { return value_; }  // zero where nothing was written

  // To accumulate into.
  const Tensor& touch_all();
  std::span<Real> touch_row(RowId row);
  const Tensor& touch_to_overwrite();  // by somebody who writes every element

  bool all_touched() const { return all_; }
  std::span<const RowId> touched_rows() const { return rows_; }  // in order of first touch; unused if all_touched()
  bool untouched() const { return !all_ && rows_.empty(); }

  void clear();

  // clear() in two parts, so that what is overwritten need not be filled with zeros before. In between, value() is not
  // to be looked at where nothing was written.
  void forget();
  void clear_forgotten();

 private:
  Tensor value_;
  bool all_ = false;
  bool stale_ = false;  // what is there was forgotten
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
