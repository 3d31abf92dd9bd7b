#pragma once

#include "decoding/beam_record.h"
#include "explain/drawing.h"
#include "explain/formats.h"

namespace dhyan {

// The beam search for one translation: every hypothesis that was kept, and the best of the pruned ones.
struct BeamTree {
  struct Node {
    Index parent = -1;  // -1: follows <s>
    Index step = 0;     // from 1: position of the word, or subword, in its hypothesis
    std::string word;   // its label in pictures
    std::string text;   // of the hypothesis up to here
    BeamNode::Fate fate = BeamNode::Fate::kKept;
    bool best = false;           // on the path of the translation
    double probability = 0;      // of the word
    double log_probability = 0;  // of all words up to here
    double score = 0;            // of the hypothesis if it ended here
  };

  std::string source;
  std::string translation;
  Units units = Units::kWords;
  std::vector<Node> nodes;   // parents first; within a step the best first and pruned ones last
  std::vector<Index> found;  // last nodes of the returned hypotheses, best first
};

// With Units::kWords a node is a whole word; its probability is the product of its pieces' probabilities. Hypotheses
// that share only the first pieces of a word branch before that word. For a word that search pruned or did not
// complete, the node shows the part that was written.
BeamTree beam_tree(std::string_view source, std::string_view translation, const BeamRecord& record,
                   const Tokenizer& target, Units units = Units::kWords);

Index last_step(const BeamTree& tree);

// Word by word: ● kept, ✔ ended, × pruned; * marks the path of the translation.
std::string beam_text(const BeamTree& tree, const RenderOptions& options);
std::string beam_json(const BeamTree& tree, const RenderOptions& options);
std::string beam_svg(const BeamTree& tree, const RenderOptions& options);
std::string beam_html(const BeamTree& tree, const RenderOptions& options);
std::string beam_png(const BeamTree& tree, const RenderOptions& options);

// Steps from left to right, hypotheses from the best down to the pruned ones. Darker words are more probable.
Drawing draw_beam(const BeamTree& tree);

// The output formats; the first is text.
struct BeamFormat {
  std::string_view name;
  std::string_view extension;  // of its files
  std::string (*render)(const BeamTree& tree, const RenderOptions& options);
};
std::span<const BeamFormat> beam_formats();

}  // namespace dhyan
