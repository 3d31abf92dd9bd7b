#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "data/batch.h"
#include "distributed/communicator.h"
#include "text/word_boundary.h"
#include "translator/inputs.h"
#include "translator/model_folder.h"
#include "translator/source_batches.h"
#include "translator/translation_options.h"

namespace dhyan {

// The translation of one line, or the caption of one picture, with its tokens, scores and attention.
struct Translation {
  std::string source;  // the line as it was given, or the picture's name
  std::string text;
  std::vector<TokenId> source_tokens;       // as the model saw them, </s> included; none for a line without text; for
                                            // a picture, its number
  bool source_cut = false;                  // the line has more tokens than a translator takes
  Index known_text = 0;                     // tokens of the line that stand for text, except
  Index unknown_text = 0;                   // <unk>, and characters spelled in bytes
  bool cancelled = false;                   // there is no translation because the line was cancelled
  bool required_dropped = false;            // not all required phrases fit into the maximum length
  Hypothesis hypothesis;                    // tokens, scores, attention as requested
  BeamRecord beam = {};                     // of the first of an n-best list, if requested
  std::vector<Translation> sentences = {};  // of a line that was cut into sentences (translator/split_lines.h)

  bool mostly_unknown() const { return unknown_text > known_text; }
  bool finished()
      const;  // else it, or a sentence of it, was cut: at the maximum length, or because no word was allowed
};

// Batch limits and the precision of GEMMs. Only the precision may change the result, in the last bits of a score on
// machines with AMX (kernels/amx/amx.h).
struct TranslatorLimits {
  Index max_source_length = 1000;  // tokens of a line, </s> not counted; what follows is cut off
  BatchLimits batch = {.max_tokens = 2048, .max_sentences = 64};
  Index max_hypotheses = 1024;             // live hypotheses of a batch; bounds memory; a single sentence may have more
  Precision precision = Precision::kFull;  // kSplitBfloat16 is faster for many lines on machines with AMX
};

// The threads that translate, and a way to stop them.
struct Workers {
  ThreadPool* pool = nullptr;  // none: the calling thread, which must be prepared for kernels (kernels/simd/runtime.h)
  std::function<void()> poll = {};  // called for every step, from several threads at once; may throw to stop
  // Called with the number of sentences of each batch that is done, from several threads at once.
  std::function<void(std::size_t)> finished = {};
  // For evaluate(): all ranks call it, each with the same sentences, and share them out. Null: this process alone.
  Communicator* ranks = nullptr;
};

// A model with its tokenizers. Immutable: any number of threads may use one.
class Translator {
 public:
  // ModelFileError, naming the file, if the folder holds no usable model, or one that does not translate.
  explicit Translator(const std::filesystem::path& model_folder, const TranslatorLimits& limits = {});
  explicit Translator(LoadedModel loaded, const TranslatorLimits& limits = {});

  // n-best lists, one for each line, in order. A line without text, empty or of spaces, gives one empty translation. A
  // line's translations depend neither on the other lines nor on the number of threads. UsageError for pictures if the
  // model reads text, and for text if it reads pictures.
  std::vector<std::vector<Translation>> translate(const Inputs& inputs, const SearchOptions& options,
                                                  const Workers& workers = {}) const;

  // The same with all options. A line that is cancelled in time gives one translation that is marked as cancelled,
  // without text; the others get the same bytes as without it. DataError, with the number of the line, for words that
  // the model cannot write.
  std::vector<std::vector<Translation>> translate_with(const Inputs& inputs, const TranslationOptions& options,
                                                       const Workers& workers = {}) const;

  // Scores given translations; length limits of the options do not apply. One with more tokens than the model supports
  // is returned without tokens.
  std::vector<Translation> force(const Inputs& inputs, std::span<const std::string> targets,
                                 const SearchOptions& options, const Workers& workers = {}) const;

  // The same with all options. A line that is cancelled in time is marked and has neither text nor tokens.
  std::vector<Translation> force_with(const Inputs& inputs, std::span<const std::string> targets,
                                      const ForceOptions& options, const Workers& workers = {}) const;

  Index longest_source() const;  // tokens of a line, </s> not counted; what follows is cut off

  const TokenizerPair& tokenizers() const { return loaded_.tokenizers; }
  const TranslationModel& model() const { return *model_; }
  const Config& config() const { return loaded_.config; }
  const Shortlist* model_shortlist() const { return loaded_.shortlist.get(); }  // or null

 private:
  void check(const Inputs& inputs) const;
  Translation encoded(const Inputs& inputs, std::size_t line) const;
  std::vector<Translation> sources_of(const Inputs& inputs, std::span<const CancelFlag> cancelled,
                                      const Workers& workers) const;
  std::vector<SourceSentences> batches_of(std::span<const Translation> sources, Index hypotheses,
                                          std::span<const std::vector<WeightEdit>> edits) const;
  Index length_of(const Translation& source) const;
  const Shortlist* shortlist_of(const TranslationOptions& options) const;  // or null
  SearchTask task_of(std::size_t line, Translation& source, const SearchOptions& search,
                     const TranslationOptions& options) const;
  std::vector<Translation> translations_of(Translation source, SearchResult found,
                                           const TranslationOptions& options) const;
  const WordBoundary& word_boundary() const;
  std::string text_of(const Translation& translation, const TranslationOptions& options) const;
  std::vector<SearchResult> search_batch(const SourceSentences& batch, const PictureSource* pictures,
                                         std::span<const SearchTask> tasks, const SearchOptions& search,
                                         const TranslationOptions& options, IntraOpThreads* intra_op) const;

  LoadedModel loaded_;
  const TranslationModel* model_;  // of loaded_
  TranslatorLimits limits_;
  std::vector<TokenId> bytes_;  // of the target

  struct LateBoundary {
    std::once_flag made;
    std::optional<WordBoundary> boundary;  // of the target; built on first use because it reads every token
  };
  std::unique_ptr<LateBoundary> late_ = std::make_unique<LateBoundary>();
};

}  // namespace dhyan
