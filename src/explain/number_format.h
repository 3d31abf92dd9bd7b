#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/number_text.h"

namespace dhyan {

// A weight in little room: ".86", "1.0", and a dot for what rounds to nothing.
std::string short_number(double weight);

// The digits that count and no zeros behind them, for programs; `otherwise` for what is no finite number.
std::string number(double value, std::string_view otherwise, int digits = 7);

// "log p = -0.2500 (p = 0.779)".
std::string probability_in_words(double log_probability);

// √Σ x².
double norm(std::span<const double> values);

// The greatest |x| that is finite; 0 of none.
double greatest_size(std::span<const double> values);

// What a model without attention has instead of a map, in a sentence.
std::string context_vector_in_words(std::span<const double> context_vector);

}  // namespace dhyan
