#pragma once

#include <string>
#include <vector>

#include "lab/findings.h"
#include "lab/lab_run.h"

namespace dhyan::lab {

// Guided alignment ties the pronoun to "it": without it the Transformer is as good, but marks the antecedent itself,
// where cross-attention finds it, and "it" looks nowhere in particular. Antecedents guide nothing.
//
// YAML texts that change the presets transformer-tiny, seq2seq-context and gpt-nano; the last ones last.
struct ReferenceSize {
  std::vector<std::string> transformer = {
      "encoder-layers: 3\ndecoder-layers: 1\nguided-alignment: [phrasebook]\nguided-weight: 1\nmax-epochs: "
      "100\nmax-steps: 900\ntotal-steps: 900\nvalidate-samples: 0\n"};
  std::vector<std::string> one_vector = {"max-epochs: 100\nmax-steps: 900\ntotal-steps: 900\nvalidate-samples: 0\n"};
  std::vector<std::string> language = {
      "decoder-layers: 3\nfeed-forward: 256\ntokenizer: word\ncontext-length: 32\nmax-steps: 900\ntotal-steps: 900\n"
      "validate-steps: 300\n"};
};

// Self-attention resolves what "it" means: the reference corpus, learned by a Transformer, by a model with one fixed
// vector, and, its English side, by a decoder-only model. The best head, which looks at the antecedent most often, is
// switched off.
Findings run_reference(LabRun& run, const ReferenceSize& size);

}  // namespace dhyan::lab
