#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/number_text.h"

namespace dhyan {

// A weight in at most three characters: ".86", "1.0", and a dot for a weight that rounds to 0.
std::string short_number(double weight);

// A value with its significant digits, without trailing zeros, for programs; `otherwise` if it is NaN or infinite.
std::string number(double value, std::string_view otherwise, int digits = 7);

// "log p = -0.2500 (p = 0.779)".
std::string probability_in_words(double log_probability);

// √Σ x².
double norm(std::span<const double> values);

// The greatest finite |x|; 0 if there is none.
double greatest_size(std::span<const double> values);

// The sentence that a model without attention shows instead of a map.
std::string context_vector_in_words(std::span<const double> context_vector);

}  // namespace dhyan
