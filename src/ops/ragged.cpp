#include "ops/ragged.h"

#include "core/error.h"

namespace dhyan {

void expect_rows(const char* op, const Var& x, const Segments& segments) {
  if (x.rows() == segments.rows()) return;
  throw ShapeError(cat(op, ": x is ", x.shape(), ", segments are of ", segments.rows(), " rows"));
}

void expect_sentences(const char* op, const Var& x, const Segments& segments) {
  if (x.rows() == segments.count()) return;
  throw ShapeError(cat(op, ": x is ", x.shape(), ", segments are of ", segments.count(), " sentences"));
}

Ragged make_ragged(const Var& rows, const Segments& segments) {
  expect_rows("make_ragged", rows, segments);
  return {rows, segments};
}

}  // namespace dhyan
