#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "data/token_links.h"
#include "text/tokenizer.h"

namespace dhyan {

// Ids are read fastest. Text is stored if each epoch samples another segmentation. Aligned pairs are ids and links.
enum class CacheContent : std::uint64_t { kIds = 0, kText = 1, kAligned = 2 };

// Identifies the inputs of a cache.
struct CacheKey {
  std::uint64_t corpus = 0;            // hash of the files and the options they were read with
  std::uint64_t source_tokenizer = 0;  // fingerprints
  std::uint64_t target_tokenizer = 0;  // 0: plain text, no targets
  std::uint64_t options = 0;           // limits, content

  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

// Counts of all pairs: read = pairs + empty + too_long.
struct CacheCounts {
  std::uint64_t read = 0;
  std::uint64_t pairs = 0;     // kept
  std::uint64_t empty = 0;     // dropped: no token on one side
  std::uint64_t too_long = 0;  // dropped
  std::uint64_t cut = 0;       // kept, but cut to the longest length
  std::uint64_t source_tokens = 0;
  std::uint64_t target_tokens = 0;

  friend bool operator==(const CacheCounts&, const CacheCounts&) = default;
};

struct CacheInfo {
  CacheKey key;
  CacheContent content = CacheContent::kIds;
  Index source_vocabulary = 0;  // every id is below it
  Index target_vocabulary = 0;
  Index max_length = 0;  // tokens per side
  CacheCounts counts;
};

// A file of tokenised pairs with random access. Keeps the file open and nothing of it in memory. The file is not
// trusted: damage throws DataError, and no allocation depends on an unchecked length.
class TokenCache {
 public:
  // Checks magic, trailer and size.
  explicit TokenCache(const std::filesystem::path& path);
  ~TokenCache();
  TokenCache(const TokenCache&) = delete;
  TokenCache& operator=(const TokenCache&) = delete;

  const CacheInfo& info() const { return info_; }
  Index pairs() const { return static_cast<Index>(info_.counts.pairs); }
  Index tokens() const { return static_cast<Index>(info_.counts.source_tokens + info_.counts.target_tokens); }

  // Reads and checks the whole file.
  void verify(ProgressSink* progress = nullptr, const std::function<void()>& poll = {}) const;

 private:
  friend class CacheReader;

  void read_trailer();
  void read_at(std::uint64_t begin, std::span<std::byte> to) const;
  void read_block(Index block, std::vector<std::byte>& bytes) const;
  [[noreturn]] void damaged(const std::string& what) const;

  std::string where_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t index_begin_ = 0;
  CacheInfo info_;
};

// Reads pairs of one cache, which must outlive it, on one thread; caches the last block.
class CacheReader {
 public:
  explicit CacheReader(const TokenCache& cache) : cache_(&cache) {}

  // Results are valid until the next call.
  struct Ids {
    std::span<const TokenId> source, target;
    std::span<const TokenLink> links = {};  // for aligned pairs
  };
  struct Text {
    std::string_view source, target;
  };
  Ids ids(Index number);    // for a cache of ids or aligned pairs
  Text text(Index number);  // for a cache of text

 private:
  struct Record {
    std::span<const std::byte> bytes;  // after the length of the source
    std::uint32_t source_length;
  };

  Record record(Index number);
  void take_links(std::span<const std::byte> bytes, std::size_t source, std::size_t target);
  std::size_t take_ids(std::span<const std::byte>& bytes, std::size_t most, Index vocabulary);

  const TokenCache* cache_;
  Index block_ = -1;
  std::vector<std::byte> bytes_;  // of the block
  Index next_ = 0;                // the record in the block at which next_bytes_ begin
  std::span<const std::byte> next_bytes_;
  std::vector<TokenId> ids_;
  std::vector<TokenLink> links_;
};

}  // namespace dhyan
