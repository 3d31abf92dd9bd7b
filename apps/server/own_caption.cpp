// Our own API for pictures: /v1/caption.
#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "core/number_text.h"
#include "explain/picture_view.h"
#include "explain/word_maps.h"
#include "server/own_api.h"
#include "server/route_handlers.h"
#include "server/scene_json.h"
#include "translator/decoded_pictures.h"
#include "translator/named_picture.h"
#include "vision/write_picture.h"

namespace dhyan::server {

namespace {

// A scene that is described, or whose objects are listed.
NamedPicture sent_scene(const Call& call) {
  if (!call.parameters.is_list("scene")) return picture_of_scene(*call.parameters.text("scene"));
  return {.name = "scene", .scene = scene_from_json(*call.parameters.json("scene"))};
}

// The picture of a request: an uploaded file, or a scene to draw.
NamedPicture sent_picture(const Call& call) {
  if (call.parameters.has("scene")) return sent_scene(call);
  NamedPicture picture{.name = "image"};
  if (const UploadedFile* file = call.parameters.file("image")) {
    picture.bytes = file->bytes;
  } else {
    const std::string text = call.parameters.text("image").value_or("");
    const std::size_t begin = text.starts_with("data:") ? text.find(',') + 1 : 0;
    const auto bytes = from_base64(std::string_view(text).substr(begin));
    if (!bytes) throw BadRequest("image is not base64", "image");
    picture.bytes = *bytes;
  }
  if (picture.bytes.empty()) throw BadRequest("image is missing: a file of a multipart form, or base64", "image");
  return picture;
}

struct CaptionWork {
  std::shared_ptr<const ServedModel> model;
  NamedPicture sent;
  SearchRequest search;
  const PictureViewFormat* format = nullptr;  // of a drawing instead of JSON
  std::vector<Translation> n_best = {};
  PictureMaps maps = {};
  std::string body = {};
};

void caption(CaptionWork& work, const std::function<void()>& poll) {
  const Translator& translator = *work.model->captioner();
  const GridShape size = translator.model().pictures().pixels, grid = translator.model().pictures().grid;
  DecodedPictures pictures(size);
  try {
    pictures.add(load_picture(work.sent, {.wanted_height = size.height, .wanted_width = size.width}));
  } catch (const PictureError& error) {
    throw BadRequest(error.what(), "image");
  }
  SearchOptions search = search_options(work.search);
  if (translator.model().has_cross_attention()) search.keep = RecordedAttention::kWeights;
  const Inputs input(std::span(&work.sent.name, 1), &pictures);
  work.n_best =
      std::move(translator.translate_with(input, translation_options(work.search, search), {.poll = poll}).front());
  const Translation& best = work.n_best.front();
  work.maps = {.name = work.sent.name,
               .picture = {},
               .caption = best.text,
               .log_probability = best.hypothesis.log_probability,
               .rows = grid.height,
               .columns = grid.width,
               .words = word_maps(best.hypothesis, *work.model->tokenizers().target, grid,
                                  {Units::kWords, {.summary = Summary::kMean}}),
               .attends = translator.model().has_cross_attention()};
}

JsonAnswer caption_json(const CaptionWork& work) {
  const auto one = [](const Translation& caption) {
    return JsonAnswer{{"caption", caption.text},
                      {"score", rounded(caption.hypothesis.score)},
                      {"log_probability", rounded(caption.hypothesis.log_probability)},
                      {"finished", caption.finished()}};
  };
  JsonAnswer body{{"model", work.model->name()}};
  body.update(one(work.n_best.front()));
  body["grid"] = {{"rows", work.maps.rows}, {"columns", work.maps.columns}};
  body["words"] = JsonAnswer::array();
  for (const WordMap& word : work.maps.words) {
    body["words"].push_back({{"word", word.word}, {"weights", rounded_json(word.weights)}});
  }
  if (!work.search.n_best) return body;
  body["n_best"] = JsonAnswer::array();
  for (const Translation& caption : work.n_best) body["n_best"].push_back(one(caption));
  return body;
}

void write_caption(CaptionWork& work, const std::function<void()>& poll) {
  caption(work, poll);
  if (work.format == nullptr) {
    work.body = json_text(caption_json(work));
    return;
  }
  work.maps.picture = picture_to_show(work.sent);
  work.body = work.format->render(work.maps, {});
}

}  // namespace

void handle_caption(Service& service, const std::shared_ptr<Call>& call) {
  const auto work = std::make_shared<CaptionWork>(CaptionWork{.model = model_of(service, *call, Task::kCaption),
                                                              .sent = sent_picture(*call),
                                                              .search = search_request_of(*call)});
  work->model->captioner();  // or it is refused
  if (const auto format = call->parameters.text("format"); format && *format != "json") {
    work->format = &drawing_format(picture_view_formats(), *format);
  }
  service.admit(*call, 1);
  const auto job = std::make_shared<Job>();
  job->work = [work](const std::function<void()>& poll) { write_caption(*work, poll); };
  service.submit(call, job, [call, work](Job&) {
    const std::string_view format = work->format == nullptr ? "json" : work->format->name;
    call->answer({.body = std::move(work->body), .content_type = content_type_of(format)});
  });
}

void handle_scene(Service& service, const std::shared_ptr<Call>& call) {
  if (!call->parameters.has("scene")) throw BadRequest("scene is missing", "scene");
  const NamedPicture scene = sent_scene(*call);
  service.admit(*call, 1);
  call->answer({.body = to_png_bytes(picture_to_show(scene)), .content_type = content_type_of("png")});
}

}  // namespace dhyan::server
