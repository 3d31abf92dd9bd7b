// Our own API for text: /v1/translate, /v1/score, /v1/align, /v1/tokenize.
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "server/own_api.h"
#include "server/route_handlers.h"
#include "server/text_translation.h"
#include "text/unicode.h"
#include "translator/translation_units.h"

namespace dhyan::server {

namespace {

JsonAnswer sentence_json(const std::vector<Translation>& n_best, bool list) {
  const auto one = [](const Translation& translation) {
    return JsonAnswer{{"text", translation.text},
                      {"score", rounded(translation.hypothesis.score)},
                      {"log_probability", rounded(translation.hypothesis.log_probability)},
                      {"finished", translation.finished()}};
  };
  JsonAnswer object{{"source", n_best.front().source}};
  object.update(one(n_best.front()));
  object["source_cut"] = n_best.front().source_cut;
  object["mostly_unknown"] = n_best.front().mostly_unknown();
  if (!list) return object;
  object["n_best"] = JsonAnswer::array();
  for (const Translation& translation : n_best) object["n_best"].push_back(one(translation));
  return object;
}

// The phrases of a list, or one phrase.
std::vector<std::string> phrases_of(const nlohmann::json& given) {
  const nlohmann::json list = given.is_string() ? nlohmann::json::array({given}) : given;
  expect_few_phrases("required", list.size());
  std::vector<std::string> phrases;
  for (const nlohmann::json& phrase : list) {
    if (!phrase.is_string()) throw BadRequest("required is not a list of phrases", "required");
    phrases.push_back(phrase.get<std::string>());
  }
  return phrases;
}

// The constraints of each text: "prefix" and "required" are for one text, or lists with an entry for each.
std::vector<LineConstraints> constraints_of(Call& call, std::size_t texts) {
  std::vector<LineConstraints> constraints(texts);
  const std::vector<std::string> prefixes = call.parameters.texts("prefix");
  if (!prefixes.empty() && prefixes.size() != texts) {
    throw BadRequest(cat("prefix has ", prefixes.size(), " texts, expected ", texts), "prefix");
  }
  check_characters(call, prefixes);
  for (std::size_t i = 0; i < prefixes.size(); ++i) constraints[i].prefix = prefixes[i];
  const nlohmann::json* required = call.parameters.json("required");
  if (required == nullptr) return constraints;
  if (!required->is_array() || required->empty() || !required->front().is_array()) {
    const std::vector<std::string> phrases = phrases_of(*required);
    check_characters(call, phrases, texts);
    for (LineConstraints& line : constraints) line.required = phrases;
    return constraints;
  }
  if (required->size() != texts) {
    throw BadRequest(cat("required has ", required->size(), " lists, expected ", texts), "required");
  }
  for (std::size_t i = 0; i < texts; ++i) {
    constraints[i].required = phrases_of((*required)[i]);
    check_characters(call, constraints[i].required);
  }
  return constraints;
}

// A request for /v1/translate. A text with constraints, samples or an n-best list is one sentence; others are cut into
// sentences.
struct OwnRequest {
  std::shared_ptr<const ServedModel> model;
  std::vector<MarkedText> texts;                                 // of what is cut into sentences
  std::vector<std::pair<std::size_t, std::size_t>> places = {};  // [sentences] text, and number of the sentence in it
  bool lists = false;                                            // n-best lists are shown
  std::once_flag begun = {};                                     // the events
};

std::shared_ptr<Job> job_of(const Service& service, Call& call, std::span<const std::string> texts,
                            OwnRequest& request) {
  check_characters(call, texts);
  request.model = model_of(service, call, Task::kTranslate);
  const SearchRequest search = search_request_of(call);
  request.lists = search.n_best.has_value();
  const bool constrained = call.parameters.has("prefix") || call.parameters.has("required");
  const bool whole = constrained || request.lists || search.sampling;
  std::vector<LineConstraints> constraints;
  if (constrained) constraints = constraints_of(call, texts.size());
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (whole) {
      request.places.emplace_back(i, 0);
      sentences.push_back(texts[i]);
      continue;
    }
    const MarkedText& marked = request.texts.emplace_back(texts[i], MarkupOptions());
    for (std::size_t k = 0; k < marked.sentences().size(); ++k) {
      request.places.emplace_back(i, k);
      sentences.push_back(marked.sentences()[k]);
    }
  }
  const auto job = sentence_job(*request.model, search, RecordedAttention::kNothing, std::move(sentences));
  if (constrained) {
    job->constraints = std::move(constraints);
    job->batch_key += cat('#', job.get());  // a phrase that the model cannot write fails a whole batch
  }
  return job;
}

JsonAnswer translations_json(const OwnRequest& request, const Job& job, std::size_t texts) {
  JsonAnswer translations = JsonAnswer::array();
  std::size_t sentence = 0;
  for (std::size_t i = 0; i < texts; ++i) {
    JsonAnswer sentences = JsonAnswer::array();
    std::vector<TranslatedSentence> translated;
    for (; sentence < request.places.size() && request.places[sentence].first == i; ++sentence) {
      sentences.push_back(sentence_json(job.results[sentence], request.lists));
      translated.push_back({.text = job.results[sentence].front().text});
    }
    const std::string text = request.texts.empty() ? translated.front().text : request.texts[i].restored(translated);
    translations.push_back({{"text", text}, {"sentences", std::move(sentences)}});
  }
  return translations;
}

// An event for each sentence, as it is done, and the last for the whole. The answer begins with the first, so that a
// request that is refused, or late, has a status that says so.
void stream_sentences(Service& service, const std::shared_ptr<Call>& call, const std::shared_ptr<Job>& job,
                      const std::shared_ptr<OwnRequest>& request, std::size_t texts) {
  const auto begin = [call, request] { std::call_once(request->begun, [&] { call->begin_events(); }); };
  job->sentence_done = [call, request, begin](const Job& job, std::size_t sentence) {
    begin();
    JsonAnswer event{{"text_index", request->places[sentence].first},
                     {"sentence_index", request->places[sentence].second}};
    event.update(sentence_json(job.results[sentence], request->lists));
    call->event(json_text(event));
  };
  service.submit(call, job, [call, request, begin, texts](const Job& job) {
    begin();
    call->event(
        json_text({{"model", request->model->name()}, {"translations", translations_json(*request, job, texts)}}));
    call->event("[DONE]");
    call->end_events();
  });
}

// A job that scores given translations, and its result.
struct Forced {
  std::shared_ptr<const ServedModel> model;
  std::vector<std::string> sources, targets;
  Units units = Units::kWords;
  std::vector<Translation> scored = {};
  std::string body = {};  // of the answer
};

// Scores what the call gives and answers with what `write` makes of it. All is done by a worker: the weights of long
// texts are megabytes of JSON.
void answer_forced(Service& service, const std::shared_ptr<Call>& call, const std::shared_ptr<Forced>& forced,
                   RecordedAttention keep, JsonAnswer (*write)(const Forced& forced)) {
  service.admit(*call, forced->sources.size());
  SearchRequest search = search_request_of(*call);
  if (call->parameters.json("length_penalty") == nullptr) search.search.length_penalty = 0;
  SearchOptions options = search_options(search);
  if (forced->model->translator()->model().has_cross_attention()) options.keep = keep;
  options.max_recorded = kMaxRecorded;
  const auto job = std::make_shared<Job>();
  job->work = [forced, options, write](const std::function<void()>& poll) {
    forced->scored = forced->model->translator()->force(forced->sources, forced->targets, options, {.poll = poll});
    forced->body = json_text(write(*forced));
  };
  service.submit(call, job, [call, forced](Job&) { call->answer({.body = std::move(forced->body)}); });
}

std::shared_ptr<Forced> forced_request(Service& service, Call& call) {
  const auto forced = std::make_shared<Forced>();
  forced->model = model_of(service, call, Task::kTranslate);
  forced->sources = given_texts(call, "q");
  forced->targets = given_texts(call, "target");
  if (forced->sources.size() != forced->targets.size()) {
    throw BadRequest(cat("target has ", forced->targets.size(), " texts, expected ", forced->sources.size()), "target");
  }
  check_characters(call, forced->sources);
  check_characters(call, forced->targets);
  forced->model->translator();  // or it is refused
  forced->units = units_of(call);
  return forced;
}

JsonAnswer scores_json(const Forced& forced) {
  JsonAnswer scores = JsonAnswer::array();
  for (const Translation& scored : forced.scored) {
    const bool possible = !scored.hypothesis.tokens.empty();
    const TranslationUnits written = given_text_units(scored, forced.model->tokenizers(), forced.units);
    scores.push_back(
        {{"score", possible ? JsonAnswer(rounded(scored.hypothesis.score)) : JsonAnswer()},
         {"log_probability", possible ? JsonAnswer(rounded(scored.hypothesis.log_probability)) : JsonAnswer()},
         {"tokens", written.target},
         {"token_scores", rounded_json(written.scores)}});
  }
  return {{"model", forced.model->name()}, {"scores", std::move(scores)}};
}

JsonAnswer alignments_json(const Forced& forced) {
  JsonAnswer alignments = JsonAnswer::array();
  for (const Translation& scored : forced.scored) {
    const TranslationUnits written = given_text_units(scored, forced.model->tokenizers(), forced.units);
    std::string pharaoh;
    for (const auto& [i, j] : hard_alignment(written.map)) pharaoh += cat(pharaoh.empty() ? "" : " ", i, '-', j);
    JsonAnswer weights = JsonAnswer::array();
    for (const std::vector<double>& row : written.map.weights) weights.push_back(rounded_json(row));
    alignments.push_back({{"source_tokens", written.source},
                          {"tokens", written.target},
                          {"alignment", pharaoh},
                          {"attention", std::move(weights)}});
  }
  return {{"model", forced.model->name()}, {"alignments", std::move(alignments)}};
}

}  // namespace

void handle_own_translate(Service& service, const std::shared_ptr<Call>& call) {
  const auto request = std::make_shared<OwnRequest>();
  const std::vector<std::string> given = given_texts(*call, "q");
  const std::size_t texts = given.size();
  service.admit(*call, texts);
  const auto job = job_of(service, *call, given, *request);
  if (call->parameters.flag("stream").value_or(false)) return stream_sentences(service, call, job, request, texts);
  service.submit(call, job, [call, request, texts](const Job& job) {
    call->answer_json(
        JsonAnswer{{"model", request->model->name()}, {"translations", translations_json(*request, job, texts)}});
  });
}

void handle_score(Service& service, const std::shared_ptr<Call>& call) {
  answer_forced(service, call, forced_request(service, *call), RecordedAttention::kNothing, scores_json);
}

void handle_align(Service& service, const std::shared_ptr<Call>& call) {
  const auto forced = forced_request(service, *call);
  if (!forced->model->translator()->model().has_cross_attention()) {
    throw BadRequest(cat("the model '", forced->model->name(), "' has no cross-attention to align with"), "model");
  }
  answer_forced(service, call, forced, RecordedAttention::kWeights, alignments_json);
}

void handle_tokenize(Service& service, const std::shared_ptr<Call>& call) {
  const std::vector<std::string> texts = given_texts(*call, "q");
  service.admit(*call, texts.size());
  check_characters(*call, texts);
  const auto model = model_of(service, *call, Task::kTranslate);
  const std::string side = call->parameters.text("side").value_or("source");
  if (side != "source" && side != "target") {
    throw BadRequest(cat("side is '", side, "', expected source or target"), "side");
  }
  const auto& tokenizer = side == "source" ? model->tokenizers().source : model->tokenizers().target;
  if (tokenizer == nullptr)
    throw BadRequest(cat("the model '", model->name(), "' has no ", side, " tokenizer"), "side");
  JsonAnswer lists = JsonAnswer::array();
  for (const std::string& text : texts) {
    const Encoded encoded = tokenizer->encode(text);
    JsonAnswer pieces = JsonAnswer::array(), offsets = JsonAnswer::array();
    for (const TokenId id : encoded.ids) pieces.push_back(tokenizer->piece(id));
    for (const ByteRange& range : in_characters(text, encoded.pieces)) offsets.push_back({range.begin, range.end});
    lists.push_back({{"tokens", std::move(pieces)}, {"ids", encoded.ids}, {"offsets", std::move(offsets)}});
  }
  call->answer_json(JsonAnswer{{"model", model->name()}, {"texts", std::move(lists)}});
}

}  // namespace dhyan::server
