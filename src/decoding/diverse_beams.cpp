#include "decoding/diverse_beams.h"

#include <algorithm>

namespace dhyan {

DiverseBeams::DiverseBeams(const SearchOptions& options, const SearchTask& task, Index b) : options_(options) {
  for (Index group = 0; group < options.groups; ++group) groups_.emplace_back(options, task, b);
}

void DiverseBeams::add_live(LiveBatch& live) const {
  for (const Beam& group : groups_) group.add_live(live);
}

void DiverseBeams::advance(const StepView& step, Index first_row) {
  TakenWords taken;
  for (Beam& group : groups_) {
    const Index rows = group.live();
    if (rows == 0) continue;
    group.advance(step, first_row, taken);
    first_row += rows;
  }
}

std::vector<Beam::Result> DiverseBeams::results() const {
  std::vector<Beam::Result> all;
  Index nodes = 0;
  for (const Beam& group : groups_) {
    for (Beam::Result& result : group.results()) {
      const auto same = [&](const Beam::Result& other) { return other.hypothesis.tokens == result.hypothesis.tokens; };
      if (std::ranges::any_of(all, same)) continue;
      result.node += nodes;
      all.push_back(std::move(result));
    }
    nodes += std::ssize(group.record());
  }
  std::ranges::stable_sort(all, {},
                           [](const Beam::Result& one) { return std::pair(one.missing, -one.hypothesis.score); });
  all.resize(std::min(all.size(), static_cast<std::size_t>(options_.n_best)));
  return all;
}

std::vector<BeamNode> DiverseBeams::record() const {
  std::vector<BeamNode> all;
  for (const Beam& group : groups_) {
    const Index before = std::ssize(all);
    for (BeamNode node : group.record()) {
      if (node.parent >= 0) node.parent += before;
      all.push_back(node);
    }
  }
  return all;
}

}  // namespace dhyan
