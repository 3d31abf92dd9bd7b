#pragma once

#include <array>
#include <string_view>

#include "metrics/alignment.h"

namespace dhyan {

// How the links of two directions become one alignment ([koehn2005]).
enum class Symmetrization { kIntersection, kUnion, kGrowDiag, kGrowDiagFinalAnd };
struct SymmetrizationKind {
  std::string_view name;
  Symmetrization value;
  std::string_view description;
};
inline constexpr std::array kSymmetrizations = {
    SymmetrizationKind{"intersection", Symmetrization::kIntersection, "links of both directions"},
    SymmetrizationKind{"union", Symmetrization::kUnion, "links of either direction"},
    SymmetrizationKind{"grow-diag", Symmetrization::kGrowDiag,
                       "the intersection, and links of the union next to a link, if one of their words has none"},
    SymmetrizationKind{"grow-diag-final-and", Symmetrization::kGrowDiagFinalAnd,
                       "grow-diag, and then links of either direction whose words both have none"},
};

// `forward` links each target word, `reverse` each source word; both are (source, target). Sorted, each link once.
Links symmetrize(Symmetrization kind, const Links& forward, const Links& reverse);

// 2 |A ∩ B| / (|A| + |B|), summed over sentences.
struct LinkAgreement {
  Index common = 0, all = 0;

  void add(const Links& a, const Links& b);  // sorted
  double value() const { return all == 0 ? 0 : 2.0 * static_cast<double>(common) / static_cast<double>(all); }
};

}  // namespace dhyan
