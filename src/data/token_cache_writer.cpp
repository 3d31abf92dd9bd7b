#include "data/token_cache_writer.h"

#include "core/error.h"
#include "data/content_hash.h"

namespace dhyan {

using namespace cache_format;

namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 20;

std::size_t varint_bytes(std::uint32_t value) {
  std::size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

void expect_length(std::size_t length, const char* unit) {
  if (length > kLongestSide) {
    throw UsageError(cat("token cache: a side has ", length, " ", unit, ", expected at most ", kLongestSide));
  }
}

}  // namespace

void put_ids(std::vector<std::byte>& to, std::span<const TokenId> source, std::span<const TokenId> target) {
  for (const auto side : {source, target}) expect_length(side.size(), "tokens");
  const auto source_length = static_cast<std::uint32_t>(source.size());
  std::size_t bytes = varint_bytes(source_length);
  for (const auto side : {source, target}) {
    for (const TokenId id : side) bytes += varint_bytes(static_cast<std::uint32_t>(id));
  }
  put_varint(to, static_cast<std::uint32_t>(bytes));
  put_varint(to, source_length);
  for (const auto side : {source, target}) {
    for (const TokenId id : side) put_varint(to, static_cast<std::uint32_t>(id));
  }
}

void put_aligned(std::vector<std::byte>& to, std::span<const TokenId> source, std::span<const TokenId> target,
                 std::span<const TokenLink> links) {
  for (const auto side : {source, target}) expect_length(side.size(), "tokens");
  std::vector<std::byte> record;
  for (const auto side : {source, target}) put_varint(record, static_cast<std::uint32_t>(side.size()));
  for (const auto side : {source, target}) {
    for (const TokenId id : side) put_varint(record, static_cast<std::uint32_t>(id));
  }
  for (const TokenLink& link : links) {
    put_varint(record, static_cast<std::uint32_t>(link.source));
    put_varint(record, static_cast<std::uint32_t>(link.target));
  }
  put_varint(to, static_cast<std::uint32_t>(record.size()));
  to.insert(to.end(), record.begin(), record.end());
}

void put_text(std::vector<std::byte>& to, std::string_view source, std::string_view target) {
  for (const auto side : {source, target}) expect_length(side.size(), "bytes");
  const auto source_length = static_cast<std::uint32_t>(source.size());
  put_varint(to, static_cast<std::uint32_t>(varint_bytes(source_length) + source.size() + target.size()));
  put_varint(to, source_length);
  for (const auto side : {std::as_bytes(std::span(source)), std::as_bytes(std::span(target))}) {
    to.insert(to.end(), side.begin(), side.end());
  }
}

TokenCacheWriter::TokenCacheWriter(const std::filesystem::path& path, const CacheInfo& info)
    : file_(path), info_(info), written_(kMagic.size()) {
  file_.write(kMagic);
}

void TokenCacheWriter::add(std::span<const std::byte> record) {
  pending_.insert(pending_.end(), record.begin(), record.end());
  if (++added_ % kBlockPairs == 0) finish_block();
}

void TokenCacheWriter::finish_block() {
  const auto block = std::span(pending_).subspan(block_begin_);
  index_.push_back({written_ + block_begin_, content_hash(block, index_.size())});
  block_begin_ = pending_.size();
  if (pending_.size() < kWriteBytes) return;
  file_.write(pending_);
  written_ += pending_.size();
  pending_.clear();
  block_begin_ = 0;
}

void TokenCacheWriter::commit(const CacheCounts& counts) {
  if (counts.pairs != added_)
    throw UsageError(cat("token cache: ", counts.pairs, " pairs counted, ", added_, " added"));
  if (added_ % kBlockPairs != 0) finish_block();
  file_.write(pending_);
  written_ += pending_.size();
  file_.write(std::as_bytes(std::span(index_)));
  Trailer trailer{info_.key.corpus,
                  info_.key.source_tokenizer,
                  info_.key.target_tokenizer,
                  info_.key.options,
                  static_cast<std::uint64_t>(info_.content),
                  static_cast<std::uint64_t>(info_.source_vocabulary),
                  static_cast<std::uint64_t>(info_.target_vocabulary),
                  static_cast<std::uint64_t>(info_.max_length),
                  counts.read,
                  counts.pairs,
                  counts.empty,
                  counts.too_long,
                  counts.cut,
                  counts.source_tokens,
                  counts.target_tokens,
                  written_,
                  0};
  trailer.back() = content_hash(std::as_bytes(std::span(trailer).first(kTrailerWords - 1)));
  file_.write(std::as_bytes(std::span(trailer)));
  file_.commit();
}

}  // namespace dhyan
