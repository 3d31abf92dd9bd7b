#pragma once

#include "text/vocabulary.h"

namespace dhyan {

// The common part of word and character tokenizers: a vocabulary, which is the only file of a side.
class VocabularyTokenizer : public Tokenizer {
 public:
  Index size() const override { return vocabulary_.size(); }
  std::string_view piece(TokenId id) const override { return vocabulary_.token(id); }
  std::uint64_t fingerprint() const override { return hash_bytes(kind_, vocabulary_.fingerprint()); }
  void save(const std::filesystem::path& folder, std::string_view side) const override;

  const Vocabulary& vocabulary() const { return vocabulary_; }

 protected:
  VocabularyTokenizer(std::string_view kind, Vocabulary vocabulary) : kind_(kind), vocabulary_(std::move(vocabulary)) {}

 private:
  std::string_view kind_;  // a literal
  Vocabulary vocabulary_;
};

// folder/side.vocab
std::filesystem::path vocabulary_path(const std::filesystem::path& folder, std::string_view side);

}  // namespace dhyan
