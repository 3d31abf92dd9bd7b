#pragma once

#include "autograd/var.h"
#include "core/segments.h"

namespace dhyan {

// Token rows of a batch, and which of them belong to which sentence.
struct Ragged {
  Var rows;           // [R,H]
  Segments segments;  // of R rows
};

// Throws ShapeError unless there are as many rows as the segments have.
Ragged make_ragged(const Var& rows, const Segments& segments);

// The same check for an op named `op`: "segment_sum: x is [3,2], segments are of 4 rows".
void expect_rows(const char* op, const Var& x, const Segments& segments);

// x has one row for each sentence: "repeat_rows: x is [3,2], segments are of 4 sentences".
void expect_sentences(const char* op, const Var& x, const Segments& segments);

}  // namespace dhyan
