#pragma once

#include <span>

#include "core/real.h"
#include "phrasebook/scene_captions.h"

namespace dhyan::picturebook {

// How well attention covers the objects that the content words of captions refer to, as sums over words.
struct AttentionScore {
  double inside = 0;   // mass of attention inside the word's cells
  double uniform = 0;  // the same for uniform weights
  Index hits = 0;      // words whose largest weight is inside
  Index words = 0;     // content words

  double correctness() const { return mean(inside); }                  // attention correctness [liu2017]
  double baseline() const { return mean(uniform); }                    // correctness of uniform weights
  double pointing() const { return mean(static_cast<double>(hits)); }  // pointing game [zhang2016]

  AttentionScore& operator+=(const AttentionScore& other);

 private:
  double mean(double sum) const { return words == 0 ? 0 : sum / static_cast<double>(words); }
};

// The score of a caption with these words (Caption::objects, Verdict::objects). `weights` has a row of rows * columns
// cells for each word; rows of function words are skipped, and a row without mass counts as a miss. ShapeError for
// another number of weights.
AttentionScore attention_score(const Scene& scene, const std::vector<ObjectSet>& words, std::span<const Real> weights,
                               Index rows, Index columns);

}  // namespace dhyan::picturebook
