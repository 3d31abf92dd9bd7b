#pragma once

#include <vector>

#include "explain/unit_edits.h"
#include "server/parameters.h"

namespace dhyan::server {

// "edits" of a request: [{"step": 3, "layer": 1, "head": 2, "weights": [0.2, 0.8]}], by step. No two are of one row.
std::vector<UnitEdit> given_edits(const Parameters& parameters);

}  // namespace dhyan::server
