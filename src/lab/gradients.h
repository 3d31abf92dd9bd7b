#pragma once

#include "lab/findings.h"
#include "lab/lab_run.h"
#include "lab/recall.h"

namespace dhyan::lab {

struct GradientsSize {
  Index longest = 100;  // distance
  RecallSize network = {};
  Index answers = 8;
  Index steps = 4000;    // of training
  Index batch = 32;      // sentences
  Index sentences = 16;  // that the gradient is measured on, for each distance
  double learning_rate = 3e-3;
};

// [pascanu2013]: how far back a gradient reaches, with each cell, with and without attention.
Findings run_gradients(LabRun& run, const GradientsSize& size);

// ln 2 / the rate at which ln y falls with x, by least squares over positive values; infinite where it does not fall.
double half_life(const std::vector<Point>& curve);

}  // namespace dhyan::lab
