#include "translator/text_models.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "decoding/step_scores.h"
#include "models/masked_model.h"
#include "ops/reductions.h"
#include "ops/rows.h"
#include "text/gaps.h"
#include "training/held_out.h"
#include "translator/translation_options.h"

namespace dhyan {

namespace {

constexpr Index kTextsAtOnce = 64;
constexpr Index kNoFilling = 3;           // tokens that cannot fill a gap: <unk>, </s>, a piece without text
constexpr Index kLongestSentence = 1000;  // tokens, where the model itself has no limit
constexpr BatchLimits kAtOnce{.max_tokens = 2048, .max_sentences = 256};

void append_tokens(std::vector<TokenId>& tokens, const std::vector<TokenId>& more) {
  tokens.insert(tokens.end(), more.begin(), more.end());
}

// <s> line </s> line </s> ...; without </s> after the last line. Or <s> and all lines, if line ends are text.
std::vector<TokenId> tokens_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenId> tokens{kBegin};
  if (tokenizer.line_end() != kEnd) {
    append_tokens(tokens, tokenizer.encode(text).ids);
    return tokens;
  }
  while (true) {
    const std::size_t end = text.find('\n');
    append_tokens(tokens, tokenizer.encode(text.substr(0, end)).ids);
    if (end == text.npos) return tokens;
    tokens.push_back(kEnd);
    text.remove_prefix(end + 1);
  }
}

std::string text_of(const Tokenizer& tokenizer, std::span<const TokenId> tokens) {
  std::string text;
  while (true) {
    const auto end = std::ranges::find(tokens, kEnd);
    text += tokenizer.decode({tokens.begin(), end});
    if (end == tokens.end()) return text;
    text += '\n';
    tokens = {end + 1, tokens.end()};
  }
}

// The text that tokens add to the tokens before them. Decoded alone, they would lack the space in between.
std::string text_after(const Tokenizer& tokenizer, std::span<const TokenId> before, std::span<const TokenId> tokens) {
  std::vector<TokenId> all(before.begin(), before.end());
  all.insert(all.end(), tokens.begin(), tokens.end());
  const std::string text = text_of(tokenizer, all), known = text_of(tokenizer, before);
  return text.starts_with(known) ? text.substr(known.size()) : text_of(tokenizer, tokens);
}

// Examples of any length as batches.
std::vector<Batch> batches_of(std::span<const Example> examples) {
  std::vector<ExampleSize> sizes;
  for (const Example& example : examples) sizes.push_back({std::ssize(example.source), std::ssize(example.target)});
  std::vector<Batch> batches;
  std::size_t begin = 0;
  for (const std::size_t end : batch_ends(sizes, kAtOnce)) {
    batches.push_back(make_batch(examples.subspan(begin, end - begin)));
    begin = end;
  }
  return batches;
}

Fit fit_of(const Model& model, std::span<const Batch> batches, ThreadPool& pool) {
  Fit fit;
  for (const Batch& batch : batches) fit.tokens += model.predictions(batch);
  fit.loss = held_out_loss(model, batches, pool).front().value;
  fit.perplexity = std::exp(fit.loss);
  return fit;
}

// The vector of a sentence from the states of its tokens.
Var pooled(const Var& states, const MaskedSettings& settings) {
  const Index tokens = states.rows();
  if (settings.pooling == Pooling::kStart) return slice_rows(states, 0, 1);                   // [1,H]
  if (settings.pooling == Pooling::kAll) return segment_mean(states, Segments::one(tokens));  // [1,H]
  const Index first = settings.start == SentenceStart::kMarked ? 1 : 0, words = tokens - 1 - first;
  return segment_mean(slice_rows(states, first, words), Segments::one(words));  // [1,H]
}

void scale_to_length_one(std::vector<Real>& vector) {
  double squares = 0;
  for (const Real x : vector) squares += double{x} * double{x};
  if (squares == 0) return;
  for (Real& x : vector) x = static_cast<Real>(x / std::sqrt(squares));
}

}  // namespace

Writer::Writer(const std::filesystem::path& folder) : Writer(load_model(folder)) {}

Writer::Writer(LoadedModel loaded)
    : loaded_(std::move(loaded)), model_(model_for<LanguageModel>("continue a text", loaded_)) {}

// A text does not depend on the other texts of its batch, so they can be drawn a few at a time.
std::vector<Continued> Writer::write(std::string_view prompt, const GenerationOptions& options) const {
  const std::vector<TokenId> all = tokens_of(tokenizer(), prompt), bytes = byte_tokens(tokenizer());
  SamplingOptions sampling = options.sampling;
  sampling.never_drawn = bytes;
  if (options.wrote && options.count == 1) {
    sampling.drawn = [&](std::span<const TokenId> tokens) { options.wrote(text_after(tokenizer(), all, tokens)); };
  }
  std::vector<Continued> texts;
  while (std::ssize(texts) < options.count) {
    const Index count = std::min<Index>(kTextsAtOnce, options.count - std::ssize(texts));
    std::vector<TokenId> read;
    std::vector<Rng> rngs;
    for (Index i = 0; i < count; ++i) {
      read.insert(read.end(), all.begin(), all.end() - 1);
      rngs.push_back(Rng(options.seed).split(static_cast<std::uint64_t>(std::ssize(texts) + i)));
    }
    const std::vector<Index> lengths(static_cast<std::size_t>(count), std::ssize(all) - 1);
    const std::vector<TokenId> first(lengths.size(), all.back());
    const auto decoding = model_.decode({read, Segments::from_lengths(lengths)});
    for (Hypothesis& hypothesis : sample(*decoding, first, rngs, sampling)) {
      texts.push_back({text_after(tokenizer(), all, hypothesis.tokens), std::move(hypothesis)});
    }
    loaded_.expect_weights_unchanged();
  }
  return texts;
}

Index Writer::forgotten(std::string_view prompt) const {
  return std::max<Index>(0, std::ssize(tokens_of(tokenizer(), prompt)) - config().transformer.longest);
}

Fit Writer::fit(std::span<const std::string> lines, ThreadPool& pool) const {
  if (lines.empty()) throw DataError("evaluate: the text has no lines; expected at least one");
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  std::vector<TokenId> tokens = tokens_of(tokenizer(), text);
  const auto context = static_cast<std::size_t>(config().transformer.longest);
  std::vector<Example> stretches;
  for (std::size_t begin = 0; begin + 1 < tokens.size(); begin += context) {
    const std::size_t length = std::min(context, tokens.size() - 1 - begin);
    const std::span<const TokenId> all(tokens);
    stretches.push_back({all.subspan(begin, length), all.subspan(begin + 1, length), stretches.size()});
  }
  const Fit fit = fit_of(model_, batches_of(stretches), pool);
  loaded_.expect_weights_unchanged();
  return fit;
}

Continued Writer::read(std::string_view text) const {
  std::vector<TokenId> tokens = tokens_of(tokenizer(), text);
  tokens.erase(tokens.begin());
  Continued continued{std::string(text),
                      force(*decode(), std::span(&tokens, 1), {.keep = RecordedAttention::kSteps}).front()};
  loaded_.expect_weights_unchanged();
  return continued;
}

std::unique_ptr<Decoding> Writer::decode() const { return model_.decode({{}, Segments::from_lengths({0})}); }

Filler::Filler(const std::filesystem::path& folder) : Filler(load_model(folder)) {}

Filler::Filler(LoadedModel loaded)
    : loaded_(std::move(loaded)), model_(model_for<MaskedModel>("predict masked tokens", loaded_)) {}

std::vector<TokenId> Filler::encode(std::string_view text) const {
  std::vector<TokenId> tokens = encode_gapped(tokenizer(), text, kGap).ids;
  const bool begins = config().transformer.masked.start == SentenceStart::kMarked;
  if (begins) tokens.insert(tokens.begin(), kBegin);
  tokens.push_back(kEnd);
  if (std::ssize(tokens) > longest()) {
    throw DataError(
        cat(tokens.size(), " tokens, ", begins ? "<s> and " : "", "</s> included; the model takes ", longest()));
  }
  return tokens;
}

Index Filler::longest() const { return std::min(model_.longest(), kLongestSentence); }

Filled Filler::fill(std::string_view text, Index candidates) const {
  if (!model_.has_head()) {
    throw UsageError("fill: the model has no prediction head, it only encodes sentences; dhyan embed uses it");
  }
  std::vector<TokenId> tokens = encode(text);
  std::vector<RowId> places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == kMask) places.push_back(static_cast<RowId>(i));
  }
  if (places.empty()) throw UsageError(cat("fill: there is no ", kGap, " in the text"));
  Arena arena;
  Scope scope(arena);
  const Var states = model_.encode(scope, {tokens, Segments::one(std::ssize(tokens))}).states;  // [S,H]
  StepScores scores(candidates + kNoFilling);
  scores.read(model_.logits(gather_rows(states, places)));  // [gaps,V]
  Filled filled;
  for (std::size_t gap = 0; gap < places.size(); ++gap) {
    std::vector<Filling>& best = filled.gaps.emplace_back();
    for (const Candidate& word : scores.best(static_cast<Index>(gap))) {
      const std::string text_of_word = tokenizer().decode(std::span(&word.token, 1));
      const bool fits = word.token != kUnknown && word.token != kEnd && !text_of_word.empty();
      if (!fits || std::ssize(best) == candidates) continue;
      if (best.empty()) tokens[static_cast<std::size_t>(places[gap])] = word.token;
      best.push_back({text_of_word, std::exp(word.log_probability)});
    }
  }
  filled.text = tokenizer().decode(tokens);
  loaded_.expect_weights_unchanged();
  return filled;
}

std::vector<std::vector<Real>> Filler::embed(std::span<const std::string> lines,
                                             const std::function<void()>& poll) const {
  std::vector<std::vector<Real>> vectors;
  Arena arena;
  for (const std::string& line : lines) {  // alone, so that no vector depends on another line
    if (poll) poll();
    arena.reset();
    Scope scope(arena);
    const std::vector<TokenId> tokens = encode(line);
    const Var states = model_.encode(scope, {tokens, Segments::one(std::ssize(tokens))}).states;  // [S,H]
    const Var vector = pooled(states, config().transformer.masked);                               // [1,H]
    vectors.emplace_back(vector.value().span().begin(), vector.value().span().end());
    if (config().transformer.masked.vector_length == VectorLength::kOne) scale_to_length_one(vectors.back());
  }
  loaded_.expect_weights_unchanged();
  return vectors;
}

Fit Filler::fit(std::span<const std::string> lines, ThreadPool& pool) const {
  std::vector<std::vector<TokenId>> sentences;
  Index skipped = 0;
  for (const std::string& line : lines) {
    std::vector<TokenId> tokens = tokenizer().encode(line).ids;
    tokens.push_back(kEnd);
    const Index start = config().transformer.masked.start == SentenceStart::kMarked ? 1 : 0;
    if (std::ssize(tokens) + start <= longest()) {
      sentences.push_back(std::move(tokens));
    } else {
      ++skipped;
    }
  }
  std::vector<Example> examples;
  for (const std::vector<TokenId>& tokens : sentences) examples.push_back({tokens, tokens, examples.size()});
  Fit fit = fit_of(model_, batches_of(examples), pool);
  fit.skipped = skipped;
  loaded_.expect_weights_unchanged();
  return fit;
}

}  // namespace dhyan
