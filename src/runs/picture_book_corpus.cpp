#include "runs/picture_book_corpus.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "data/content_hash.h"
#include "phrasebook/scene_regions.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

constexpr Index kCountedCaptions = 500;                 // to estimate the tokens of all
constexpr std::uint64_t kSubwordStream = 0x7375627764;  // of random numbers

// A picture's number is a token, so numbers start again after 2^31 scenes.
TokenId scene_number(std::uint64_t pass, Index scenes, Index number) {
  const std::uint64_t all = pass * static_cast<std::uint64_t>(scenes) + static_cast<std::uint64_t>(number);
  return static_cast<TokenId>(all % (std::uint64_t{std::numeric_limits<TokenId>::max()} + 1));
}

class Captions final : public PairSource {
 public:
  explicit Captions(const PictureBookSpec& spec) : spec_(spec) {}

  bool next(SentencePair& pair) override {
    if (at_ == spec_.scenes) return false;
    pair.source = cat("scene ", at_);
    pair.target = picturebook::example(spec_.language, spec_.part, static_cast<std::uint64_t>(at_)).caption.text;
    pair.line = static_cast<std::uint64_t>(++at_);
    pair.corpus = 0;
    pair.links.clear();
    return true;
  }

 private:
  PictureBookSpec spec_;
  Index at_ = 0;
};

bool overlap(ByteRange a, ByteRange b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

std::unique_ptr<PairSource> open_picture_book(const PictureBookSpec& spec) { return std::make_unique<Captions>(spec); }

PictureBookCorpus::PictureBookCorpus(const PictureBookSpec& spec, std::shared_ptr<const Tokenizer> tokenizer,
                                     GridShape grid)
    : spec_(spec), tokenizer_(std::move(tokenizer)), grid_(grid) {
  const Index counted = std::min(spec_.scenes, kCountedCaptions);
  Index tokens = 0;
  for (Index number = 0; number < counted; ++number) {
    const auto [scene, caption] = picturebook::example(spec_.language, spec_.part, static_cast<std::uint64_t>(number));
    tokens += std::ssize(tokenizer_->encode(caption.text).ids);
  }
  if (counted > 0) target_tokens_ = tokens * spec_.scenes / counted;
}

std::uint64_t PictureBookCorpus::fingerprint() const {
  ContentHash hash;
  for (const Index number : {static_cast<Index>(spec_.language), static_cast<Index>(spec_.part), spec_.scenes,
                             Index{spec_.aligned}, Index{spec_.sampled}, grid_.height, grid_.width}) {
    hash.add(static_cast<std::uint64_t>(number));
  }
  return hash.add(tokenizer_->fingerprint()).value();
}

void PictureBookCorpus::draw(std::uint64_t pass, Index number, Pair& pair) const {
  const TokenId scene = scene_number(pass, spec_.scenes, number);
  const picturebook::Example example =
      picturebook::example(spec_.language, spec_.part, static_cast<std::uint64_t>(scene));
  Rng rng = Rng(kSubwordStream).split(static_cast<std::uint64_t>(scene));
  const Encoded encoded =
      spec_.sampled ? tokenizer_->encode_sampled(example.caption.text, rng) : tokenizer_->encode(example.caption.text);
  pair.source = {scene};
  pair.target = encoded.ids;
  pair.links.clear();
  if (!spec_.aligned) return;
  const auto cells = word_cells(example.scene, example.caption.objects, grid_.height, grid_.width);
  const std::vector<ByteRange> words = word_ranges(example.caption.text);
  for (std::size_t token = 0; token < encoded.pieces.size(); ++token) {
    for (std::size_t word = 0; word < words.size(); ++word) {
      if (!overlap(words[word], encoded.pieces[token])) continue;
      for (const Index cell : cells[word]) {
        pair.links.push_back({static_cast<RowId>(cell), static_cast<RowId>(token)});
      }
    }
  }
}

}  // namespace dhyan
