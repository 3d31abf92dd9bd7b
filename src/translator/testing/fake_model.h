#pragma once

#include <atomic>
#include <mutex>

#include "decoding/testing/fake_decoding.h"
#include "models/model.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"
#include "translator/translator.h"

namespace dhyan {

// For tests: translates by FakeDecoding, seeded by the source's tokens; records the requests.
class FakeModel final : public TranslationModel {
 public:
  explicit FakeModel(Index layers = 0) : layers_(layers) {}

  BatchLoss loss(Scope&, const Batch&, const LossOptions&) const override { throw UsageError("cannot be trained"); }
  bool attends() const override { return layers_ > 0; }

  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override {
    std::vector<FakeDecoding::Sentence> sentences;
    for (Index b = 0; b < source.segments.count(); ++b) {
      Rng rng(1);
      for (Index i = source.segments.begin(b); i < source.segments.end(b); ++i) {
        rng = rng.split(static_cast<std::uint64_t>(source.tokens[static_cast<std::size_t>(i)]));
      }
      sentences.push_back({rng.next(), source.segments.length(b)});
    }
    const std::lock_guard lock(mutex_);
    batches_.push_back(source.segments);
    intra_op_.push_back(source.intra_op == nullptr ? 0 : source.intra_op->idle());
    auto decoding = std::make_unique<FakeDecoding>(std::move(sentences), layers_);
    decoding->note_most_rows(most_hypotheses_);
    return decoding;
  }

  // Read these when no decoding runs:
  const std::vector<Segments>& batches() const { return batches_; }
  Index most_hypotheses() const { return most_hypotheses_; }      // of all sentences, in any step
  const std::vector<int>& intra_op() const { return intra_op_; }  // idle threads at the begin of each batch

 private:
  Index layers_;
  mutable std::mutex mutex_;
  mutable std::vector<Segments> batches_;
  mutable std::vector<int> intra_op_;
  mutable std::atomic<Index> most_hypotheses_ = 0;
};

// The words of the target and the special ones are FakeDecoding's seven.
inline TokenizerPair fake_tokenizers() { return pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ", "I am eating"); }

// Different lines of one to nine words.
inline std::vector<std::string> fake_lines(int count) {
  const std::vector<std::string> words{"मैं", "खाना", "खा", "रहा", "हूँ", "unbekannt"};
  Rng rng(5);
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i) {
    std::string line = words[rng.below(words.size())];
    for (std::uint64_t more = rng.below(9); more > 0; --more) line += " " + words[rng.below(words.size())];
    lines.push_back(line);
  }
  return lines;
}

}  // namespace dhyan
