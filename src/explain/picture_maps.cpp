#include "explain/picture_maps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/number_text.h"
#include "text/display.h"
#include "vision/is_whole.h"

namespace dhyan {

namespace {

// The share of each cell in each of `size` pixels, along one axis of the grid: [size,cells], each row sums to 1.
std::vector<double> gaussian_shares(Index size, Index cells) {
  constexpr double kSigma = 0.5;  // of a cell
  std::vector<double> shares;
  for (Index pixel = 0; pixel < size; ++pixel) {
    const double at = (static_cast<double>(pixel) + 0.5) * static_cast<double>(cells) / static_cast<double>(size) - 0.5;
    double sum = 0;
    for (Index cell = 0; cell < cells; ++cell) {
      const double far = (static_cast<double>(cell) - at) / kSigma;
      sum += shares.emplace_back(std::exp(-far * far / 2));
    }
    for (auto share = shares.end() - cells; share != shares.end(); ++share) *share /= sum;
  }
  return shares;
}

constexpr double kBright = 0.45;

// The mean of all values, from 0 to 1.
double brightness(const Picture& picture) {
  const double sum = std::accumulate(picture.pixels.begin(), picture.pixels.end(), 0.0);
  return sum / (255 * static_cast<double>(picture.pixels.size()));
}

// Up to kBright, but not so far that noise shows.
Picture brightened(Picture picture) {
  constexpr double kStrongest = 0.6;
  const double mean = std::max(brightness(picture), 1e-3);
  if (mean >= kBright) return picture;
  const double exponent = std::max(std::log(kBright) / std::log(mean), kStrongest);
  std::array<std::uint8_t, 256> table{};
  for (std::size_t value = 0; value < table.size(); ++value) {
    table[value] = static_cast<std::uint8_t>(std::lround(255 * std::pow(static_cast<double>(value) / 255, exponent)));
  }
  for (std::uint8_t& value : picture.pixels) value = table[value];
  return picture;
}

double finite_weight(double weight) { return weight > 0 && std::isfinite(weight) ? weight : 0; }

}  // namespace

void expect_maps(const PictureMaps& maps) {
  if (!is_whole(maps.picture)) throw ShapeError(cat(maps.name, ": the picture to explain has no pixels"));
  for (const WordMap& word : maps.words) {
    if (maps.rows >= 1 && maps.columns >= 1 && static_cast<Index>(word.weights.size()) == maps.rows * maps.columns) {
      continue;
    }
    throw ShapeError(cat(maps.name, ": '", word.word, "' has ", word.weights.size(), " weights for a grid of ",
                         maps.rows, " x ", maps.columns));
  }
}

Peak peak_of(const PictureMaps& maps, const WordMap& word) {
  Peak peak;
  for (Index cell = 0; cell < maps.rows * maps.columns; ++cell) {
    const double weight = finite_weight(word.weights[static_cast<std::size_t>(cell)]);
    if (weight > peak.weight) peak = {cell / maps.columns, cell % maps.columns, weight};
  }
  return peak;
}

std::string peak_in_words(const PictureMaps& maps, const WordMap& word) {
  const Peak peak = peak_of(maps, word);
  return cat(shown(word.word), ": greatest weight ", fixed(peak.weight, 4), ", in row ", peak.row + 1, " of ",
             maps.rows, " and column ", peak.column + 1, " of ", maps.columns);
}

std::vector<double> smooth_weights(const PictureMaps& maps, const WordMap& word, Index height, Index width) {
  const std::vector<double> down = gaussian_shares(height, maps.rows);       // [height,rows]
  const std::vector<double> across = gaussian_shares(width, maps.columns);   // [width,columns]
  std::vector<double> wide(static_cast<std::size_t>(maps.rows * width), 0);  // [rows,width]
  for (Index row = 0; row < maps.rows; ++row) {
    for (Index x = 0; x < width; ++x) {
      double& sum = wide[static_cast<std::size_t>(row * width + x)];
      for (Index column = 0; column < maps.columns; ++column) {
        sum += finite_weight(word.weights[static_cast<std::size_t>(row * maps.columns + column)]) *
               across[static_cast<std::size_t>(x * maps.columns + column)];
      }
    }
  }
  std::vector<double> smooth(static_cast<std::size_t>(height * width), 0);  // [height,width]
  for (Index y = 0; y < height; ++y) {
    for (Index row = 0; row < maps.rows; ++row) {
      const double share = down[static_cast<std::size_t>(y * maps.rows + row)];
      for (Index x = 0; x < width; ++x) {
        smooth[static_cast<std::size_t>(y * width + x)] += share * wide[static_cast<std::size_t>(row * width + x)];
      }
    }
  }
  const double greatest = *std::ranges::max_element(smooth);
  if (greatest > 0) std::ranges::transform(smooth, smooth.begin(), [&](double weight) { return weight / greatest; });
  return smooth;
}

Lighting::Lighting(const Picture& picture) : lit_(brightened(picture)) {
  constexpr double kMostHaze = 0.65, kLeastHaze = 0.08;
  haze_ = std::max(kLeastHaze, kMostHaze * (1 - brightness(lit_) / kBright));
}

Lighting::Cover Lighting::over(double smooth_weight) const {
  constexpr std::array<double, 3> kVeil{10, 14, 22}, kLight{255, 250, 238};
  constexpr double kDarkest = 0.82;
  const double weight = std::clamp(smooth_weight, 0.0, 1.0);
  const double light = weight * weight * (3 - 2 * weight);  // flat at both ends
  const double veil = kDarkest * (1 - light), haze = haze_ * light;
  Cover cover{{}, veil + haze};
  for (std::size_t k = 0; k < 3; ++k) cover.colour[k] = (kVeil[k] * veil + kLight[k] * haze) / cover.opacity;
  return cover;
}

}  // namespace dhyan
