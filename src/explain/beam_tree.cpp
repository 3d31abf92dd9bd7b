#include "explain/beam_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "explain/html.h"
#include "explain/numbers.h"
#include "explain/png.h"
#include "explain/records.h"
#include "explain/svg.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr std::array kBeamFormats = {
    BeamFormat{"text", ".txt", beam_text},  BeamFormat{"svg", ".svg", beam_svg},
    BeamFormat{"html", ".html", beam_html}, BeamFormat{"png", ".png", beam_png},
    BeamFormat{"json", ".json", beam_json},
};

std::string_view fate_name(BeamNode::Fate fate) {
  switch (fate) {
    case BeamNode::Fate::kKept:
      return "kept";
    case BeamNode::Fate::kPruned:
      return "pruned";
    case BeamNode::Fate::kEnded:
      return "ended";
  }
  return "";
}

std::string_view mark_of(const BeamTree::Node& node) {
  switch (node.fate) {
    case BeamNode::Fate::kKept:
      return "●";
    case BeamNode::Fate::kPruned:
      return "×";
    case BeamNode::Fate::kEnded:
      return "✔";
  }
  return "";
}

// The text of a hypothesis, and </s> where it has ended.
std::string text_up_to(const BeamRecord& record, Index node, const Tokenizer& target) {
  std::vector<TokenId> tokens;
  for (Index at = node; at >= 0; at = record.nodes[static_cast<std::size_t>(at)].parent) {
    tokens.push_back(record.nodes[static_cast<std::size_t>(at)].token);
  }
  std::ranges::reverse(tokens);
  std::string text = target.decode(tokens);
  if (tokens.back() == kEnd) text += cat(text.empty() ? "" : " ", kSpecialTokens[kEnd]);
  return text;
}

std::string beam_table(const BeamTree& tree) {
  std::string html =
      "<table>\n<thead><tr><th>step</th><th>p</th><th>log "
      "p</th><th>score</th><th>fate</th><th>words</th></tr></thead>\n"
      "<tbody>\n";
  for (const BeamTree::Node& node : tree.nodes) {
    html += cat("<tr><td>", node.step, "</td><td>", fixed(node.probability, 4), "</td><td>",
                fixed(node.log_probability, 4), "</td><td>", fixed(node.score, 4), "</td><td>", fate_name(node.fate),
                "</td>", foreign("td", node.text, " style=\"text-align: start\""), "</tr>\n");
  }
  return html + "</tbody>\n</table>\n";
}

}  // namespace

std::span<const BeamFormat> beam_formats() { return kBeamFormats; }

Index last_step(const BeamTree& tree) {
  Index last = 0;
  for (const BeamTree::Node& node : tree.nodes) last = std::max(last, node.step);
  return last;
}

BeamTree beam_tree(std::string_view source, std::string_view translation, const BeamRecord& record,
                   const Tokenizer& target) {
  BeamTree tree{
      .source = std::string(source), .translation = std::string(translation), .nodes = {}, .found = record.best};
  for (std::size_t i = 0; i < record.nodes.size(); ++i) {
    const BeamNode& node = record.nodes[i];
    tree.nodes.push_back({node.parent, node.step, std::string(target.piece(node.token)),
                          text_up_to(record, static_cast<Index>(i), target), node.fate, false,
                          std::exp(node.token_score), node.log_probability, node.score});
  }
  const Index end = record.best.empty() ? -1 : record.best.front();
  for (Index at = end; at >= 0; at = tree.nodes[static_cast<std::size_t>(at)].parent) {
    tree.nodes[static_cast<std::size_t>(at)].best = true;
  }
  return tree;
}

std::string beam_text(const BeamTree& tree, const RenderOptions& options) {
  std::string text = cat(shown(tree.source), '\n', shown(tree.translation), '\n');
  for (Index step = 1; step <= last_step(tree); ++step) {
    text += cat("\nstep ", step, "        p     log p     score\n");
    for (const BeamTree::Node& node : tree.nodes) {
      if (node.step != step) continue;
      const std::string p = padded(fixed(node.probability, 3), 6, Align::kRight);
      text += cat(node.best ? " * " : "   ", mark_of(node), "  ",
                  options.colour == Colour::kYes ? shaded(p, node.probability) : p,
                  padded(fixed(node.log_probability, 3), 10, Align::kRight),
                  padded(fixed(node.score, 3), 10, Align::kRight), "  ", shown(node.text), '\n');
    }
  }
  return text + "\n● kept   ✔ ended   × given up   * the way to the translation\n";
}

std::string beam_json(const BeamTree& tree, const RenderOptions&) {
  std::string nodes, found;
  for (const BeamTree::Node& node : tree.nodes) {
    nodes += cat(nodes.empty() ? "\n    " : ",\n    ", "{\"parent\": ", node.parent, ", \"step\": ", node.step,
                 ", \"token\": ", json_string(node.word), ", \"text\": ", json_string(node.text),
                 ", \"fate\": ", json_string(fate_name(node.fate)), ", \"best\": ", node.best ? "true" : "false",
                 ", \"probability\": ", number(node.probability, "null"),
                 ", \"log_probability\": ", number(node.log_probability, "null"),
                 ", \"score\": ", number(node.score, "null"), "}");
  }
  for (const Index node : tree.found) found += cat(found.empty() ? "" : ", ", node);
  return cat("{\n  \"source\": ", json_string(tree.source), ",\n  \"translation\": ", json_string(tree.translation),
             ",\n  \"found\": [", found, "],\n  \"nodes\": [", nodes, "\n  ]\n}\n");
}

std::string beam_svg(const BeamTree& tree, const RenderOptions&) { return standalone_svg(draw_beam(tree), "beam"); }

std::string beam_html(const BeamTree& tree, const RenderOptions&) {
  std::optional<double> log_p;
  if (!tree.found.empty()) log_p = tree.nodes[static_cast<std::size_t>(tree.found.front())].log_probability;
  return html_page(tree.source, tree.translation, log_p,
                   html_figure("beam", draw_beam(tree), "beam", beam_table(tree)));
}

std::string beam_png(const BeamTree& tree, const RenderOptions& options) { return svg_to_png(beam_svg(tree, options)); }

}  // namespace dhyan
