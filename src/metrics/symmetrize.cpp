#include "metrics/symmetrize.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace dhyan {

namespace {

using LinkSet = std::set<Link>;

LinkSet set_of(const Links& links) { return {links.begin(), links.end()}; }

Links in_both(const LinkSet& a, const LinkSet& b) {
  Links both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

// The alignment so far, and which words have a link.
class GrowingAlignment {
 public:
  explicit GrowingAlignment(const Links& start) {
    for (const Link& link : start) add(link);
  }

  bool has_source(const Link& link) const { return sources_.contains(link.first); }
  bool has_target(const Link& link) const { return targets_.contains(link.second); }
  bool has(const Link& link) const { return links_.contains(link); }

  void add(const Link& link) {
    links_.insert(link);
    sources_.insert(link.first);
    targets_.insert(link.second);
  }

  const LinkSet& links() const { return links_; }

 private:
  LinkSet links_;
  std::set<Index> sources_, targets_;
};

constexpr std::array kNeighbours = {Link{-1, 0},  Link{0, -1}, Link{1, 0},  Link{0, 1},
                                    Link{-1, -1}, Link{-1, 1}, Link{1, -1}, Link{1, 1}};

// One round over all links, those that it adds included; whether it added any.
bool grow(GrowingAlignment& alignment, const LinkSet& either, const Link& end) {
  bool grown = false;
  for (Index target = 0; target < end.second; ++target) {
    for (Index source = 0; source < end.first; ++source) {
      if (!alignment.has({source, target})) continue;
      for (const Link& step : kNeighbours) {
        const Link next{source + step.first, target + step.second};
        if (!either.contains(next) || alignment.has(next)) continue;
        if (alignment.has_source(next) && alignment.has_target(next)) continue;
        alignment.add(next);
        grown = true;
      }
    }
  }
  return grown;
}

// Behind the last source word and the last target word that have links.
Link end_of(const LinkSet& links) {
  Link end{0, 0};
  for (const auto& [source, target] : links) end = {std::max(end.first, source + 1), std::max(end.second, target + 1)};
  return end;
}

void add_final(GrowingAlignment& alignment, const LinkSet& direction) {
  for (const Link& link : direction) {
    if (!alignment.has_source(link) && !alignment.has_target(link)) alignment.add(link);
  }
}

}  // namespace

Links symmetrize(Symmetrization kind, const Links& forward, const Links& reverse) {
  const LinkSet first = set_of(forward), second = set_of(reverse);
  if (kind == Symmetrization::kIntersection) return in_both(first, second);
  LinkSet either = first;
  either.insert(second.begin(), second.end());
  if (kind == Symmetrization::kUnion) return {either.begin(), either.end()};
  GrowingAlignment alignment(in_both(first, second));
  while (grow(alignment, either, end_of(either))) continue;
  if (kind == Symmetrization::kGrowDiagFinalAnd) {
    add_final(alignment, first);
    add_final(alignment, second);
  }
  return {alignment.links().begin(), alignment.links().end()};
}

void LinkAgreement::add(const Links& a, const Links& b) {
  Links both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  common += std::ssize(both);
  all += std::ssize(a) + std::ssize(b);
}

}  // namespace dhyan
