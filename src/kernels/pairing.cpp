#include "kernels/pairing.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan::kernels {

Index Pairing::count() const {
  if (queries.count() != keys.count()) {
    throw ShapeError(cat("attention: queries are of ", queries.count(), " sentences, keys of ", keys.count()));
  }
  if (heads < 1) throw ShapeError(cat("attention: ", heads, " heads, expected at least 1"));
  Index count = 0;
  for (Index b = 0; b < queries.count(); ++b) count += heads * queries.length(b) * keys.length(b);
  return count;
}

KeyRange Visible::range(Index row, Index S) const {
  if (!limited_) return {0, S};
  const KeyRange& window = ranges_[static_cast<std::size_t>(row)];
  const Index begin = std::clamp<Index>(window.begin, 0, S);
  return {begin, std::clamp(window.end, begin, S)};
}

void Visible::check(const Pairing& pairing) const {
  if (limited_ && std::ssize(ranges_) != pairing.queries.rows()) {
    throw ShapeError(cat("attention: ", ranges_.size(), " windows for ", pairing.queries.rows(), " queries"));
  }
}

}  // namespace dhyan::kernels
