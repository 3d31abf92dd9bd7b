#include "data/shuffle_buffer.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "core/error.h"
#include "data/rng_streams.h"

namespace dhyan {

namespace {

constexpr std::size_t kMostChunks = 64;

template <class T>
void shuffle(std::vector<T>& things, Rng& rng) {  // std::shuffle differs between standard libraries
  for (std::size_t left = things.size(); left > 1; --left) std::swap(things[left - 1], things[rng.below(left)]);
}

}  // namespace

// The part of a buffer that one thread reads.
struct ShuffleBuffer::Chunk {
  std::uint32_t number = 0;
  std::vector<TokenId> tokens;
  std::vector<TokenLink> links;
  std::vector<Item> items;

  std::uint32_t end() const {
    if (tokens.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw ConfigError(
          cat("batches: ", tokens.size(), " tokens in one chunk of a shuffle buffer; expected a smaller buffer"));
    }
    return static_cast<std::uint32_t>(tokens.size());
  }
};

class ShuffleBuffer::ChunkReader {
 public:
  ChunkReader(const ShuffleBufferPlan& plan, std::uint64_t seed, Chunk& chunk)
      : plan_(plan), subwords_(stream_of(seed, StreamName::kSubwords)), chunk_(chunk) {
    std::uint64_t base = 0;
    for (const TrainingCorpus& corpus : plan.corpora) {
      readers_.emplace_back();
      if (corpus.cache) readers_.back().emplace(*corpus.cache);
      bases_.push_back(base);
      base += static_cast<std::uint64_t>(corpus.pairs());
    }
  }

  void read(const Run& run) { plan_.context == 0 ? read_pairs(run) : read_text(run); }

 private:
  void read_pairs(const Run& run) {
    for (Index number = run.first; number < run.last; ++number) {
      const CacheReader::Ids pair = ids(run, number);
      Item item{bases_[run.corpus] + static_cast<std::uint64_t>(number), chunk_.number, chunk_.end(), 0, 0, 0};
      if (plan_.pictures) {
        append_without_end(pair.source);
      } else {
        append(pair.source);
      }
      item.source_length = chunk_.end() - item.source_begin;
      item.target_begin = chunk_.end();
      append(pair.target);
      item.target_length = chunk_.end() - item.target_begin;
      item.links_begin = static_cast<std::uint32_t>(chunk_.links.size());
      item.links_length = static_cast<std::uint32_t>(pair.links.size());
      chunk_.links.insert(chunk_.links.end(), pair.links.begin(), pair.links.end());
      chunk_.items.push_back(item);
    }
  }

  // <s> line </s> line </s> ..., or with another token between lines, cut to the context; the target of a token is the
  // token that follows it.
  void read_text(const Run& run) {
    const auto context = static_cast<std::uint32_t>(plan_.context);
    std::uint32_t begin = chunk_.end();
    chunk_.tokens.push_back(kBegin);
    const TrainingCorpus& corpus = plan_.corpora[run.corpus];
    const TokenId line_end = corpus.source ? corpus.source->line_end() : kEnd;
    std::uint64_t line_of_begin = bases_[run.corpus] + static_cast<std::uint64_t>(run.first);
    const auto cut = [&](std::uint32_t length) {
      chunk_.items.push_back({line_of_begin, chunk_.number, begin, length, begin + 1, length});
      begin += length;
    };
    for (Index number = run.first; number < run.last; ++number) {
      append_without_end(ids(run, number).source);
      chunk_.tokens.push_back(line_end);
      while (chunk_.end() - begin > context) {
        cut(context);
        line_of_begin = bases_[run.corpus] + static_cast<std::uint64_t>(number);
      }
    }
    if (chunk_.end() - begin > 1) cut(chunk_.end() - begin - 1);
  }

  void append(std::span<const TokenId> ids) {
    append_without_end(ids);
    chunk_.tokens.push_back(kEnd);
  }

  void append_without_end(std::span<const TokenId> ids) {
    chunk_.tokens.insert(chunk_.tokens.end(), ids.begin(), ids.end());
  }

  CacheReader::Ids ids(const Run& run, Index number) {
    const TrainingCorpus& corpus = plan_.corpora[run.corpus];
    if (corpus.drawn) {
      corpus.drawn->draw(run.pass, number, drawn_);
      return {drawn_.source, drawn_.target, drawn_.links};
    }
    CacheReader& reader = *readers_[run.corpus];
    if (corpus.cache->info().content != CacheContent::kText) return reader.ids(number);
    const CacheReader::Text text = reader.text(number);
    const Rng rng = subwords_.split(run.corpus).split(run.pass).split(static_cast<std::uint64_t>(number));
    sample(*corpus.source, text.source, rng.split(0), corpus.cache->info().max_length, source_);
    if (corpus.target) sample(*corpus.target, text.target, rng.split(1), corpus.cache->info().max_length, target_);
    return {source_, target_};
  }

  // A sampled segmentation that is too long is replaced by the best one.
  static void sample(const Tokenizer& tokenizer, std::string_view text, Rng rng, Index longest,
                     std::vector<TokenId>& ids) {
    ids = tokenizer.encode_sampled(text, rng).ids;
    if (std::ssize(ids) > longest) ids = tokenizer.encode(text).ids;
    if (std::ssize(ids) > longest) ids.resize(static_cast<std::size_t>(longest));
  }

  const ShuffleBufferPlan& plan_;
  Rng subwords_;
  Chunk& chunk_;
  std::vector<std::optional<CacheReader>> readers_;  // by corpus; none of a drawn one
  std::vector<std::uint64_t> bases_;                 // by corpus: pairs of the corpora before it
  std::vector<TokenId> source_, target_;             // sampled
  DrawnCorpus::Pair drawn_;
};

Batch ShuffleBuffer::batch(Index i) const {
  const Range range = batches_[static_cast<std::size_t>(i)];
  std::vector<Example> examples;
  examples.reserve(range.end - range.begin);
  for (const Item& item : std::span(items_).subspan(range.begin, range.end - range.begin)) {
    const std::span<const TokenId> tokens = tokens_[item.chunk];
    examples.push_back({tokens.subspan(item.source_begin, item.source_length),
                        tokens.subspan(item.target_begin, item.target_length), item.number,
                        std::span(links_[item.chunk]).subspan(item.links_begin, item.links_length)});
  }
  return make_batch(examples, pictures_);
}

// Sorts by length, so that the sentences of a batch end together; equal lengths and whole batches are shuffled.
void ShuffleBuffer::order(const BatchLimits& limits, Rng rng) {
  shuffle(items_, rng);
  std::ranges::stable_sort(
      items_, {}, [](const Item& item) { return std::uint64_t{item.target_length} << 32 | item.source_length; });
  std::vector<ExampleSize> sizes;
  sizes.reserve(items_.size());
  for (const Item& item : items_) sizes.push_back({item.source_length, item.target_length});
  std::size_t begin = 0;
  for (const std::size_t end : batch_ends(sizes, limits)) {
    batches_.push_back({begin, end});
    begin = end;
  }
  shuffle(batches_, rng);
}

ShuffleBuffer load_shuffle_buffer(const ShuffleBufferPlan& plan, std::uint64_t seed, std::uint64_t epoch, Index buffer,
                                  ThreadPool& threads, const std::stop_token& stop) {
  std::vector<Run> runs = plan.mixture.runs(seed, epoch, buffer);
  // Sorted by file position: one sequential pass over each file.
  std::ranges::sort(runs, {}, [](const Run& run) { return std::tuple(run.corpus, run.first, run.pass); });
  std::vector<ShuffleBuffer::Chunk> chunks(std::min(kMostChunks, runs.size()));
  threads.run(std::ssize(chunks), [&](Index i, int) {
    const auto number = static_cast<std::size_t>(i);
    chunks[number].number = static_cast<std::uint32_t>(number);
    ShuffleBuffer::ChunkReader reader(plan, seed, chunks[number]);
    const std::size_t end = runs.size() * (number + 1) / chunks.size();
    for (std::size_t r = runs.size() * number / chunks.size(); r < end && !stop.stop_requested(); ++r) {
      reader.read(runs[r]);
    }
    chunks[number].tokens.shrink_to_fit();
    chunks[number].links.shrink_to_fit();
  });
  ShuffleBuffer loaded;
  loaded.pictures_ = plan.pictures;
  std::size_t items = 0;
  for (const ShuffleBuffer::Chunk& chunk : chunks) items += chunk.items.size();
  loaded.items_.reserve(items);
  for (ShuffleBuffer::Chunk& chunk : chunks) {
    loaded.items_.insert(loaded.items_.end(), chunk.items.begin(), chunk.items.end());
    loaded.tokens_.push_back(std::move(chunk.tokens));
    loaded.links_.push_back(std::move(chunk.links));
    chunk = {};
  }
  loaded.order(plan.limits,
               stream_of(seed, StreamName::kBatches).split(epoch).split(static_cast<std::uint64_t>(buffer)));
  return loaded;
}

}  // namespace dhyan
