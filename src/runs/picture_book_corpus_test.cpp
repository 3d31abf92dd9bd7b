#include "runs/picture_book_corpus.h"

#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "phrasebook/scene_regions.h"
#include "text/tokenizer_factory.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using picturebook::Language;

std::shared_ptr<const Tokenizer> learned(std::string_view kind, const PictureBookSpec& spec,
                                         const std::optional<SubwordSampling>& sampling = std::nullopt) {
  const std::shared_ptr<PairSource> pairs = open_picture_book(spec);
  const LineSource captions = [pairs](std::string& line) {
    SentencePair pair;
    if (!pairs->next(pair)) return false;
    line = pair.target;
    return true;
  };
  TokenizerOptions options;
  options.vocabulary_size = 60;
  options.fewer_is_fine = true;
  return tokenizer_kind(kind).train(captions, options, sampling).tokenizer;
}

TEST(PictureBookCorpus, GivesTextForTokenizers) {
  const auto pairs = open_picture_book({.part = Part::kDev, .scenes = 3});
  std::vector<std::string> captions;
  for (SentencePair pair; pairs->next(pair);) {
    EXPECT_EQ(pair.source, cat("scene ", captions.size()));
    captions.push_back(pair.target);
    EXPECT_EQ(pair.line, captions.size());
  }
  ASSERT_EQ(captions.size(), 3u);
  EXPECT_EQ(captions[2], picturebook::example(Language::kEnglish, Part::kDev, 2).caption.text);
}

TEST(PictureBookCorpus, DrawsOtherScenesInEveryPass) {
  const PictureBookSpec spec{.scenes = 40};
  const auto words = learned("word", spec);
  const PictureBookCorpus corpus(spec, words, {8, 8});
  EXPECT_EQ(corpus.pairs(), 40);
  std::set<TokenId> scenes;
  DrawnCorpus::Pair pair, again;
  for (std::uint64_t pass = 0; pass < 3; ++pass) {
    for (Index number = 0; number < 40; ++number) {
      corpus.draw(pass, number, pair);
      ASSERT_EQ(pair.source.size(), 1u);
      EXPECT_TRUE(scenes.insert(pair.source[0]).second);
      const auto example =
          picturebook::example(Language::kEnglish, Part::kTrain, static_cast<std::uint64_t>(pair.source[0]));
      EXPECT_EQ(words->decode(pair.target), example.caption.text);
      EXPECT_TRUE(pair.links.empty());
    }
  }
  corpus.draw(2, 39, again);
  EXPECT_EQ(again.source, pair.source);
  EXPECT_EQ(again.target, pair.target);
  corpus.draw(std::uint64_t{1} << 40, 7, again);
  EXPECT_GE(again.source[0], 0) << "numbers begin again";
}

// Each token of a word is linked to the cells of what the word is about.
TEST(PictureBookCorpus, LinksTokensToCells) {
  for (const Language language : {Language::kEnglish, Language::kHindi}) {
    for (const char* kind : {"word", "char"}) {
      const PictureBookSpec spec{.language = language, .scenes = 30, .aligned = true};
      const auto tokenizer = learned(kind, spec);
      const PictureBookCorpus corpus(spec, tokenizer, {4, 6});
      DrawnCorpus::Pair pair;
      for (Index number = 0; number < 30; ++number) {
        corpus.draw(0, number, pair);
        const auto example = picturebook::example(language, Part::kTrain, static_cast<std::uint64_t>(number));
        const auto cells = picturebook::word_cells(example.scene, example.caption.objects, 4, 6);
        const std::vector<ByteRange> words = word_ranges(example.caption.text);
        const Encoded encoded = tokenizer->encode(example.caption.text);
        std::size_t links = 0;
        for (std::size_t token = 0; token < encoded.ids.size(); ++token) {
          for (std::size_t word = 0; word < words.size(); ++word) {
            const ByteRange piece = encoded.pieces[token];
            if (piece.end <= words[word].begin || words[word].end <= piece.begin) continue;
            for (const Index cell : cells[word]) {
              ASSERT_LT(links, pair.links.size());
              EXPECT_EQ(pair.links[links], (TokenLink{static_cast<RowId>(cell), static_cast<RowId>(token)}));
              ++links;
            }
          }
        }
        EXPECT_EQ(links, pair.links.size());
        EXPECT_GT(links, 2u);
      }
    }
  }
}

TEST(PictureBookCorpus, SamplesSubwordsOfEachScene) {
  PictureBookSpec spec{.scenes = 50};
  const auto subwords = learned("unigram", spec, SubwordSampling{});
  const PictureBookCorpus plain(spec, subwords, {8, 8});
  spec.sampled = true;
  const PictureBookCorpus sampled(spec, subwords, {8, 8});
  DrawnCorpus::Pair one, other, again;
  bool differ = false;
  for (Index number = 0; number < 50; ++number) {
    plain.draw(0, number, one);
    sampled.draw(0, number, other);
    sampled.draw(0, number, again);
    EXPECT_EQ(other.target, again.target);
    EXPECT_EQ(subwords->decode(other.target), subwords->decode(one.target));
    differ |= other.target != one.target;
  }
  EXPECT_TRUE(differ);
}

TEST(PictureBookCorpus, HasAFingerprintOfAllItsInputs) {
  const PictureBookSpec spec{.scenes = 40};
  const auto words = learned("word", spec), characters = learned("char", spec);
  std::set<std::uint64_t> seen;
  const auto add = [&](const PictureBookSpec& other, const std::shared_ptr<const Tokenizer>& tokenizer,
                       GridShape grid) {
    EXPECT_TRUE(seen.insert(PictureBookCorpus(other, tokenizer, grid).fingerprint()).second);
  };
  add(spec, words, {8, 8});
  add(spec, characters, {8, 8});
  add(spec, words, {8, 4});
  add({.language = Language::kHindi, .scenes = 40}, words, {8, 8});
  add({.part = Part::kDev, .scenes = 40}, words, {8, 8});
  add({.scenes = 41}, words, {8, 8});
  add({.scenes = 40, .aligned = true}, words, {8, 8});
  add({.scenes = 40, .sampled = true}, words, {8, 8});
  EXPECT_EQ(PictureBookCorpus(spec, words, {8, 8}).fingerprint(), PictureBookCorpus(spec, words, {8, 8}).fingerprint());
}

}  // namespace
}  // namespace dhyan
