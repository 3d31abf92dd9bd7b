// Something to begin with: sentences and scenes of the built-in corpora. Models have not seen them in training.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "phrasebook/picturebook.h"
#include "server/own_api.h"
#include "server/route_handlers.h"
#include "server/scene_json.h"

namespace dhyan::server {

namespace {

constexpr std::size_t kSentences = 24, kScenes = 12;

JsonAnswer sentences_json(const ServedModel& model) {
  JsonAnswer sentences = JsonAnswer::array();
  const std::string pair = cat(model.source_language(), '-', model.target_language());
  const std::vector<std::string> pairs = phrasebook_names();
  if (std::ranges::find(pairs, pair) == pairs.end()) return sentences;
  const std::vector<PhrasePair> book = phrasebook(pair, Part::kTest);
  for (std::size_t i = 0; i < kSentences; ++i) {
    const PhrasePair& phrase = book[i * book.size() / kSentences];
    sentences.push_back(
        {{"source", phrase.source}, {"target", phrase.target}, {"alignment", to_pharaoh(phrase.alignment)}});
  }
  return sentences;
}

JsonAnswer scenes_json() {
  JsonAnswer scenes = JsonAnswer::array();
  for (std::size_t i = 0; i < kScenes; ++i) scenes.push_back(scene_json(picturebook::scene(i, Part::kTest)));
  return scenes;
}

}  // namespace

void handle_examples(Service& service, const std::shared_ptr<Call>& call) {
  const auto name = call->parameters.text("model");
  if (!name) throw BadRequest("model is missing", "model");
  const auto model = service.models()->named(*name);
  service.admit(*call, 1);
  const auto body = std::make_shared<JsonAnswer>(scene_words_json());
  const auto job = std::make_shared<Job>();
  job->work = [model, body](const std::function<void()>&) {
    (*body)["sentences"] = sentences_json(*model);
    (*body)["scenes"] = scenes_json();
  };
  service.submit(call, job, [call, body](Job&) { call->answer_json(*body); });
}

}  // namespace dhyan::server
