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

// Ids are read fastest. Text is kept where each epoch cuts it into other subwords. Aligned pairs are ids and the links
// between them.
enum class CacheContent : std::uint64_t { kIds = 0, kText = 1, kAligned = 2 };

// What a cache was made from. Another key, another cache.
struct CacheKey {
  std::uint64_t corpus = 0;            // content of the files, and how they were read
  std::uint64_t source_tokenizer = 0;  // fingerprints
  std::uint64_t target_tokenizer = 0;  // 0: plain text, no targets
  std::uint64_t options = 0;           // limits, content

  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

// Where every pair went: read = pairs + empty + too_long.
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
  Index max_length = 0;  // tokens of a side
  CacheCounts counts;
};

// A file of tokenised pairs, any of which can be read by its number. Holds the file open and nothing of it in memory.
// The file is not trusted: what is damaged throws DataError, and nothing is allocated because the file says so.
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

  // Reads everything once.
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

// Reads pairs of one cache, which must outlive it, on one thread; keeps the block it read last.
class CacheReader {
 public:
  explicit CacheReader(const TokenCache& cache) : cache_(&cache) {}

  // What they give is valid until the next call.
  struct Ids {
    std::span<const TokenId> source, target;
    std::span<const TokenLink> links = {};  // of aligned pairs
  };
  struct Text {
    std::string_view source, target;
  };
  Ids ids(Index number);    // of a cache of ids, or of aligned pairs
  Text text(Index number);  // of a cache of text

 private:
  struct Record {
    std::span<const std::byte> bytes;  // behind the length of the source
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
