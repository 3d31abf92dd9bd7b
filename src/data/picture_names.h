#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// The names of pictures as a vocabulary: a line is one name, its token the picture's number. So pictures take the place
// of source sentences in token caches and batches. A name that is not in the list has no tokens.
class PictureNames final : public Tokenizer {
 public:
  // `content` hashes what the numbers stand for: the pictures and their format.
  PictureNames(std::vector<std::string> names, std::uint64_t content);

  Encoded encode(std::string_view name) const override;
  std::string decode(std::span<const TokenId> numbers) const override;
  Index size() const override { return std::ssize(names_); }
  std::string_view piece(TokenId number) const override;
  std::uint64_t fingerprint() const override { return fingerprint_; }
  void save(const std::filesystem::path& folder, std::string_view side) const override;  // UsageError

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, TokenId> numbers_;  // keys are in names_
  std::uint64_t fingerprint_;
};

}  // namespace dhyan
