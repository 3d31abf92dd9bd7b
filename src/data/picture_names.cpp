#include "data/picture_names.h"

#include <utility>

#include "core/error.h"
#include "data/content_hash.h"

namespace dhyan {

PictureNames::PictureNames(std::vector<std::string> names, std::uint64_t content) : names_(std::move(names)) {
  ContentHash hash;
  hash.add(content);
  for (const std::string& name : names_) {
    numbers_.emplace(name, static_cast<TokenId>(numbers_.size()));
    hash.add(name.size()).add(std::as_bytes(std::span(name)));
  }
  if (numbers_.size() != names_.size()) throw UsageError("picture names: a name occurs twice");
  fingerprint_ = hash.value();
}

Encoded PictureNames::encode(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return {};
  return {{found->second}, {{0, std::ssize(name)}}};
}

std::string PictureNames::decode(std::span<const TokenId> numbers) const {
  std::string text;
  for (const TokenId number : numbers) text += cat(text.empty() ? "" : " ", piece(number));
  return text;
}

std::string_view PictureNames::piece(TokenId number) const {
  if (number < 0 || number >= size()) throw UsageError(cat("picture names: number ", number, " of ", size()));
  return names_[static_cast<std::size_t>(number)];
}

void PictureNames::save(const std::filesystem::path& folder, std::string_view) const {
  throw UsageError(cat("picture names: they are no part of a model; not saved to ", folder.string()));
}

}  // namespace dhyan
