#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"
#include "core/rng.h"

namespace dhyan {

using TokenId = RowId;

// The first four tokens of every vocabulary. A line is encoded without them; whoever makes batches adds <s> and </s>.
inline constexpr TokenId kPad = 0;      // <pad>  never in a batch; keeps the numbering of other toolkits possible
inline constexpr TokenId kUnknown = 1;  // <unk>  what the vocabulary does not hold
inline constexpr TokenId kBegin = 2;    // <s>
inline constexpr TokenId kEnd = 3;      // </s>
inline constexpr std::array<std::string_view, 4> kSpecialTokens = {"<pad>", "<unk>", "<s>", "</s>"};

// <pad>, <s> and </s>: decode passes over them.
inline bool stands_for_no_text(TokenId id) { return id == kPad || id == kBegin || id == kEnd; }

// The bytes [begin, end) of a line; always whole characters, for a line of valid UTF-8.
struct ByteRange {
  Index begin = 0;
  Index end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

inline std::string_view part(std::string_view line, ByteRange range) {
  return line.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.end - range.begin));
}

// A line as tokens, and where in the line as it was given each of them stands. The ranges ascend; a range is empty
// when its token stands for nothing of its own: the mark of a word's beginning, all but the last byte of a character
// that is spelled in bytes.
struct Encoded {
  std::vector<TokenId> ids;
  std::vector<ByteRange> pieces;  // as many as ids
};

// Text to tokens and back. Immutable: any number of threads may use one tokenizer.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // Of one line without its end. Deterministic.
  virtual Encoded encode(std::string_view line) const = 0;

  // Another way to cut the same line, drawn from rng, for training; encode() where there is only one way. The result
  // depends on the line and on rng alone, never on the thread or on what was encoded before.
  virtual Encoded encode_sampled(std::string_view line, Rng& rng) const;

  // Throws UsageError for an id outside [0, size()).
  virtual std::string decode(std::span<const TokenId> ids) const = 0;

  virtual Index size() const = 0;

  // A token, as it is called in messages and pictures. Throws UsageError for an id outside [0, size()).
  virtual std::string_view piece(TokenId id) const = 0;

  // Is the token one byte of a character that has no token of its own (byte fallback)?
  virtual bool is_byte(TokenId /*id*/) const { return false; }

  // Are tokens whole words? Then text that the vocabulary lacks is an unknown word, else unknown characters.
  virtual bool cuts_at_spaces_only() const { return false; }

  // Of everything that encode and decode depend on: equal for equal tokenizers, also in another process.
  virtual std::uint64_t fingerprint() const = 0;

  // Writes the files of one side of a model, "source", "target" or "shared", into its folder.
  virtual void save(const std::filesystem::path& folder, std::string_view side) const = 0;

 protected:
  Tokenizer() = default;
};

// Tokens as a line, and where in it each of them stands: the ranges ascend and together cover the line. A token has
// what the line gained by it; spaces between words belong to the word behind them, and a character that is spelled in
// bytes to the byte that completes it.
struct Decoded {
  std::string text;               // as decode gives it
  std::vector<ByteRange> pieces;  // as many as ids
};
Decoded decode_pieces(const Tokenizer& tokenizer, std::span<const TokenId> ids);

// FNV-1a over bytes, to be carried on from part to part.
inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325;
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = kHashStart);

}  // namespace dhyan
