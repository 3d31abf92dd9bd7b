#pragma once

#include "core/grid_shape.h"
#include "phrasebook/scene_attention.h"
#include "translator/test_set.h"
#include "translator/translator.h"

namespace dhyan {

// The first scenes of a part of the picture book, with all true captions as references.
TestSet scene_test_set(picturebook::Language language, Part part, Index scenes, GridShape size);

// The pictures that a file of captions names, in the folder `images`. Pictures that cannot be decoded are left out, and
// `unreadable` gets a message for each, which names the file. DataError if none is left.
TestSet caption_test_set(const std::string& captions, Part part, const std::filesystem::path& images, GridShape size,
                         std::vector<std::string>& unreadable, const ReadOptions& options = {});

// How well captions of the picture book describe their scenes.
struct SceneGroup {
  std::string name = {};  // "2 objects"
  Index scenes = 0;
  double true_captions = 0;                    // percent that are true in every word
  picturebook::AttentionScore attention = {};  // of true captions; no words if the model has no attention
};

struct SceneScores : SceneGroup {
  // Groups by number of objects, and by whether all pairs of colour and figure occur in training.
  std::vector<SceneGroup> groups = {};
  std::vector<std::string> faults = {};  // "scene 3: a red circle: the scene has no small red circle"
};

// Judges captions one after the other. `grid` is that of the model's annotations. The tokenizer must outlive it.
class SceneJudge {
 public:
  SceneJudge(Part part, const Tokenizer& tokenizer, GridShape grid);

  // The caption of a scene, with the weights of its attention if there are any.
  void add(std::uint64_t number, const Translation& caption);

  SceneScores scores() const;  // groups without scenes are left out

 private:
  struct Counts {
    Index scenes = 0, correct = 0;
    picturebook::AttentionScore attention = {};
  };

  Part part_;
  const Tokenizer* tokenizer_;
  GridShape grid_;
  Counts all_;
  std::vector<Counts> groups_;
  std::vector<std::string> faults_;
};

// `captions` has one for each scene of the set.
SceneScores score_scenes(const TestSet& set, std::span<const Translation> captions, const Tokenizer& tokenizer,
                         GridShape grid);

}  // namespace dhyan
