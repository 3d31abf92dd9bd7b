#pragma once

#include <memory>

#include "core/grid_shape.h"
#include "data/drawn_corpus.h"
#include "data/pairs.h"
#include "phrasebook/picturebook.h"
#include "text/tokenizer.h"

namespace dhyan {

// Scenes of a part of the picture book to train on or to validate with.
struct PictureBookSpec {
  picturebook::Language language = picturebook::Language::kEnglish;
  Part part = Part::kTrain;
  Index scenes = 0;      // in an epoch
  bool aligned = false;  // words are linked to the cells of their regions
  bool sampled = false;  // segment captions at random (Tokenizer::encode_sampled)
};

// The captions of the first epoch as text, for learning a tokenizer: "scene 17" and its caption.
std::unique_ptr<PairSource> open_picture_book(const PictureBookSpec& spec);

// Scenes as pairs of a picture's number and a caption. Every pass has new scenes. Links lead to cells of the grid of
// annotations.
class PictureBookCorpus final : public DrawnCorpus {
 public:
  PictureBookCorpus(const PictureBookSpec& spec, std::shared_ptr<const Tokenizer> tokenizer, GridShape grid);

  Index pairs() const override { return spec_.scenes; }
  Index tokens() const override { return pairs() + target_tokens(); }
  Index target_tokens() const { return target_tokens_; }  // of a pass, approximately
  std::uint64_t fingerprint() const override;
  void draw(std::uint64_t pass, Index number, Pair& pair) const override;

 private:
  PictureBookSpec spec_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  GridShape grid_;
  Index target_tokens_ = 0;
};

}  // namespace dhyan
