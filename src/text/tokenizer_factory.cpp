#include "text/tokenizer_factory.h"

#include <array>
#include <fstream>

#include "core/error.h"
#include "text/character_tokenizer.h"
#include "text/merges_tokenizer.h"
#include "text/piece_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/unicode.h"
#include "text/word_tokenizer.h"
#include "text/wordpiece_tokenizer.h"

namespace dhyan {

namespace {

using Sampling = std::optional<SubwordSampling>;

template <SubwordAlgorithm kAlgorithm>
TrainedTokenizer train_subwords(const LineSource& lines, const TokenizerOptions& options, const Sampling& sampling) {
  TrainingReport report;
  std::string model = train_sentencepiece(kAlgorithm, lines, options, report);
  return {std::make_unique<SentencePieceTokenizer>(std::move(model), "trained model", sampling), report};
}

std::unique_ptr<Tokenizer> load_subwords(const std::filesystem::path& folder, std::string_view side,
                                         const Sampling& sampling) {
  return SentencePieceTokenizer::load(folder / cat(side, ".model"), sampling);
}

template <class T>
TrainedTokenizer train_vocabulary(const LineSource& lines, const TokenizerOptions& options, const Sampling&) {
  TrainingReport report;
  TokenCounts counts;
  for (std::string line; lines(line);) {
    ++report.lines;
    require_utf8(line, cat("training line ", report.lines));
    ++(line.empty() ? report.empty : report.used);
    T::count(line, counts);
  }
  Vocabulary vocabulary = Vocabulary::from_counts(
      counts, {.max_size = options.vocabulary_size.value_or(kUsualVocabularySize), .min_count = options.min_count});
  return {std::make_unique<T>(std::move(vocabulary)), report};
}

template <class T>
std::unique_ptr<Tokenizer> load_vocabulary(const std::filesystem::path& folder, std::string_view side,
                                           const Sampling&) {
  return std::make_unique<T>(Vocabulary::load(vocabulary_path(folder, side)));
}

// Every piece of a model learned here is in the vocabulary.
TrainedTokenizer train_pieces(const LineSource& lines, const TokenizerOptions& options, const Sampling&) {
  TrainingReport report;
  auto segmenter = std::make_unique<SentencePieceTokenizer>(
      train_sentencepiece(SubwordAlgorithm::kUnigram, lines, options, report), "trained model");
  std::string file;
  for (TokenId id = 0; id < segmenter->size(); ++id) file += escape_token(segmenter->piece(id)) + '\n';
  return {std::make_unique<PieceTokenizer>(Vocabulary::parse("trained model", file), std::move(segmenter)), report};
}

std::unique_ptr<Tokenizer> load_pieces(const std::filesystem::path& folder, std::string_view side, const Sampling&) {
  return PieceTokenizer::load(folder, side);
}

template <class T>
TrainedTokenizer train_merges(const LineSource& lines, const TokenizerOptions& options, const Sampling&) {
  return T::train(lines, options);
}

template <class T>
std::unique_ptr<Tokenizer> load_merges(const std::filesystem::path& folder, std::string_view side, const Sampling&) {
  return std::make_unique<T>(Vocabulary::load(vocabulary_path(folder, side)),
                             PairMerges::load(merges_path(folder, side)));
}

template <BertLetters kLetters>
constexpr TokenizerKind wordpiece(std::string_view description) {
  using T = WordPieceTokenizer<kLetters>;
  return {T::kKind, description, train_merges<T>, load_vocabulary<T>, ".vocab", false};
}

constexpr std::array<TokenizerKind, 10> kKinds = {{
    {"unigram", "subwords by a unigram model (SentencePiece)", train_subwords<SubwordAlgorithm::kUnigram>,
     load_subwords, ".model"},
    {"bpe", "subwords by byte pair encoding (SentencePiece)", train_subwords<SubwordAlgorithm::kBpe>, load_subwords,
     ".model"},
    {"word", "words between spaces, rare ones <unk>", train_vocabulary<WordTokenizer>, load_vocabulary<WordTokenizer>,
     ".vocab"},
    {"char", "characters (code points), spaces among them", train_vocabulary<CharacterTokenizer>,
     load_vocabulary<CharacterTokenizer>, ".vocab"},
    {PieceTokenizer::kKind, "subwords of an imported model: SentencePiece and a vocabulary of its own", train_pieces,
     load_pieces, ".vocab"},
    wordpiece<BertLetters::kLowerWithoutAccents>("subwords of BERT: WordPiece, lower case without accents"),
    wordpiece<BertLetters::kLower>("subwords of BERT: WordPiece, lower case"),
    wordpiece<BertLetters::kKept>("subwords of BERT: WordPiece, case and accents kept"),
    {ByteBpeTokenizer::kKind, "subwords of GPT-2: byte-level BPE, nothing unknown", train_merges<ByteBpeTokenizer>,
     load_merges<ByteBpeTokenizer>, ".vocab"},
    {SubwordNmtTokenizer::kKind, "subwords of subword-nmt: BPE of words between spaces",
     train_merges<SubwordNmtTokenizer>, load_merges<SubwordNmtTokenizer>, ".vocab"},
}};

}  // namespace

LineSource lines_of(const std::filesystem::path& path) {
  auto in = std::make_shared<std::ifstream>(path, std::ios::binary);
  if (!*in) throw IoError(cat(path.string(), ": cannot open"));
  return [in, path](std::string& line) {
    const bool read = static_cast<bool>(std::getline(*in, line));
    if (in->bad()) throw IoError(cat(path.string(), ": cannot read"));
    if (read && line.ends_with('\r')) line.pop_back();
    return read;
  };
}

std::span<const TokenizerKind> tokenizer_kinds() { return kKinds; }

const TokenizerKind& tokenizer_kind(std::string_view name) {
  std::string names;
  for (const TokenizerKind& kind : kKinds) {
    if (kind.name == name) return kind;
    names += cat(names.empty() ? "" : ", ", kind.name);
  }
  throw ConfigError(cat("tokenizer: there is no kind '", name, "', expected one of ", names));
}

void save_tokenizers(const TokenizerPair& pair, const std::filesystem::path& folder) {
  if (pair.shared()) {
    pair.source->save(folder, "shared");
    return;
  }
  pair.source->save(folder, "source");
  pair.target->save(folder, "target");
}

TokenizerPair load_tokenizers(std::string_view kind_name, const std::filesystem::path& folder,
                              const Sampling& sampling) {
  const TokenizerKind& kind = tokenizer_kind(kind_name);
  const auto there = [&](std::string_view side) { return std::filesystem::exists(folder / cat(side, kind.file)); };
  const bool shared = there("shared"), source = there("source"), target = there("target");
  if (shared && (source || target)) {
    throw ModelFileError(cat(folder.string(), ": holds shared", kind.file, " and ", source ? "source" : "target",
                             kind.file, "; expected one of the two"));
  }
  if (!shared && (!source || !target)) {
    throw ModelFileError(cat(folder.string(), ": ", source || !target ? "target" : "source", kind.file,
                             source || target ? " is missing" : cat(" and source", kind.file, " are missing"),
                             "; expected source", kind.file, " and target", kind.file, ", or shared", kind.file));
  }
  if (!shared) return {kind.load(folder, "source", sampling), kind.load(folder, "target", sampling)};
  const std::shared_ptr<const Tokenizer> both = kind.load(folder, "shared", sampling);
  return {both, both};
}

}  // namespace dhyan
