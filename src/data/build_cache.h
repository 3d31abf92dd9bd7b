#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "data/pairs.h"
#include "data/token_cache.h"
#include "text/unknown_text.h"

namespace dhyan {

enum class Overlong { kDrop, kCut };

// All that the content of a cache depends on, but for the corpus itself.
struct CacheRecipe {
  const Tokenizer* source = nullptr;
  const Tokenizer* target = nullptr;  // null: plain text
  Index max_length = 256;             // tokens of a side, </s> not among them
  Overlong overlong = Overlong::kDrop;
  CacheContent content = CacheContent::kIds;
};

enum class OnDamage { kRebuild, kThrow };

// Of the pairs that are kept, what the vocabularies have no tokens for.
struct UnknownTexts {
  UnknownText source, target;
};

struct BuildOptions {
  int threads = 1;  // the bytes of the cache do not depend on it
  OnDamage on_damage = OnDamage::kRebuild;
  ProgressSink* progress = nullptr;
  std::function<void()> poll = {};  // called for every pair, from several threads at once; may throw, to stop
  UnknownTexts* unknown = nullptr;  // added to when a cache is built
};

// Of the bytes of the files as they lie on the disk, and of how they are read. Throws ConfigError for standard input
// and DataError for pipes, devices and folders: a corpus is read several times, once for this hash, and must have an
// end.
std::uint64_t corpus_fingerprint(const CorpusSpec& corpus, const ReadOptions& options = {});

CacheKey cache_key(std::uint64_t corpus, const CacheRecipe& recipe);

// Tokenises every pair and writes the cache. Holds a few thousand pairs at a time.
CacheCounts build_token_cache(const std::filesystem::path& path, PairSource& pairs, std::uint64_t corpus,
                              const CacheRecipe& recipe, const BuildOptions& options = {});

struct PreparedCache {
  std::shared_ptr<const TokenCache> cache;
  bool built = false;  // false: it was there
};

// The cache at `path` if it was made from this corpus by this recipe and is whole; else built from open().
PreparedCache prepare_token_cache(const std::filesystem::path& path,
                                  const std::function<std::unique_ptr<PairSource>()>& open, std::uint64_t corpus,
                                  const CacheRecipe& recipe, const BuildOptions& options = {});

}  // namespace dhyan
