#pragma once

#include <span>

#include "autograd/tape.h"

namespace dhyan {

// [V,H] -> [n,H]: row i is row ids[i] of the table. Backward writes only the rows that were used. The scope is the
// table's. Throws DataError for an id outside [0,V).
Var embedding(Scope& scope, const Var& table, std::span<const RowId> ids);

}  // namespace dhyan
