#include "markup/placement.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace dhyan {

namespace {

// An element or another item of a flow; the flow itself is node 0.
struct Node {
  const FlowItem* open = nullptr;  // null: it begins in an earlier flow
  const FlowItem* close = nullptr;
  Index first = 0, last = 0;   // its source parts are [first, last)
  TargetRange aligned;         // with them
  Index begin = 0, end = 0;    // the parts of the translation that it covers
  bool begins_before = false;  // in an earlier flow
  bool ends_after = false;     // in a later flow
  std::vector<std::size_t> children;

  bool is_open_ended() const { return begins_before || ends_after; }
};

class TreeBuilder {
 public:
  TreeBuilder(std::span<const FlowItem> items, const AlignedFlow& aligned) : items_(items), aligned_(aligned) {}

  std::vector<Node> run() {
    nodes_.emplace_back();
    for (const FlowItem& item : items_) {
      pass_parts_before(item.offset);
      if (item.kind == FlowItem::Kind::kClose) {
        close(item);
      } else {
        open(item);
        if (item.kind != FlowItem::Kind::kOpen) end_innermost(item.offset);
      }
    }
    const Index end = aligned_.source.empty() ? 0 : aligned_.source.back().end;
    pass_parts_before(end);
    while (open_.size() > 1) {
      nodes_[open_.back()].ends_after = true;
      end_innermost(end);
    }
    return std::move(nodes_);
  }

 private:
  void pass_parts_before(Index offset) {
    for (; passed_ < std::ssize(aligned_.source) && part_at(passed_).begin < offset; ++passed_)
      nodes_[open_.back()].aligned.add(aligned_.aligned[static_cast<std::size_t>(passed_)]);
  }

  const ByteRange& part_at(Index i) const { return aligned_.source[static_cast<std::size_t>(i)]; }

  void open(const FlowItem& item) {
    Node node;
    node.open = &item;
    node.first = passed_;
    nodes_[open_.back()].children.push_back(nodes_.size());
    open_.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void close(const FlowItem& item) {
    if (open_.size() > 1) {
      nodes_[open_.back()].close = &item;
      end_innermost(item.offset);
      return;
    }
    Node node = std::exchange(nodes_[0], {});  // it holds all nodes before
    node.close = &item;
    node.begins_before = true;
    node.last = passed_;
    node.aligned.add(whole_sentences(node));
    nodes_[0].aligned = node.aligned;
    nodes_[0].children.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void end_innermost(Index offset) {
    Node& node = nodes_[open_.back()];
    node.last = passed_;
    const Index begin = node.open->offset;
    if (begin < offset && node.first > 0 && part_at(node.first - 1).end > begin) {  // it begins inside a word
      --node.first;
      node.aligned.add(aligned_.aligned[static_cast<std::size_t>(node.first)]);
    }
    node.aligned.add(whole_sentences(node));
    open_.pop_back();
    nodes_[open_.back()].aligned.add(node.aligned);
  }

  // All words of the translations of the sentences that a node contains from the first part to the last: those that are
  // aligned with nothing too.
  TargetRange whole_sentences(const Node& node) const {
    const auto& all = aligned_.sentences;
    const auto begin = std::ranges::lower_bound(all, node.first, {}, &AlignedSentence::source_begin);
    const auto end = std::ranges::upper_bound(all, node.last, {}, &AlignedSentence::source_end);
    return begin < end ? TargetRange{begin->target.begin, (end - 1)->target.end} : TargetRange();
  }

  std::span<const FlowItem> items_;
  const AlignedFlow& aligned_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> open_ = {0};
  Index passed_ = 0;  // parts before it are done
};

class Placer {
 public:
  Placer(std::vector<Node> nodes, const AlignedFlow& aligned)
      : nodes_(std::move(nodes)), flow_(aligned), aligned_(aligned.aligned) {
    const std::size_t parts = aligned_.size();
    previous_.assign(parts + 1, -1);
    next_.assign(parts + 1, static_cast<Index>(parts));
    for (std::size_t i = 0; i < parts; ++i) previous_[i + 1] = aligned_[i].empty() ? previous_[i] : Index(i);
    for (std::size_t i = parts; i-- > 0;) next_[i] = aligned_[i].empty() ? next_[i + 1] : Index(i);
    nodes_[0].end = static_cast<Index>(aligned.target.size());
  }

  std::vector<PlacedItem> run() {
    std::vector<PlacedItem> placed;
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, 0}};  // nodes, and how many children are done
    place_children(nodes_[0]);
    while (!open.empty()) {
      auto& [number, done] = open.back();
      const Node& node = nodes_[number];
      if (done == node.children.size()) {
        if (node.close != nullptr) placed.push_back({node.close, node.end});
        open.pop_back();
        continue;
      }
      const std::size_t child = node.children[done++];
      if (nodes_[child].open != nullptr) placed.push_back({nodes_[child].open, nodes_[child].begin});
      place_children(nodes_[child]);
      open.push_back({child, 0});
    }
    return placed;
  }

 private:
  // Gives the children ranges inside their parent's that do not overlap, and sorts them by place.
  void place_children(Node& parent) {
    std::vector<Node*> wide, narrow;
    for (const std::size_t number : parent.children) {
      Node& child = nodes_[number];
      choose_range(child, parent);
      (child.begin < child.end || child.is_open_ended() ? wide : narrow).push_back(&child);
    }
    std::ranges::sort(wide, {}, [this](const Node* node) {
      return std::tuple(rank(*node), node->begin, node->end, node - nodes_.data());
    });
    separate(wide);
    for (Node* node : narrow) move_out(*node, wide);
    std::ranges::sort(parent.children, {}, [this](std::size_t number) {
      const Node& node = nodes_[number];
      return std::tuple(rank(node), node.begin, node.begin < node.end, number);
    });
  }

  static int rank(const Node& node) { return node.begins_before ? 0 : node.ends_after ? 2 : 1; }

  void choose_range(Node& child, const Node& parent) const {
    TargetRange range = child.aligned;
    if (range.empty()) range.begin = range.end = place_beside(child);
    const bool has_words = child.first < child.last;
    if (child.begins_before) range = {parent.begin, has_words ? range.end : parent.begin};
    if (child.ends_after) range = {has_words ? range.begin : parent.end, parent.end};
    child.begin = std::clamp(range.begin, parent.begin, parent.end);
    child.end = std::clamp(range.end, parent.begin, parent.end);
  }

  // Between two sentences, or at the ends of the flow; at its end only behind a mark, which ends a sentence.
  std::optional<Index> place_beside_sentence(const Node& node) const {
    if (node.first < node.last || flow_.sentences.empty()) return std::nullopt;
    const auto next = std::ranges::lower_bound(flow_.sentences, node.first, {}, &AlignedSentence::source_begin);
    if (next == flow_.sentences.end()) {
      const bool ended = node.first == std::ssize(aligned_) && flow_.ends_with_mark;
      return ended ? std::optional(flow_.sentences.back().target.end) : std::nullopt;
    }
    return next->source_begin == node.first ? std::optional(next->target.begin) : std::nullopt;
  }

  // Behind the words of the nearest aligned part on the left, or before those of the nearest one on the right.
  Index place_beside(const Node& node) const {
    if (const auto place = place_beside_sentence(node)) return *place;
    const Index left = previous_[static_cast<std::size_t>(node.first)];
    const Index right = next_[static_cast<std::size_t>(node.last)];
    const bool has_left = left >= 0, has_right = right < std::ssize(aligned_);
    if (!has_left && !has_right) return 0;
    const Index left_distance = node.first - 1 - left, right_distance = right - node.last;
    const bool nearer = left_distance < right_distance || (left_distance == right_distance && leans_left(node));
    if (has_left && (nearer || !has_right)) return aligned_[static_cast<std::size_t>(left)].end;
    return aligned_[static_cast<std::size_t>(right)].begin;
  }

  static bool leans_left(const Node& node) {
    if (node.open == nullptr) return true;
    const FlowItem& item = *node.open;
    return !item.space_before || (item.kind == FlowItem::Kind::kVisible && item.space_after);
  }

  // Cuts overlaps: the first range ends where the second begins; if they begin together, the shorter one comes first.
  static void separate(std::span<Node* const> sorted) {
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      Node& before = *sorted[i - 1];
      Node& node = *sorted[i];
      if (!node.ends_after && (node.begin > before.begin || before.begins_before)) {
        before.end = std::min(before.end, node.begin);
      } else {
        node.begin = std::max(node.begin, before.end);
        node.end = std::max(node.end, node.begin);
      }
    }
  }

  // Moves an empty node out of the range that it is in, to the nearer end.
  static void move_out(Node& node, std::span<Node* const> wide) {
    if (wide.empty()) return;
    if (wide.front()->begins_before) node.begin = std::max(node.begin, wide.front()->end);
    if (wide.back()->ends_after) node.begin = std::min(node.begin, wide.back()->begin);
    const auto behind = std::ranges::partition_point(wide, [&](const Node* one) { return one->begin < node.begin; });
    if (behind != wide.begin()) {
      const Node& around = **(behind - 1);
      if (around.end > node.begin) {
        const bool first_half = node.begin - around.begin < around.end - node.begin;
        node.begin = first_half && !around.begins_before ? around.begin : around.end;
      }
    }
    node.end = node.begin;
  }

  std::vector<Node> nodes_;
  const AlignedFlow& flow_;
  const std::vector<TargetRange>& aligned_;
  std::vector<Index> previous_;  // the last aligned part before each
  std::vector<Index> next_;      // the first aligned part from each on
};

}  // namespace

std::vector<PlacedItem> placed_items(std::span<const FlowItem> items, const AlignedFlow& aligned) {
  return Placer(TreeBuilder(items, aligned).run(), aligned).run();
}

}  // namespace dhyan
