// Our own API for attention: /v1/explain.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "explain/formats.h"
#include "server/explanation_json.h"
#include "server/given_edits.h"
#include "server/own_api.h"
#include "server/route_handlers.h"
#include "server/text_translation.h"
#include "translator/context_vector.h"
#include "translator/influence.h"

namespace dhyan::server {

namespace {

// The numbers of layers or heads to show, from 1, each once; empty: all.
std::vector<Index> chosen_numbers(const Call& call, const std::string& name) {
  const nlohmann::json* given = call.parameters.json(name);
  if (given == nullptr) return {};
  std::vector<Index> numbers;
  for (const nlohmann::json& one : given->is_array() ? *given : nlohmann::json::array({*given})) {
    if (!one.is_number_integer() || one.get<Index>() < 1) {
      throw BadRequest(cat(name, " has ", one.dump(), ", expected numbers from 1"), name);
    }
    numbers.push_back(one.get<Index>());
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());  // clang 14 fails on ranges::unique
  return numbers;
}

ExplainInclude included(const Call& call) {
  ExplainInclude include;
  for (const std::string& name : call.parameters.texts("include")) {
    if (name == "attention") {
      include.attention = true;
    } else if (name == "self") {
      include.self_attention = true;
    } else if (name == "energies") {
      include.energies = true;
    } else if (name == "context") {
      include.context = true;
    } else if (name == "candidates") {
      include.candidates = true;
    } else if (name == "beam") {
      include.beam = true;
    } else {
      throw BadRequest(cat("include has '", name, "', expected attention, self, energies, context, candidates or beam"),
                       "include");
    }
  }
  if (!call.parameters.has("include")) include.attention = true;
  return include;
}

struct ExplainWork {
  std::shared_ptr<const ServedModel> model;
  std::string source;
  std::optional<std::string> target, prefix;
  SearchRequest search;
  std::vector<UnitEdit> edits;
  std::optional<Index> influence;  // step that it is asked for
  ExplainJsonOptions json;
  const Format* format = nullptr;  // of `dhyan explain` instead of our JSON
  std::string place = {};          // the attention that a format of `dhyan explain` shows; empty: as without a choice
  std::string body = {};
};

void expect_cross_attention(const ExplainWork& work) {
  if (work.model->translator()->model().has_cross_attention()) return;
  const char* asked = !work.edits.empty() ? "edits" : work.influence ? "influence" : nullptr;
  if (asked == nullptr) return;
  throw BadRequest(cat("the model '", work.model->name(), "' has no cross-attention for ", asked), asked);
}

constexpr const char* kExplainJson = "explain-json";  // the JSON of `dhyan explain`; "json" is our own

std::string place_of(const Call& call) {
  const std::string place = call.parameters.text("attention").value_or("");
  if (place.empty() || place == kAllPlaces) return place;
  if (std::ranges::find(kAttentionPlaces, place, &Choice<AttentionPlace>::name) != kAttentionPlaces.end()) return place;
  throw BadRequest(cat("attention is '", place, "', expected cross, decoder, encoder or all"), "attention");
}

void choose_format(ExplainWork& work, const Call& call) {
  const std::string format = call.parameters.text("format").value_or("json");
  work.place = place_of(call);
  if (format == "json") {
    if (work.place.empty()) return;
    throw BadRequest("attention is for the other formats; json has what include names", "attention");
  }
  work.format = &drawing_format(formats(), format == kExplainJson ? "json" : format);
  if (work.influence) throw BadRequest("a drawing has no place for influence", "influence");
  if (work.json.layers.size() > 1 || work.json.heads.size() > 1) {
    throw BadRequest("a drawing shows one layer or head, or all", "layers");
  }
}

ExplainWork explain_work(const Service& service, Call& call) {
  ExplainWork work{.model = model_of(service, call, Task::kTranslate),
                   .source = given_texts(call, "q").front(),
                   .target = call.parameters.text("target"),
                   .prefix = call.parameters.text("prefix"),
                   .search = search_request_of(call),
                   .edits = given_edits(call.parameters),
                   .influence = call.parameters.integer("influence"),
                   .json = {.units = units_of(call),
                            .layers = chosen_numbers(call, "layers"),
                            .heads = chosen_numbers(call, "heads"),
                            .include = included(call)}};
  if (given_texts(call, "q").size() > 1) throw BadRequest("q is a list; expected one text", "q");
  for (const std::string& text : {work.source, work.target.value_or(""), work.prefix.value_or("")}) {
    check_characters(call, std::span(&text, 1));
  }
  if (work.target && work.prefix)
    throw BadRequest("target is the whole translation; prefix does not go with it", "prefix");
  const std::string encoding = call.parameters.text("encoding").value_or("json");
  if (encoding != "json" && encoding != "base64") {
    throw BadRequest(cat("encoding is '", encoding, "', expected json or base64"), "encoding");
  }
  work.json.base64 = encoding == "base64";
  choose_format(work, call);
  expect_cross_attention(work);
  return work;
}

Translated translated_of(const Translation& translation, std::span<const Real> context_vector = {}) {
  return {translation.source, translation.text, translation.source_tokens, translation.hypothesis, context_vector};
}

// A UsageError of f is a mistake of the request.
template <class F>
auto or_refused(const char* parameter, const F& f) {
  try {
    return f();
  } catch (const UsageError& error) {
    throw BadRequest(error.what(), parameter);
  }
}

// As `dhyan explain` draws it.
std::string drawn(const ExplainWork& work, const Translation& translation, const std::function<void()>& poll) {
  const AttentionOptions asked{
      .place = work.place,
      .layer = work.json.layers.empty() ? std::nullopt : std::optional(work.json.layers.front()),
      .head = work.json.heads.empty() ? std::nullopt : std::optional(work.json.heads.front()),
      .heads_apart = !work.json.heads.empty()};
  const AttentionChoice choice = choice_of(asked, translation.hypothesis.attention, work.format->summary);
  const std::vector<Real> context_vector = context_vector_of(work.model->translator()->model(), translation);
  const Explanation explanation =
      explain(translated_of(translation, context_vector), work.model->tokenizers(), {work.json.units, choice});
  return work.format->render(explanation, {.poll = poll});
}

// The edits of a translation's attention, and the tokens that it began with before the last of them.
struct Edits {
  std::vector<WeightEdit> edits;
  std::vector<TokenId> written;
};

Translation decoded(const ExplainWork& work, const Edits& made, const std::function<void()>& poll) {
  const Translator& translator = *work.model->translator();
  SearchOptions search = search_options(work.search);
  search.keep = RecordedAttention::kSteps;
  search.max_recorded = kMaxRecorded;
  if (work.json.include.beam) {
    search.n_best = search.beam_size;
    search.record_pruned = kPrunedShown;
  }
  const std::span<const std::string> source(&work.source, 1);
  Translation translation;
  if (work.target) {
    ForceOptions options{.search = search};
    if (!made.edits.empty()) options.edits = {made.edits};
    translation = translator.force_with(source, std::span(&*work.target, 1), options, {.poll = poll}).front();
  } else {
    TranslationOptions options = translation_options(work.search, search);
    options.constraints = {{.prefix = work.prefix.value_or(""), .written = made.written}};
    if (!made.edits.empty()) options.edits = {made.edits};
    translation = translator.translate_with(source, options, {.poll = poll}).front().front();
  }
  if (translation.source_tokens.empty()) throw BadRequest("there are no words in the text to explain", "q");
  if (translation.hypothesis.tokens.empty()) {
    throw BadRequest(cat("target has more tokens than the ", translator.model().longest(), " the model can"), "target");
  }
  return translation;
}

// Edits change the translation from their step on, so the tokens that a step is made of are those in the translation
// to which the steps before it lead.
void explain_it(ExplainWork& work, const std::function<void()>& poll) {
  const auto units = [&](const Translation& translation) {
    return sentence_units(translated_of(translation), work.model->tokenizers(), work.json.units);
  };
  Edits made;
  Translation translation = decoded(work, made, poll);
  for (std::span<const UnitEdit> rest = work.edits; !rest.empty();) {
    const auto more = std::ranges::find_if(rest, [&](const UnitEdit& edit) { return edit.step != rest.front().step; });
    const std::span step = rest.first(static_cast<std::size_t>(more - rest.begin()));
    rest = rest.subspan(step.size());
    const std::vector<WeightEdit> edits =
        or_refused("edits", [&] { return weight_edits(step, translation.hypothesis.attention, units(translation)); });
    if (edits.empty()) continue;
    made.edits.insert(made.edits.end(), edits.begin(), edits.end());
    const auto written = translation.hypothesis.tokens.begin();
    made.written.assign(written, written + edits.front().step);
    translation = decoded(work, made, poll);
  }
  if (work.influence) {
    const InfluenceOptions asked{*work.influence, work.json.layers, work.json.heads, made.edits, poll};
    work.json.influence = or_refused("influence", [&] {
      return influence(work.model->translator()->model(), translation, units(translation), asked);
    });
  }
  work.body = work.format == nullptr ? explanation_json(*work.model, translation, work.json)
                                     : or_refused("attention", [&] { return drawn(work, translation, poll); });
}

}  // namespace

void handle_explain(Service& service, const std::shared_ptr<Call>& call) {
  service.admit(*call, 1);
  const auto work = std::make_shared<ExplainWork>(explain_work(service, *call));
  const auto job = std::make_shared<Job>();
  job->work = [work](const std::function<void()>& poll) { explain_it(*work, poll); };
  service.submit(call, job, [call, work](Job&) {
    const std::string_view format = work->format == nullptr ? "json" : work->format->name;
    call->answer({.body = std::move(work->body), .content_type = content_type_of(format)});
  });
}

}  // namespace dhyan::server
