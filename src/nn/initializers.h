#pragma once

#include <span>
#include <string>
#include <string_view>

#include "autograd/parameter.h"
#include "core/rng.h"

namespace dhyan {

// The initial values of a weight.
struct Initializer {
  std::string name = "xavier";  // in the table
  double number = 0;            // uniform: the range; constant: the value
  Index blocks = 1;             // matrices that lie side by side in the weight: the gates of a recurrent cell
};

// The table of initialisers. A new one is a function and a line in initializers.cpp.
struct InitializerEntry {
  std::string_view name;
  std::string_view meaning;
  std::string_view reference;  // a key of docs/refs.bib, where there is a paper
  void (*fill)(const Tensor& weight, const Initializer& how, Rng& rng);
};

std::span<const InitializerEntry> initializers();

// Draws from a stream that is named by the parameter: other parameters, and their order, do not matter. Throws
// ConfigError that lists the names if there is none such, ShapeError if it cannot fill this shape. From Rng::unused()
// nothing is drawn, and the values stay as they are.
void initialise(Parameter& parameter, const Initializer& how, const Rng& rng);

// A new parameter that begins so.
const Parameter* add_parameter(ParameterSet& parameters, const std::string& name, const Shape& shape,
                               const Initializer& how, const Rng& rng);

// A weight is read by linear() or conv2d() alone; a table is read by embedding() or is the weight of an output layer.
// `dhyan quantize` may store both in int8.
const Parameter* add_weight(ParameterSet& parameters, const std::string& name, const Shape& shape,  // [I,O]
                            const Initializer& how, const Rng& rng);
const Parameter* add_table(ParameterSet& parameters, const std::string& name, const Shape& shape,  // [V,H]
                           const Initializer& how, const Rng& rng);

}  // namespace dhyan
