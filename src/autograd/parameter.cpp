#include "autograd/parameter.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

Gradient::Gradient(const Shape& shape)
    : value_(Tensor::zeros(shape)), seen_(static_cast<std::size_t>(shape.rows()), false) {
  rows_.reserve(seen_.size());  // touching must not allocate in the middle of a step
}

const Tensor& Gradient::touch_all() {
  clear_forgotten();
  all_ = true;
  return value_;
}

const Tensor& Gradient::touch_to_overwrite() {
  stale_ = false;
  all_ = true;
  return value_;
}

std::span<Real> Gradient::touch_row(RowId row) {
  clear_forgotten();
  const std::span<Real> values = value_.row(row);
  if (!seen_[static_cast<std::size_t>(row)]) {
    seen_[static_cast<std::size_t>(row)] = true;
    rows_.push_back(row);
  }
  return values;
}

void Gradient::clear() {
  forget();
  clear_forgotten();
}

void Gradient::forget() {
  stale_ |= all_;
  for (const RowId row : rows_) {
    if (!stale_) std::ranges::fill(value_.row(row), Real{0});
    seen_[static_cast<std::size_t>(row)] = false;
  }
  rows_.clear();
  all_ = false;
}

void Gradient::clear_forgotten() {
  if (stale_) value_.fill(0);
  stale_ = false;
}

GradientSet::GradientSet(const ParameterSet& parameters) {
  gradients_.reserve(parameters.count());
  for (const Parameter& parameter : parameters) gradients_.emplace_back(parameter.value.shape());
}

void GradientSet::clear() {
  for (Gradient& gradient : gradients_) gradient.clear();
}

void GradientSet::forget() {
  for (Gradient& gradient : gradients_) gradient.forget();
}

void GradientSet::clear_forgotten() {
  for (Gradient& gradient : gradients_) gradient.clear_forgotten();
}

Parameter& ParameterSet::add(std::string name, const Shape& shape) {
  if (find(name) != nullptr) throw ConfigError(cat("ParameterSet: there are two parameters named '", name, "'"));
  return parameters_.emplace_back(Parameter{std::move(name), Tensor::zeros(shape), parameters_.size()});
}

Parameter* ParameterSet::find(std::string_view name) {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  return found == parameters_.end() ? nullptr : &*found;
}

const Parameter* ParameterSet::find(std::string_view name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  return found == parameters_.end() ? nullptr : &*found;
}

Index ParameterSet::element_count() const {
  Index elements = 0;
  for (const Parameter& parameter : parameters_) elements += parameter.value.size();
  return elements;
}

}  // namespace dhyan
