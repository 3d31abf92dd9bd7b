#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phrasebook/scene_captions.h"

namespace dhyan::picturebook {

// The first thing that is wrong with a caption.
enum class Fault {
  kNone,
  kGrammar,   // the text is not a caption
  kCount,     // it names more or fewer objects than the scene has
  kObject,    // it names an object that the scene lacks, or one object twice
  kRelation,  // a relation between its objects is wrong
};

struct Verdict {
  Fault fault = Fault::kNone;
  std::string reason = {};              // of a false caption: "the scene has no small red circle"
  std::vector<ObjectSet> objects = {};  // of a true caption: the objects of each word, as in Caption

  bool is_true() const { return fault == Fault::kNone; }
};

// Whether an English or Hindi caption describes the scene truly and completely: the scene has every object it names
// with that size (if it names one), colour and figure, each relation holds, and it names all objects.
Verdict judge(const Scene& scene, std::string_view caption);

inline bool is_true(const Scene& scene, std::string_view caption) { return judge(scene, caption).is_true(); }

}  // namespace dhyan::picturebook
