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

// The first four tokens of every vocabulary. encode does not add them; batches add <s> and </s>.
inline constexpr TokenId kPad = 0;      // <pad>  never in a batch; keeps ids compatible with other toolkits
inline constexpr TokenId kUnknown = 1;  // <unk>  text outside the vocabulary
inline constexpr TokenId kBegin = 2;    // <s>
inline constexpr TokenId kEnd = 3;      // </s>
inline constexpr std::array<std::string_view, 4> kSpecialTokens = {"<pad>", "<unk>", "<s>", "</s>"};

// <pad>, <s> and </s>, which decode skips.
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

// The tokens of a line and their byte ranges in the original line. The ranges ascend; a range is empty if the token has
// no text of its own: a space mark, or all but the last byte of a character that is spelled in bytes.
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

  // Encodes one line without its line end. Deterministic.
  virtual Encoded encode(std::string_view line) const = 0;

  // A random segmentation of the line, for training; encode() if there is only one. The result depends on the line and
  // on rng alone.
  virtual Encoded encode_sampled(std::string_view line, Rng& rng) const;

  // Throws UsageError for an id outside [0, size()).
  virtual std::string decode(std::span<const TokenId> ids) const = 0;

  virtual Index size() const = 0;

  // The text of a token, for messages and pictures. Throws UsageError for an id outside [0, size()).
  virtual std::string_view piece(TokenId id) const = 0;

  // Whether the token is one byte of a character without its own token (byte fallback).
  virtual bool is_byte(TokenId /*id*/) const { return false; }

  // Whether tokens are whole words, so that unknown text counts as words and not as characters.
  virtual bool cuts_at_spaces_only() const { return false; }

  // Whether the text before and after a gap (text/gaps.h) is encoded as if it stood alone.
  virtual bool cuts_gapped_text_apart() const { return false; }

  // The token between the lines of a longer text. One other than </s> is part of the text: then encode() takes several
  // lines at once.
  virtual TokenId line_end() const { return kEnd; }

  // A hash of everything that encode and decode depend on; the same in every process.
  virtual std::uint64_t fingerprint() const = 0;

  // Writes the files of one side of a model, "source", "target" or "shared", into its folder.
  virtual void save(const std::filesystem::path& folder, std::string_view side) const = 0;

 protected:
  Tokenizer() = default;
};

// The text of tokens and the range of each token in it. The ranges ascend and cover the text: a space belongs to the
// word after it, and a character that is spelled in bytes belongs to its last byte.
struct Decoded {
  std::string text;               // the result of decode
  std::vector<ByteRange> pieces;  // as many as ids
};
Decoded decode_pieces(const Tokenizer& tokenizer, std::span<const TokenId> ids);

// Incremental FNV-1a.
inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325;
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = kHashStart);

}  // namespace dhyan
