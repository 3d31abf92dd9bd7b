#pragma once

#include <functional>

#include "core/progress.h"
#include "decoding/sampling.h"
#include "translator/model_folder.h"

namespace dhyan {

// A text written by a language model.
struct Continued {
  std::string text;       // after the prompt; may have several lines
  Hypothesis hypothesis;  // tokens, scores, attention as requested
};

struct GenerationOptions {
  SamplingOptions sampling = {};
  std::uint64_t seed = 1;
  Index count = 1;                                          // texts, drawn independently
  std::function<void(const std::string& text)> wrote = {};  // the text so far, after every token, if count is 1
};

// The loss of a model on a text.
struct Fit {
  Index tokens = 0;       // predicted tokens
  Index skipped = 0;      // lines that are too long for the model
  double loss = 0;        // mean -log p
  double perplexity = 0;  // its exp
};

// A language model with its tokenizer.
class Writer {
 public:
  // ModelFileError if the folder holds no language model.
  explicit Writer(const std::filesystem::path& folder);
  explicit Writer(LoadedModel loaded);

  // The prompt may have several lines, and may be empty. The same seed gives the same texts.
  std::vector<Continued> write(std::string_view prompt, const GenerationOptions& options) const;

  // How many tokens at the beginning of a prompt are beyond the context: the model does not see them.
  Index forgotten(std::string_view prompt) const;

  // The loss of given lines, each with its line end, read in windows of the context length. DataError without a
  // line.
  Fit fit(std::span<const std::string> lines, ThreadPool& pool) const;

  // A given text, token by token, as the model scores it.
  Continued read(std::string_view text) const;

  // The decoding that read() steps through, at the beginning of a text.
  std::unique_ptr<Decoding> decode() const;

  const Tokenizer& tokenizer() const { return *loaded_.tokenizers.target; }
  const Config& config() const { return loaded_.config; }

 private:
  LoadedModel loaded_;
  const LanguageModel& model_;
};

// A token that can fill a gap.
struct Filling {
  std::string text;  // of the token
  double probability = 0;
};

struct Filled {
  std::vector<std::vector<Filling>> gaps;  // candidates for each gap, the likeliest first
  std::string text;                        // with the likeliest candidate in every gap
};

// A masked language model with its tokenizer.
class Filler {
 public:
  static constexpr std::string_view kGap = "[MASK]";

  // ModelFileError if the folder holds no masked language model.
  explicit Filler(const std::filesystem::path& folder);
  explicit Filler(LoadedModel loaded);

  // UsageError for a text without a gap, and for a model without the layers that predict tokens.
  Filled fill(std::string_view text, Index candidates) const;

  // One vector for each sentence: the mean of the last layer over its words, zeros for one without text; or as the
  // model's settings for pooling say.
  // `poll` is called for every sentence, and may throw.
  std::vector<std::vector<Real>> embed(std::span<const std::string> lines,
                                       const std::function<void()>& poll = {}) const;

  // The loss of given lines with some tokens hidden, always the same ones. DataError if there is nothing to predict.
  Fit fit(std::span<const std::string> lines, ThreadPool& pool) const;

  const Tokenizer& tokenizer() const { return *loaded_.tokenizers.target; }
  const MaskedModel& model() const { return model_; }
  void expect_weights_unchanged() const {
    loaded_.expect_weights_unchanged();
  }  // for callers that use model() directly
  const Config& config() const { return loaded_.config; }

  Index longest() const;  // tokens of a sentence, <s> and </s> included

  // The input of the model: <s> if its sentences begin so, tokens, a mask for each gap, and </s>. DataError if it is
  // too long.
  std::vector<TokenId> encode(std::string_view text) const;

 private:
  LoadedModel loaded_;
  const MaskedModel& model_;
};

}  // namespace dhyan
