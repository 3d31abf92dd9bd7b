#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/picture.h"

namespace dhyan {

// Where a model looks while it writes a word.
struct WordMap {
  std::string word;
  std::vector<double> weights;  // [rows,columns] of the grid; they sum to 1
};

// A picture, its caption, and the attention of each word over the grid of cells that the encoder makes of the picture.
struct PictureMaps {
  std::string name;  // of the picture, such as its file
  Picture picture;   // as the encoder saw it: the grid covers all of it
  std::string caption;
  std::optional<double> log_probability = {};  // of the caption
  Index rows = 0;                              // of the grid
  Index columns = 0;
  std::vector<WordMap> words;  // in reading order; empty for a model without attention
  bool attends = true;         // false for such a model
};

// Throws ShapeError unless the picture has pixels and each word has a weight for each cell.
void expect_maps(const PictureMaps& maps);

// The cell with the greatest weight.
struct Peak {
  Index row = 0;
  Index column = 0;
  double weight = 0;
};
Peak peak_of(const PictureMaps& maps, const WordMap& word);

// "dog: greatest weight 0.3125, in row 3 of 7 and column 4 of 7".
std::string peak_in_words(const PictureMaps& maps, const WordMap& word);

// The weights of a word between the centres of cells, too, by a Gaussian as in the figures of [xu2015], and scaled so
// that the greatest is 1: [height,width].
std::vector<double> smooth_weights(const PictureMaps& maps, const WordMap& word, Index height, Index width);

// Maps are shown as light: a dark veil covers the picture and lifts where the model looks. A dark picture is brightened
// and the light is hazy, or neither would show.
class Lighting {
 public:
  explicit Lighting(const Picture& picture);

  // The picture under the veil.
  const Picture& lit() const { return lit_; }

  // The colour over a pixel, given its smooth weight.
  struct Cover {
    std::array<double, 3> colour;
    double opacity;
  };
  Cover over(double smooth_weight) const;

 private:
  Picture lit_;
  double haze_;  // opacity of the light where it is brightest
};

}  // namespace dhyan
