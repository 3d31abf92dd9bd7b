#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "data/token_cache.h"
#include "data/token_cache_format.h"

namespace dhyan {

// Appends one record to `to`.
void put_ids(std::vector<std::byte>& to, std::span<const TokenId> source, std::span<const TokenId> target);
void put_aligned(std::vector<std::byte>& to, std::span<const TokenId> source, std::span<const TokenId> target,
                 std::span<const TokenLink> links);
void put_text(std::vector<std::byte>& to, std::string_view source, std::string_view target);

// Writes a cache sequentially; commit() makes it appear under its name. Holds 16 bytes of index per 64 pairs.
class TokenCacheWriter {
 public:
  TokenCacheWriter(const std::filesystem::path& path, const CacheInfo& info);

  // Adds the next pair: one record of the content in info.
  void add(std::span<const std::byte> record);

  // counts.pairs must equal the number of added pairs.
  void commit(const CacheCounts& counts);

 private:
  void finish_block();

  AtomicFile file_;
  CacheInfo info_;
  std::uint64_t added_ = 0;
  std::uint64_t written_ = 0;       // bytes before pending_
  std::vector<std::byte> pending_;  // complete blocks to write together, and the current block
  std::size_t block_begin_ = 0;     // in pending_
  std::vector<cache_format::IndexEntry> index_;
};

}  // namespace dhyan
