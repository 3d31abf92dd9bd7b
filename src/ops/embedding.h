#pragma once

#include <span>

#include "autograd/tape.h"

namespace dhyan {

// [V,H] -> [n,H]: row i is row ids[i] of the table. Backward writes only the rows that were used. The scope is the
// table's. Throws DataError for an id outside [0,V).
Var embedding(Scope& scope, const Var& table, std::span<const RowId> ids);

struct LookUp {
  Var table;                   // [.,H]
  std::span<const RowId> ids;  // [n]
};

// Looks up words and places and returns factor * words + places, in one pass. UsageError if there is a tape.
Var placed_embedding(Scope& scope, const LookUp& words, Real factor, const LookUp& places);  // [n,H]

}  // namespace dhyan
