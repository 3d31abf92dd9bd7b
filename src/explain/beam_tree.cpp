#include "explain/beam_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/error.h"
#include "explain/html.h"
#include "explain/number_format.h"
#include "explain/png.h"
#include "explain/records.h"
#include "explain/svg.h"
#include "text/display.h"
#include "text/unicode.h"

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

std::string_view unit_name(Units units) { return std::ranges::find(kUnits, units, &Choice<Units>::value)->name; }

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

std::vector<TokenId> tokens_up_to(const BeamRecord& record, Index node) {
  std::vector<TokenId> tokens;
  for (Index at = node; at >= 0; at = record.nodes[static_cast<std::size_t>(at)].parent) {
    tokens.push_back(record.nodes[static_cast<std::size_t>(at)].token);
  }
  std::ranges::reverse(tokens);
  return tokens;
}

// The text of a hypothesis, with </s> if it has ended.
std::string text_of(std::span<const TokenId> tokens, const Tokenizer& target) {
  std::string text = target.decode(tokens);
  if (tokens.back() == kEnd) text += cat(text.empty() ? "" : " ", kSpecialTokens[kEnd]);
  return text;
}

bool has_text(std::string_view text) {
  for (const Character& character : Characters(text)) {
    if (!is_space(character.code)) return true;
  }
  return false;
}

// The number of tokens up to the last one with text, or up to </s>. Tokens after it are spaces or parts of a character;
// the word they belong to depends on tokens that were never written.
std::size_t settled_tokens(std::span<const TokenId> tokens, const Tokenizer& target) {
  if (tokens.back() == kEnd) return tokens.size();
  const Decoded decoded = decode_pieces(target, tokens);
  std::size_t count = tokens.size();
  while (count > 0 && !has_text(part(decoded.text, decoded.pieces[count - 1]))) --count;
  return count;
}

// Joins the tokens of a search to words. A word is identified by the node of its last token.
class BeamWords {
 public:
  BeamWords(const BeamRecord& record, const Tokenizer& target, Units units)
      : record_(record), parents_(record.nodes.size(), -1), ends_(record.nodes.size(), true) {
    for (const BeamNode& node : record.nodes) {
      if (node.parent >= 0) ends_[static_cast<std::size_t>(node.parent)] = false;
    }
    std::vector<bool> continues(record.nodes.size(), false);  // [nodes] the token continues the previous word
    labels_.resize(record.nodes.size());
    for (std::size_t i = 0; i < record.nodes.size(); ++i) {
      if (ends_[i]) read_path(static_cast<Index>(i), target, units, continues);
    }
    for (std::size_t i = 0; i < record.nodes.size(); ++i) {
      const Index before = record.nodes[i].parent;
      parents_[i] = continues[i] ? parents_[static_cast<std::size_t>(before)] : before;
      if (!continues[i] && before >= 0) ends_[static_cast<std::size_t>(before)] = true;
    }
    for (const Index end : record.best) ends_[static_cast<std::size_t>(end)] = true;
  }

  bool is_end(std::size_t node) const { return ends_[node]; }
  const std::string& label(std::size_t node) const { return labels_[node]; }

  // The last token of the previous word; -1 for the first word.
  Index parent(std::size_t node) const { return parents_[node]; }

  // Position of the word in its hypothesis, from 1.
  Index depth(std::size_t node) const {
    const Index before = parent(node);
    return before < 0 ? 1 : 1 + depth(static_cast<std::size_t>(before));
  }

  double probability(std::size_t node) const {
    double log_probability = 0;
    for (Index at = static_cast<Index>(node); at != parent(node);) {
      const BeamNode& token = record_.nodes[static_cast<std::size_t>(at)];
      log_probability += token.token_score;
      at = token.parent;
    }
    return std::exp(log_probability);
  }

 private:
  // Decides for the tokens on the path to a leaf which of them continue a word, and labels each word up to each token.
  void read_path(Index leaf, const Tokenizer& target, Units units, std::vector<bool>& continues) {
    const std::vector<TokenId> tokens = tokens_up_to(record_, leaf);
    const std::size_t settled = settled_tokens(tokens, target);
    const TokenUnits whole = target_units(target, tokens, units);
    Index node = leaf;
    for (std::size_t k = tokens.size(); k-- > 0; node = record_.nodes[static_cast<std::size_t>(node)].parent) {
      const auto at = static_cast<std::size_t>(node);
      if (k < settled) continues[at] = k > 0 && whole.unit_of[k] == whole.unit_of[k - 1];
      if (!labels_[at].empty()) continue;
      const std::span<const TokenId> up_to = std::span(tokens).first(k + 1);
      labels_[at] = settled_tokens(up_to, target) > k ? target_units(target, up_to, units).labels.back()
                                                      : std::string(target.piece(tokens[k]));
    }
  }

  const BeamRecord& record_;
  std::vector<Index> parents_;       // [nodes]
  std::vector<bool> ends_;           // [nodes] a word may end here
  std::vector<std::string> labels_;  // [nodes] the word up to this token
};

// The nodes where words end, by step; within a step the best first and pruned ones last.
std::vector<std::size_t> ordered_ends(const BeamRecord& record, const BeamWords& words) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < record.nodes.size(); ++i) {
    if (words.is_end(i)) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t i) {
      const BeamNode& node = record.nodes[i];
      return std::tuple(words.depth(i), node.fate == BeamNode::Fate::kPruned, -node.score);
    };
    return rank(a) < rank(b);
  });
  return order;
}

std::string beam_table(const BeamTree& tree) {
  std::string html =
      "<table>\n<thead><tr><th>word</th><th>p</th><th>log "
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
                   const Tokenizer& target, Units units) {
  BeamTree tree{
      .source = std::string(source), .translation = std::string(translation), .units = units, .nodes = {}, .found = {}};
  const BeamWords words(record, target, units);
  std::vector<Index> place(record.nodes.size(), -1);  // [record nodes] index in the tree
  for (const std::size_t i : ordered_ends(record, words)) {
    const BeamNode& node = record.nodes[i];
    const Index before = words.parent(i);
    place[i] = std::ssize(tree.nodes);
    tree.nodes.push_back({before < 0 ? -1 : place[static_cast<std::size_t>(before)], words.depth(i), words.label(i),
                          text_of(tokens_up_to(record, static_cast<Index>(i)), target), node.fate, false,
                          words.probability(i), node.log_probability, node.score});
  }
  for (const Index end : record.best) tree.found.push_back(place[static_cast<std::size_t>(end)]);
  for (Index at = tree.found.empty() ? -1 : tree.found.front(); at >= 0;) {
    BeamTree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
    node.best = true;
    at = node.parent;
  }
  return tree;
}

std::string beam_text(const BeamTree& tree, const RenderOptions& options) {
  std::string text = cat(shown(tree.source), '\n', shown(tree.translation), '\n');
  for (Index step = 1; step <= last_step(tree); ++step) {
    text += cat('\n', padded(cat(unit_name(tree.units), ' ', step), 12), " p     log p     score\n");
    for (const BeamTree::Node& node : tree.nodes) {
      if (node.step != step) continue;
      const std::string p = padded(fixed(node.probability, 3), 6, Align::kRight);
      text += cat(node.best ? " * " : "   ", mark_of(node), "  ",
                  options.colour == Colour::kYes ? shaded(p, node.probability) : p,
                  padded(fixed(node.log_probability, 3), 10, Align::kRight),
                  padded(fixed(node.score, 3), 10, Align::kRight), "  ", shown(node.text), '\n');
    }
  }
  return text + "\n● kept   ✔ ended   × pruned   * path of the translation   </s> end of the sentence\n";
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
  return cat("{\n  \"units\": ", json_string(unit_name(tree.units)), ",\n  \"source\": ", json_string(tree.source),
             ",\n  \"translation\": ", json_string(tree.translation), ",\n  \"found\": [", found, "],\n  \"nodes\": [",
             nodes, "\n  ]\n}\n");
}

std::string beam_svg(const BeamTree& tree, const RenderOptions&) { return standalone_svg(draw_beam(tree), "beam"); }

std::string beam_html(const BeamTree& tree, const RenderOptions&) {
  std::optional<double> log_p;
  if (!tree.found.empty()) log_p = tree.nodes[static_cast<std::size_t>(tree.found.front())].log_probability;
  return html_page(tree.source, tree.translation, log_p,
                   html_figure("beam", draw_beam(tree), "beam", beam_table(tree)));
}

std::string beam_png(const BeamTree& tree, const RenderOptions& options) {
  return svg_to_png(beam_svg(tree, options), options);
}

}  // namespace dhyan
