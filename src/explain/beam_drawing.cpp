#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "explain/beam_tree.h"
#include "explain/number_format.h"

namespace dhyan {

namespace {

constexpr double kNodeHeight = 24, kRowHeight = 46, kBetweenSteps = 44, kHead = 18;
constexpr double kBeamLeft = kMargin + kSmallSize * kLineHeight;  // right of the axis name

constexpr double kBeamTop = kMargin + kSmallSize * kLineHeight + kHead;  // below the axis name and the step numbers
constexpr std::string_view kDownName = "hypotheses, best first";

// The positions of nodes: the middle of each left edge. All nodes of a step have the same width.
struct BeamLayout {
  std::vector<Point> places;    // [nodes]
  std::vector<double> widths;   // [nodes]
  std::vector<double> columns;  // [steps] left edges
  double width = 0, height = 0;
};

std::string number_below(const BeamTree::Node& node) {
  return node.fate == BeamNode::Fate::kEnded ? cat("score ", fixed(node.score, 2)) : fixed(node.log_probability, 2);
}

BeamLayout beam_layout(const BeamTree& tree, const std::vector<std::string>& words) {
  BeamLayout at;
  const auto steps = static_cast<std::size_t>(last_step(tree));
  std::vector<double> widest(steps, 0);
  std::vector<double> rows(steps, 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto step = static_cast<std::size_t>(tree.nodes[i].step - 1);
    widest[step] = std::max({widest[step], widest_estimate({words[i]}, kFontSize) + 14,
                             widest_estimate({number_below(tree.nodes[i])}, kSmallSize)});
  }
  double x = kBeamLeft;
  for (std::size_t step = 0; step < steps; ++step) {
    at.columns.push_back(x);
    x += std::max(widest[step], 40.0) + kBetweenSteps;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto step = static_cast<std::size_t>(tree.nodes[i].step - 1);
    at.widths.push_back(std::max(widest[step], 40.0));
    at.places.push_back({at.columns[step], kBeamTop + kRowHeight * (rows[step] + 0.5)});
    rows[step] += 1;
  }
  at.width = std::max(x - kBetweenSteps + kMargin, kNarrowest);
  const double nodes = kRowHeight * (rows.empty() ? 0 : *std::ranges::max_element(rows));
  at.height = kBeamTop + std::max(nodes, widest_estimate({std::string(kDownName)}, kSmallSize)) + 8;
  return at;
}

std::string_view class_of(const BeamTree::Node& node) {
  if (node.best) return "best";
  return node.fate == BeamNode::Fate::kPruned ? "pruned" : "kept";
}

std::string edge_to(const BeamTree& tree, const BeamLayout& at, std::size_t i) {
  const auto parent = static_cast<std::size_t>(tree.nodes[i].parent);
  const Point from{at.places[parent].x + at.widths[parent], at.places[parent].y}, to = at.places[i];
  const double middle = (from.x + to.x) / 2;
  return cat("<path class=\"edge ", class_of(tree.nodes[i]), "\" d=\"M", from.x, ' ', from.y, " C", middle, ' ', from.y,
             ' ', middle, ' ', to.y, ' ', to.x, ' ', to.y, "\"/>\n");
}

std::string node_in_words(const BeamTree::Node& node) {
  return cat(node.text, ": p ", fixed(node.probability, 4), ", log p ", fixed(node.log_probability, 4), ", score ",
             fixed(node.score, 4));
}

std::string node_at(const BeamTree::Node& node, const std::string& word, Point at, double width) {
  const bool dark = node.probability >= kDarkCell && node.fate != BeamNode::Fate::kPruned;
  return cat("<g class=\"", class_of(node), "\"><title>", xml_text(node_in_words(node)),
             "</title><rect class=\"cell\" rx=\"5\" x=\"", at.x, "\" y=\"", at.y - kNodeHeight / 2, "\" width=\"",
             width, "\" height=\"", kNodeHeight, "\" fill-opacity=\"",
             fixed(node.fate == BeamNode::Fate::kPruned ? 0 : std::clamp(node.probability, 0.0, 1.0), 3), "\"/>",
             svg_text(dark ? "number on-dark" : "number", {at.x + width / 2, at.y + 5}, word),
             svg_text("number small", {at.x + width / 2, at.y + kNodeHeight / 2 + 11}, number_below(node)), "</g>\n");
}

std::string beam_reading(const BeamTree& tree, const std::vector<std::string>& words) {
  const std::string marks = marks_in_words(words);
  return cat(
      "Each path from left to right is a hypothesis; the orange one is the translation. The number below a word is log "
      "p "
      "up to that word; below a finished hypothesis it is the score, log p normalised by length (by default log p / "
      "length). Search ranks finished hypotheses by score. Darker words are more probable. Dashed words were pruned",
      tree.units == Units::kWords ? ", some before they were complete." : ".", marks.empty() ? "" : " ", marks);
}

}  // namespace

Drawing draw_beam(const BeamTree& tree) {
  std::vector<std::string> words;
  for (const BeamTree::Node& node : tree.nodes) words.push_back(node.word);
  words = shortened(words);
  const BeamLayout at = beam_layout(tree, words);
  Drawing drawing{at.width, at.height, "", "Beam search", cat("Translation: ", tree.translation, ".")};
  const bool in_words = tree.units == Units::kWords;
  drawing.elements += axis_across({kBeamLeft, kMargin + kSmallSize},
                                  in_words ? "words of the translation" : "subwords of the translation");
  drawing.elements += axis_down(kBeamTop, at.height - 8, kDownName);
  for (std::size_t step = 0; step < at.columns.size(); ++step) {
    drawing.elements += svg_text("small", {at.columns[step], kBeamTop - 4}, cat(step + 1));
  }
  for (const bool best : {false, true}) {  // the path of the translation is drawn last, above the others
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (tree.nodes[i].best == best && tree.nodes[i].parent >= 0) drawing.elements += edge_to(tree, at, i);
    }
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    drawing.elements += node_at(tree.nodes[i], words[i], at.places[i], at.widths[i]);
    if (tree.nodes[i].best) drawing.description += cat(' ', node_in_words(tree.nodes[i]), '.');
  }
  append_reading(drawing, beam_reading(tree, words));
  return drawing;
}

}  // namespace dhyan
