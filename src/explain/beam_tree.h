#pragma once

#include "decoding/beam_record.h"
#include "explain/drawing.h"
#include "explain/formats.h"

namespace dhyan {

// How the search for a translation went, for people and for programs to look at: every word that was kept, and the best
// of those given up.
struct BeamTree {
  struct Node {
    Index parent = -1;  // below 0: follows <s>
    Index step = 0;     // from 1: which word, or which subword, of the hypothesis it is
    std::string word;   // as it is called in pictures
    std::string text;   // of the hypothesis that ends here
    BeamNode::Fate fate = BeamNode::Fate::kKept;
    bool best = false;           // on the way to the translation
    double probability = 0;      // of the word
    double log_probability = 0;  // of all words up to here
    double score = 0;            // were it to end here
  };

  std::string source;
  std::string translation;
  Units units = Units::kWords;
  std::vector<Node> nodes;   // parents first; of a step, the best first and what was given up last
  std::vector<Index> found;  // nodes where the hypotheses that were returned end, best first
};

// In words, a node is a whole word whose probability is the product of its pieces'; hypotheses that share only the
// first pieces of a word part before it. A word that search gave up or left in the middle is shown as far as it went.
BeamTree beam_tree(std::string_view source, std::string_view translation, const BeamRecord& record,
                   const Tokenizer& target, Units units = Units::kWords);

Index last_step(const BeamTree& tree);

// Word by word: ● kept, ✔ ended, × given up, the way to the translation marked *.
std::string beam_text(const BeamTree& tree, const RenderOptions& options);
std::string beam_json(const BeamTree& tree, const RenderOptions& options);
std::string beam_svg(const BeamTree& tree, const RenderOptions& options);
std::string beam_html(const BeamTree& tree, const RenderOptions& options);
std::string beam_png(const BeamTree& tree, const RenderOptions& options);

// Words across, hypotheses below one another, the best first and what was given up last. A word is the darker the more
// probable it was.
Drawing draw_beam(const BeamTree& tree);

// The ways to show one: text the first.
struct BeamFormat {
  std::string_view name;
  std::string_view extension;  // of its files
  std::string (*render)(const BeamTree& tree, const RenderOptions& options);
};
std::span<const BeamFormat> beam_formats();

}  // namespace dhyan
