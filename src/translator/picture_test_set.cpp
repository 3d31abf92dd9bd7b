#include "translator/picture_test_set.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "data/captions.h"
#include "explain/word_maps.h"
#include "phrasebook/picturebook.h"
#include "phrasebook/scene_truth.h"
#include "translator/picture_files.h"
#include "translator/scene_pictures.h"
#include "vision/read_picture.h"

namespace dhyan {

namespace {

// The weights of each word of a caption over the cells, the mean of all layers and heads.
std::vector<Real> word_weights(const Translation& caption, const Tokenizer& tokenizer, GridShape grid) {
  std::vector<Real> weights;
  for (const WordMap& map :
       word_maps(caption.hypothesis, tokenizer, grid, {.attention = {.summary = Summary::kMean}})) {
    for (const double weight : map.weights) weights.push_back(static_cast<Real>(weight));
  }
  return weights;
}

// The groups of scenes that are scored apart, and which of them a scene is in.
struct SceneGroupEntry {
  std::string_view name;
  bool (*has)(const picturebook::Scene& scene);
};
constexpr std::array kSceneGroups{
    SceneGroupEntry{"1 object", [](const picturebook::Scene& scene) { return scene.objects.size() == 1; }},
    SceneGroupEntry{"2 objects", [](const picturebook::Scene& scene) { return scene.objects.size() == 2; }},
    SceneGroupEntry{"3 objects", [](const picturebook::Scene& scene) { return scene.objects.size() == 3; }},
    SceneGroupEntry{"known pairs", [](const picturebook::Scene& scene) { return !has_held_out_pair(scene); }},
    SceneGroupEntry{"new pairs", [](const picturebook::Scene& scene) { return has_held_out_pair(scene); }},
};

}  // namespace

TestSet scene_test_set(picturebook::Language language, Part part, Index scenes, GridShape size) {
  TestSet set{.name = cat("the picture book ", picturebook::kLanguages[static_cast<std::size_t>(language)].name, " (",
                          kPartNames[static_cast<std::size_t>(part)], ")")};
  set.pictures = std::make_shared<ScenePictures>(part, size);
  set.scenes = part;
  for (Index number = 0; number < scenes; ++number) {
    set.sources.push_back(cat("scene ", number));
    std::vector<std::string>& captions = set.references.emplace_back();
    const picturebook::Scene scene = picturebook::scene(static_cast<std::uint64_t>(number), part);
    for (const picturebook::Caption& caption : picturebook::references(scene, language))
      captions.push_back(caption.text);
  }
  return set;
}

TestSet caption_test_set(const std::string& captions, Part part, const std::filesystem::path& images, GridShape size,
                         std::vector<std::string>& unreadable, const ReadOptions& options) {
  TestSet set{.name = captions};
  std::vector<std::filesystem::path> files;
  std::vector<CaptionedPicture> pictures = read_captions(captions, part, options);
  if (pictures.empty()) {
    throw DataError(cat(captions, ": no captions",
                        has_split(captions, options)
                            ? cat(" whose split is ", kPartNames[static_cast<std::size_t>(part)])
                            : std::string()));
  }
  for (CaptionedPicture& picture : pictures) {
    if (options.poll) options.poll();
    const std::filesystem::path file = images / picture.name;
    try {
      read_picture(file, {.wanted_height = size.height, .wanted_width = size.width});
    } catch (const Error& error) {
      unreadable.emplace_back(error.what());
      continue;
    }
    files.push_back(file);
    set.sources.push_back(picture.name);
    set.references.push_back(std::move(picture.captions));
  }
  if (files.empty()) {
    throw DataError(cat(captions, ": none of its pictures can be read",
                        unreadable.empty() ? std::string() : cat("; the first: ", unreadable.front())));
  }
  set.pictures = std::make_shared<PictureFiles>(std::move(files), size);
  return set;
}

SceneJudge::SceneJudge(Part part, const Tokenizer& tokenizer, GridShape grid)
    : part_(part), tokenizer_(&tokenizer), grid_(grid), groups_(kSceneGroups.size()) {}

void SceneJudge::add(std::uint64_t number, const Translation& caption) {
  const picturebook::Scene scene = picturebook::scene(number, part_);
  const picturebook::Verdict verdict = picturebook::judge(scene, caption.text);
  picturebook::AttentionScore attention;
  if (!verdict.is_true()) {
    faults_.push_back(cat("scene ", number, ": ", caption.text, ": ", verdict.reason));
  } else if (!caption.hypothesis.attention.empty()) {
    attention = picturebook::attention_score(scene, verdict.objects, word_weights(caption, *tokenizer_, grid_),
                                             grid_.height, grid_.width);
  }
  const auto count = [&](Counts& counts) {
    ++counts.scenes;
    counts.correct += verdict.is_true() ? 1 : 0;
    counts.attention += attention;
  };
  count(all_);
  for (std::size_t i = 0; i < kSceneGroups.size(); ++i) {
    if (kSceneGroups[i].has(scene)) count(groups_[i]);
  }
}

SceneScores SceneJudge::scores() const {
  const auto group = [](std::string_view name, const Counts& counts) {
    const double share =
        counts.scenes == 0 ? 0 : static_cast<double>(counts.correct) / static_cast<double>(counts.scenes);
    return SceneGroup{std::string(name), counts.scenes, 100 * share, counts.attention};
  };
  SceneScores scores{group("all", all_), {}, faults_};
  for (std::size_t i = 0; i < kSceneGroups.size(); ++i) {
    if (groups_[i].scenes > 0) scores.groups.push_back(group(kSceneGroups[i].name, groups_[i]));
  }
  return scores;
}

SceneScores score_scenes(const TestSet& set, std::span<const Translation> captions, const Tokenizer& tokenizer,
                         GridShape grid) {
  if (!set.scenes || captions.size() != set.sources.size()) {
    throw UsageError(cat("score_scenes: ", captions.size(), " captions for ", set.sources.size(), " scenes"));
  }
  SceneJudge judge(*set.scenes, tokenizer, grid);
  for (std::size_t i = 0; i < captions.size(); ++i) judge.add(i, captions[i]);
  return judge.scores();
}

}  // namespace dhyan
