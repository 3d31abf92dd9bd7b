#include "explain/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"

namespace dhyan {

namespace {

std::string written(double value, int digits) {
  char text[64];
  return {text, std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, digits).ptr};
}

}  // namespace

std::string short_number(double weight) {
  if (std::abs(weight) < 0.005) return "·";
  if (std::abs(weight) >= 0.995) return fixed(weight, 1);
  const std::string text = fixed(weight, 2);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string number(double value, std::string_view otherwise, int digits) {
  return std::isfinite(value) ? written(value == 0 ? 0 : value, digits) : std::string(otherwise);
}

std::string probability_in_words(double log_probability) {
  return cat("log p = ", fixed(log_probability, 4), " (p = ", number(std::exp(log_probability), "–", 3), ")");
}

double norm(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return std::sqrt(sum);
}

double greatest_size(std::span<const double> values) {
  double greatest = 0;
  for (const double x : values) {
    if (std::isfinite(x)) greatest = std::max(greatest, std::abs(x));
  }
  return greatest;
}

std::string context_vector_in_words(std::span<const double> context_vector) {
  return cat("This model does not attend: it encodes the source into one vector of ", context_vector.size(),
             " values (norm ", fixed(norm(context_vector), 2), "), and the decoder sees nothing else of the source.");
}

}  // namespace dhyan
