#include "data/build_cache.h"

#include <algorithm>

#include "core/error.h"
#include "core/thread_pool.h"
#include "data/content_hash.h"
#include "data/token_cache_writer.h"

namespace dhyan {

namespace {

constexpr std::size_t kChunkPairs = 4096;  // read while the previous chunk is tokenised
constexpr std::size_t kChunkBytes = std::size_t{8} << 20;
constexpr std::size_t kGroupPairs = 64;  // tokenised by one thread

struct Chunk {
  std::vector<SentencePair> pairs;  // strings beyond `size` are kept for reuse
  std::size_t size = 0;
};

// The concatenated records of some pairs.
struct Group {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> ends;
  CacheCounts counts;
  UnknownTexts unknown;
};

void expect_usable(const CacheRecipe& recipe) {
  if (recipe.source == nullptr) throw UsageError("token cache: there is no source tokenizer");
  if (recipe.max_length < 1 || recipe.max_length > cache_format::kLongestSide) {
    throw ConfigError(
        cat("token cache: max length is ", recipe.max_length, ", expected 1 to ", cache_format::kLongestSide));
  }
}

void read_chunk(PairSource& pairs, Chunk& chunk) {
  chunk.size = 0;
  std::size_t bytes = 0;
  while (chunk.size < kChunkPairs && bytes < kChunkBytes) {
    if (chunk.size == chunk.pairs.size()) chunk.pairs.emplace_back();
    SentencePair& pair = chunk.pairs[chunk.size];
    if (!pairs.next(pair)) return;
    bytes += pair.source.size() + pair.target.size();
    ++chunk.size;
  }
}

// One side of a pair, cut to the maximum length.
struct Side {
  Encoded encoded;
  std::string_view text;
  bool too_long = false;

  Side(const Tokenizer& tokenizer, std::string_view line, Index max_length)
      : encoded(tokenizer.encode(line)), text(line) {
    const auto most = static_cast<std::size_t>(max_length);
    if (encoded.ids.size() > most) {
      too_long = true;
      text = text.substr(0, static_cast<std::size_t>(encoded.pieces[most - 1].end));
      encoded.ids.resize(most);
      encoded.pieces.resize(most);
    }
  }
};

void put_pair(const Side& source, const Side& target, std::span<const WordLink> links, CacheContent content,
              std::vector<std::byte>& to) {
  switch (content) {
    case CacheContent::kIds:
      return put_ids(to, source.encoded.ids, target.encoded.ids);
    case CacheContent::kText:
      return put_text(to, source.text, target.text);
    case CacheContent::kAligned:
      return put_aligned(
          to, source.encoded.ids, target.encoded.ids,
          token_links(links, {source.text, source.encoded.pieces}, {target.text, target.encoded.pieces}));
  }
}

void encode_pair(const SentencePair& pair, const CacheRecipe& recipe, Group& group) {
  ++group.counts.read;
  const Side source(*recipe.source, pair.source, recipe.max_length);
  const Side target = recipe.target != nullptr ? Side(*recipe.target, pair.target, recipe.max_length) : Side(source);
  // Empty lines of plain text are kept: they end a paragraph.
  if (recipe.target != nullptr && (source.encoded.ids.empty() || target.encoded.ids.empty())) {
    ++group.counts.empty;
    return;
  }
  const bool text = recipe.content == CacheContent::kText;
  const std::size_t bytes = text ? std::max(source.text.size(), target.text.size()) : 0;
  const bool too_long = source.too_long || target.too_long;
  if ((too_long && recipe.overlong == Overlong::kDrop) || bytes > cache_format::kLongestSide) {
    ++group.counts.too_long;
    return;
  }
  group.counts.cut += too_long;
  ++group.counts.pairs;
  group.counts.source_tokens += source.encoded.ids.size();
  group.unknown.source.add(*recipe.source, pair.source, source.encoded);
  if (recipe.target == nullptr) {
    text ? put_text(group.bytes, source.text, {}) : put_ids(group.bytes, source.encoded.ids, {});
  } else {
    group.counts.target_tokens += target.encoded.ids.size();
    group.unknown.target.add(*recipe.target, pair.target, target.encoded);
    put_pair(source, target, pair.links, recipe.content, group.bytes);
  }
  group.ends.push_back(group.bytes.size());
}

void encode_group(std::span<const SentencePair> pairs, const CacheRecipe& recipe, const std::function<void()>& poll,
                  Group& group) {
  group.bytes.clear();
  group.ends.clear();
  group.counts = {};
  group.unknown = {};
  for (const SentencePair& pair : pairs) {
    if (poll) poll();
    encode_pair(pair, recipe, group);
  }
}

void write_group(const Group& group, TokenCacheWriter& writer, CacheCounts& sum) {
  std::size_t begin = 0;
  for (const std::size_t end : group.ends) {
    writer.add(std::span(group.bytes).subspan(begin, end - begin));
    begin = end;
  }
  sum.read += group.counts.read;
  sum.pairs += group.counts.pairs;
  sum.empty += group.counts.empty;
  sum.too_long += group.counts.too_long;
  sum.cut += group.counts.cut;
  sum.source_tokens += group.counts.source_tokens;
  sum.target_tokens += group.counts.target_tokens;
}

void tell(ProgressSink* progress, const PairSource& pairs, const CacheCounts& counts) {
  if (progress == nullptr) return;
  const ReadReport read = pairs.report();
  progress->update(counts.read, estimated_total(counts.read, read.bytes, read.bytes_in_all), "sentences");
}

const char* name_of(std::filesystem::file_type type) {
  using enum std::filesystem::file_type;
  switch (type) {
    case directory:
      return "a folder";
    case fifo:
      return "a pipe";
    case socket:
      return "a socket";
    default:
      return "a device";
  }
}

// A missing file is reported when it is opened.
void expect_regular_file(const std::string& file) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(file, unknown);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw DataError(cat(file, ": this is ", name_of(status.type()),
                      "; expected a regular file, because training reads a corpus more than once"));
}

}  // namespace

std::uint64_t corpus_fingerprint(const CorpusSpec& corpus, const ReadOptions& options) {
  ContentHash hash;
  for (const std::string& file : corpus.files) {
    if (file == "-") throw ConfigError("standard input cannot be cached: it is read only once; give a file");
    expect_regular_file(file);
    hash.add(content_hash_of_file(file, options.poll));
    const std::string extension = std::filesystem::path(file).extension();  // the format may be guessed from it
    hash.add(extension.size()).add(std::as_bytes(std::span(extension)));
  }
  hash.add(static_cast<std::uint64_t>(corpus.format))
      .add(static_cast<std::uint64_t>(options.on_bad_utf8))
      .add(static_cast<std::uint64_t>(options.on_bad_columns));
  for (std::string language : {options.source_language, options.target_language}) {
    if (!may_be_tmx(corpus)) language.clear();
    hash.add(language.size()).add(std::as_bytes(std::span(language)));
  }
  return hash.value();
}

CacheKey cache_key(std::uint64_t corpus, const CacheRecipe& recipe) {
  expect_usable(recipe);
  ContentHash options;
  options.add(static_cast<std::uint64_t>(recipe.max_length))
      .add(static_cast<std::uint64_t>(recipe.overlong))
      .add(static_cast<std::uint64_t>(recipe.content));
  return {corpus, recipe.source->fingerprint(), recipe.target != nullptr ? recipe.target->fingerprint() : 0,
          options.value()};
}

CacheCounts build_token_cache(const std::filesystem::path& path, PairSource& pairs, std::uint64_t corpus,
                              const CacheRecipe& recipe, const BuildOptions& options) {
  CacheInfo info;
  info.key = cache_key(corpus, recipe);
  info.content = recipe.content;
  info.source_vocabulary = recipe.source->size();
  info.target_vocabulary = recipe.target != nullptr ? recipe.target->size() : 0;
  info.max_length = recipe.max_length;
  if (recipe.target != nullptr && !pairs.has_targets()) {
    throw DataError(cat(path.string(), ": the corpus is plain text, expected sentences with translations"));
  }

  TokenCacheWriter writer(path, info);
  ThreadPool pool(options.threads);
  Chunk reading, encoding;
  std::vector<Group> groups;
  CacheCounts counts;
  read_chunk(pairs, reading);
  while (reading.size > 0) {
    std::swap(reading, encoding);
    groups.resize((encoding.size + kGroupPairs - 1) / kGroupPairs);
    pool.run(std::ssize(groups) + 1, [&](Index task, int) {
      if (task == 0) return read_chunk(pairs, reading);
      const auto group = static_cast<std::size_t>(task - 1);
      const std::size_t begin = group * kGroupPairs, end = std::min(begin + kGroupPairs, encoding.size);
      encode_group(std::span(encoding.pairs).subspan(begin, end - begin), recipe, options.poll, groups[group]);
    });
    for (const Group& group : groups) {
      write_group(group, writer, counts);
      if (options.unknown == nullptr) continue;
      options.unknown->source.add(group.unknown.source);
      options.unknown->target.add(group.unknown.target);
    }
    tell(options.progress, pairs, counts);
  }
  writer.commit(counts);
  return counts;
}

PreparedCache prepare_token_cache(const std::filesystem::path& path,
                                  const std::function<std::unique_ptr<PairSource>()>& open, std::uint64_t corpus,
                                  const CacheRecipe& recipe, const BuildOptions& options) {
  if (std::filesystem::exists(path)) {
    try {
      auto cache = std::make_shared<const TokenCache>(path);
      if (cache->info().key == cache_key(corpus, recipe)) {
        cache->verify(options.progress, options.poll);
        return {std::move(cache), false};
      }
    } catch (const DataError&) {
      if (options.on_damage == OnDamage::kThrow) throw;
    }
  }
  build_token_cache(path, *open(), corpus, recipe, options);
  return {std::make_shared<const TokenCache>(path), true};
}

}  // namespace dhyan
