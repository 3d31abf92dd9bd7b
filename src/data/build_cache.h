#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "data/pairs.h"
#include "data/token_cache.h"
#include "text/unknown_text.h"

namespace dhyan {

enum class Overlong { kDrop, kCut };

// Everything beside the corpus that the content of a cache depends on.
struct CacheRecipe {
  const Tokenizer* source = nullptr;
  const Tokenizer* target = nullptr;  // null: plain text
  Index max_length = 256;             // tokens per side, without </s>
  Overlong overlong = Overlong::kDrop;
  CacheContent content = CacheContent::kIds;
};

enum class OnDamage { kRebuild, kThrow };

// Text of the kept pairs that the vocabularies have no tokens for.
struct UnknownTexts {
  UnknownText source, target;
};

struct BuildOptions {
  int threads = 1;  // the bytes of the cache do not depend on it
  OnDamage on_damage = OnDamage::kRebuild;
  ProgressSink* progress = nullptr;
  std::function<void()> poll = {};  // called for every pair, from several threads at once; may throw to stop
  UnknownTexts* unknown = nullptr;  // receives counts when a cache is built
};

// A hash of the files' bytes on disk and of the options they are read with. Throws ConfigError for standard input and
// DataError for pipes, devices and folders, because a corpus is read several times.
std::uint64_t corpus_fingerprint(const CorpusSpec& corpus, const ReadOptions& options = {});

CacheKey cache_key(std::uint64_t corpus, const CacheRecipe& recipe);

// Tokenises every pair and writes the cache; holds a few thousand pairs in memory.
CacheCounts build_token_cache(const std::filesystem::path& path, PairSource& pairs, std::uint64_t corpus,
                              const CacheRecipe& recipe, const BuildOptions& options = {});

struct PreparedCache {
  std::shared_ptr<const TokenCache> cache;
  bool built = false;  // false: it existed
};

// Opens the cache at `path` if it is complete and was made from this corpus by this recipe; builds it from open() else.
PreparedCache prepare_token_cache(const std::filesystem::path& path,
                                  const std::function<std::unique_ptr<PairSource>()>& open, std::uint64_t corpus,
                                  const CacheRecipe& recipe, const BuildOptions& options = {});

}  // namespace dhyan
