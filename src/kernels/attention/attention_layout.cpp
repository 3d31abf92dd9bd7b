#include "kernels/attention/attention_layout.h"

#include "core/error.h"

namespace dhyan::kernels {

Index AttentionLayout::count() const {
  if (queries.count() != keys.count()) {
    throw ShapeError(cat("attention: queries are of ", queries.count(), " sentences, keys of ", keys.count()));
  }
  if (heads < 1) throw ShapeError(cat("attention: ", heads, " heads, expected at least 1"));
  Index count = 0;
  for (Index b = 0; b < queries.count(); ++b) count += heads * queries.length(b) * keys.length(b);
  return count;
}

void AttentionMask::check(const AttentionLayout& layout) const {
  if (limited_ && std::ssize(ranges_) != layout.queries.rows()) {
    throw ShapeError(cat("attention: ", ranges_.size(), " windows for ", layout.queries.rows(), " queries"));
  }
}

}  // namespace dhyan::kernels
