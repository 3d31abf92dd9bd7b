#include "kernels/elementwise/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace dhyan::kernels {

namespace {

// Eight independent sums, which the compiler can vectorize.
double dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= a.size(); i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

void subtract(std::span<const double> a, double factor, std::span<double> from) {
  for (std::size_t i = 0; i < a.size(); ++i) from[i] -= factor * a[i];
}

// A random unit vector orthogonal to the rows above (modified Gram-Schmidt).
void draw_row(Rng& rng, std::span<const double> above, std::span<double> row) {
  constexpr double kTooShort = 1e-6;  // the rest would be rounding error: draw again
  double length = 0;
  while (length < kTooShort) {
    for (double& x : row) x = rng.normal();
    for (std::size_t i = 0; i < above.size(); i += row.size()) {
      const std::span<const double> other = above.subspan(i, row.size());
      subtract(other, dot(other, row), row);
    }
    length = std::sqrt(dot(row, row));
  }
  for (double& x : row) x /= length;
}

}  // namespace

void fill_uniform(Rng& rng, double range, Matrix w) {
  for (Index i = 0; i < w.rows; ++i) {
    for (Index j = 0; j < w.cols; ++j) w.row(i)[j] = static_cast<Real>(rng.uniform(-range, range));
  }
}

void fill_orthogonal(Rng& rng, Matrix w) {
  const auto vectors = static_cast<std::size_t>(std::min(w.rows, w.cols));
  const auto width = static_cast<std::size_t>(std::max(w.rows, w.cols));
  std::vector<double> q(vectors * width);
  const std::span<double> all = q;
  for (std::size_t v = 0; v < vectors; ++v) draw_row(rng, all.first(v * width), all.subspan(v * width, width));
  const bool wide = w.rows <= w.cols;
  for (Index i = 0; i < w.rows; ++i) {
    for (Index j = 0; j < w.cols; ++j) {
      const Index at = wide ? i * w.cols + j : j * w.rows + i;
      w.row(i)[j] = static_cast<Real>(q[static_cast<std::size_t>(at)]);
    }
  }
}

void fill_sinusoids(Matrix w, const SinusoidForm& form) {
  const bool halves = form.columns == SinusoidColumns::kHalves;
  const Index sines = halves ? w.cols / 2 : (w.cols + 1) / 2;
  for (Index j = 0; j < w.cols; ++j) {
    const bool sine = halves ? j < sines : j % 2 == 0;
    const Index i = halves ? (sine ? j : j - sines) : j / 2;
    const auto steps = static_cast<double>(form.rates == SinusoidRates::kOpen ? w.cols : w.cols / 2 - 1);
    const double exponent = static_cast<double>(form.rates == SinusoidRates::kOpen ? 2 * i : i) / std::max(steps, 1.0);
    const double rate = std::pow(10000.0, -exponent);
    for (Index p = 0; p < w.rows; ++p) {
      const double angle = static_cast<double>(form.first + p) * rate;
      w.row(p)[j] = static_cast<Real>(sine ? std::sin(angle) : std::cos(angle));
    }
  }
}

}  // namespace dhyan::kernels
