#include "data/token_cache.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "data/content_hash.h"
#include "data/token_cache_format.h"

namespace dhyan {

using namespace cache_format;

namespace {

std::uint64_t blocks_of(std::uint64_t pairs) { return pairs / kBlockPairs + (pairs % kBlockPairs != 0); }

std::span<std::byte> bytes_of(auto& value) { return std::as_writable_bytes(std::span(&value, 1)); }

CacheInfo info_of(const Trailer& t) {
  CacheInfo info;
  info.key = {t[0], t[1], t[2], t[3]};
  info.content = static_cast<CacheContent>(t[4]);
  info.source_vocabulary = static_cast<Index>(t[5]);
  info.target_vocabulary = static_cast<Index>(t[6]);
  info.max_length = static_cast<Index>(t[7]);
  info.counts = {t[8], t[9], t[10], t[11], t[12], t[13], t[14]};
  return info;
}

}  // namespace

TokenCache::TokenCache(const std::filesystem::path& path) : where_(path.string()) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw IoError(cat(where_, ": cannot open: ", std::strerror(errno)));
  try {
    read_trailer();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

TokenCache::~TokenCache() { ::close(descriptor_); }

void TokenCache::damaged(const std::string& what) const {
  throw DataError(cat(where_, ": ", what, "; the cache is damaged; remove it, and the next training rebuilds it"));
}

void TokenCache::read_trailer() {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) throw IoError(cat(where_, ": cannot stat: ", std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw IoError(cat(where_, ": not a regular file"));
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (size_ < kMagic.size() + kTrailerBytes) {
    damaged(cat("it has ", size_, " bytes, expected at least ", kMagic.size() + kTrailerBytes));
  }
  std::array<char, kMagic.size()> magic;
  read_at(0, bytes_of(magic));
  if (std::string_view(magic.data(), magic.size()) != kMagic)
    damaged("it does not start with the magic bytes of a token cache");

  Trailer trailer;
  read_at(size_ - kTrailerBytes, bytes_of(trailer));
  const std::uint64_t sum = content_hash(std::as_bytes(std::span(trailer).first(kTrailerWords - 1)));
  if (sum != trailer.back()) damaged(cat("the checksum of its trailer is ", sum, ", expected ", trailer.back()));

  info_ = info_of(trailer);
  index_begin_ = trailer[15];
  if (trailer[4] > 2) damaged(cat("its content is of kind ", trailer[4], ", expected 0, 1 or 2"));
  for (const std::uint64_t vocabulary : {trailer[5], trailer[6]}) {
    if (vocabulary > std::numeric_limits<TokenId>::max()) damaged(cat("its vocabulary has ", vocabulary, " tokens"));
  }
  if (trailer[7] > kLongestSide) damaged(cat("its longest length is ", trailer[7], ", expected up to ", kLongestSide));
  // A pair takes two bytes or more, and no tokenizer makes more than 64 tokens from a byte. Larger numbers are invalid.
  const CacheCounts& counts = info_.counts;
  if (counts.pairs > size_ / 2) damaged(cat("it counts ", counts.pairs, " pairs in ", size_, " bytes"));
  for (const std::uint64_t tokens : {counts.source_tokens, counts.target_tokens}) {
    if (tokens / 64 > size_) damaged(cat("it counts ", tokens, " tokens in ", size_, " bytes"));
  }
  const std::uint64_t index_bytes = blocks_of(counts.pairs) * kIndexEntryBytes;
  if (index_begin_ < kMagic.size() || index_begin_ > size_ || index_begin_ + index_bytes + kTrailerBytes != size_ ||
      (counts.pairs == 0 && index_begin_ != kMagic.size())) {
    damaged(cat("it has ", size_, " bytes, but its index of ", index_bytes, " bytes begins at ", index_begin_));
  }
}

void TokenCache::read_at(std::uint64_t begin, std::span<std::byte> to) const {
  while (!to.empty()) {
    const ssize_t read = ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(begin));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) throw IoError(cat(where_, ": cannot read: ", std::strerror(errno)));
    if (read == 0) damaged(cat("it ends at byte ", begin));
    to = to.subspan(static_cast<std::size_t>(read));
    begin += static_cast<std::uint64_t>(read);
  }
}

void TokenCache::read_block(Index block, std::vector<std::byte>& bytes) const {
  const auto number = static_cast<std::uint64_t>(block);
  std::array<IndexEntry, 2> entries{};  // of this block, and of the next for its end
  const bool last = number + 1 == blocks_of(info_.counts.pairs);
  read_at(index_begin_ + number * kIndexEntryBytes, std::as_writable_bytes(std::span(entries).first(last ? 1 : 2)));
  if (last) entries[1].begin = index_begin_;
  const std::uint64_t begin = entries[0].begin, end = entries[1].begin;
  if (begin < kMagic.size() || begin > end || end > index_begin_ || end - begin > kLongestBlock ||
      (block == 0 && begin != kMagic.size())) {
    damaged(cat("block ", block, " lies at [", begin, ",", end, ") of ", index_begin_));
  }
  bytes.resize(end - begin);
  read_at(begin, bytes);
  const std::uint64_t sum = content_hash(bytes, number);
  if (sum != entries[0].checksum) {
    damaged(cat("the checksum of block ", block, " is ", sum, ", expected ", entries[0].checksum));
  }
}

void TokenCache::verify(ProgressSink* progress, const std::function<void()>& poll) const {
  CacheReader reader(*this);
  CacheCounts found;
  for (Index number = 0; number < pairs(); ++number) {
    if (info_.content != CacheContent::kText) {
      const CacheReader::Ids pair = reader.ids(number);
      found.source_tokens += pair.source.size();
      found.target_tokens += pair.target.size();
    } else {
      reader.text(number);
    }
    if (poll && number % kBlockPairs == 0) poll();
    if (progress != nullptr && number % (kBlockPairs * 64) == 0) {
      progress->update(static_cast<std::uint64_t>(number), info_.counts.pairs, "sentences");
    }
  }
  if (info_.content != CacheContent::kText &&
      (found.source_tokens != info_.counts.source_tokens || found.target_tokens != info_.counts.target_tokens)) {
    damaged(cat("it holds ", found.source_tokens, " and ", found.target_tokens, " tokens, but counts ",
                info_.counts.source_tokens, " and ", info_.counts.target_tokens));
  }
  if (progress != nullptr) progress->update(info_.counts.pairs, info_.counts.pairs, "sentences");
}

CacheReader::Record CacheReader::record(Index number) {
  if (number < 0 || number >= cache_->pairs()) {
    throw UsageError(cat(cache_->where_, ": pair ", number, " of ", cache_->pairs()));
  }
  const Index block = number / kBlockPairs, place = number % kBlockPairs;
  if (block != block_) {
    block_ = -1;  // until it is read and checked
    cache_->read_block(block, bytes_);
    block_ = block;
    next_ = kBlockPairs;
  }
  if (place < next_) {
    next_ = 0;
    next_bytes_ = bytes_;
  }
  std::uint32_t length = 0;
  while (true) {
    if (!take_varint(next_bytes_, length) || length > next_bytes_.size()) {
      cache_->damaged(cat("record ", next_, " of block ", block, " goes beyond its block"));
    }
    if (next_++ == place) break;
    next_bytes_ = next_bytes_.subspan(length);
  }
  Record record{next_bytes_.first(length), 0};
  next_bytes_ = next_bytes_.subspan(length);
  const bool last = place + 1 == kBlockPairs || number + 1 == cache_->pairs();
  if (last && !next_bytes_.empty()) cache_->damaged(cat("block ", block, " is longer than its records"));
  // A token of the source, or a byte of its text, takes a byte or more.
  if (!take_varint(record.bytes, record.source_length) || record.source_length > record.bytes.size()) {
    cache_->damaged(cat("the source of pair ", number, " goes beyond its record"));
  }
  return record;
}

// Removes up to `most` ids from the front of `bytes`; returns their number.
std::size_t CacheReader::take_ids(std::span<const std::byte>& bytes, std::size_t most, Index vocabulary) {
  std::size_t taken = 0;
  for (std::uint32_t id = 0; taken < most && !bytes.empty(); ++taken) {
    if (!take_varint(bytes, id)) cache_->damaged(cat("an id in block ", block_, " goes beyond its record"));
    if (id >= vocabulary) cache_->damaged(cat("an id in block ", block_, " is ", id, " of ", vocabulary));
    ids_.push_back(static_cast<TokenId>(id));
  }
  return taken;
}

void CacheReader::take_links(std::span<const std::byte> bytes, std::size_t source, std::size_t target) {
  links_.clear();
  for (std::uint32_t s = 0, t = 0; !bytes.empty();) {
    if (!take_varint(bytes, s) || !take_varint(bytes, t)) {
      cache_->damaged(cat("a link in block ", block_, " goes beyond its record"));
    }
    if (s >= source || t >= target) {
      cache_->damaged(cat("a link in block ", block_, " is ", s, "-", t, " of ", source, " and ", target, " tokens"));
    }
    links_.push_back({static_cast<RowId>(s), static_cast<RowId>(t)});
  }
}

CacheReader::Ids CacheReader::ids(Index number) {
  const CacheContent content = cache_->info_.content;
  if (content == CacheContent::kText) throw UsageError(cat(cache_->where_, ": holds text, not ids"));
  Record pair = record(number);
  std::uint32_t target_length = std::numeric_limits<std::uint32_t>::max();  // all that remains
  if (content == CacheContent::kAligned && !take_varint(pair.bytes, target_length)) {
    cache_->damaged(cat("pair ", number, " has no target length"));
  }
  ids_.clear();
  const std::size_t source = take_ids(pair.bytes, pair.source_length, cache_->info_.source_vocabulary);
  if (source != pair.source_length) cache_->damaged(cat("the source of pair ", number, " goes beyond its record"));
  const std::size_t target = take_ids(pair.bytes, target_length, cache_->info_.target_vocabulary);
  if (content == CacheContent::kAligned) {
    if (target != target_length) cache_->damaged(cat("the target of pair ", number, " goes beyond its record"));
    take_links(pair.bytes, source, target);
  }
  const std::span<const TokenId> ids = ids_;
  return {ids.first(source), ids.subspan(source), links_};
}

CacheReader::Text CacheReader::text(Index number) {
  if (cache_->info_.content != CacheContent::kText) throw UsageError(cat(cache_->where_, ": holds ids, not text"));
  const Record pair = record(number);
  const std::string_view text(reinterpret_cast<const char*>(pair.bytes.data()), pair.bytes.size());
  return {text.substr(0, pair.source_length), text.substr(pair.source_length)};
}

}  // namespace dhyan
