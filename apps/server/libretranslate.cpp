// The API of LibreTranslate, with its words: https://docs.libretranslate.com
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "server/route_handlers.h"
#include "server/text_translation.h"
#include "text/language_names.h"

namespace dhyan::server {

namespace {

constexpr double kRounding = 10;  // confidences have one decimal

std::string required_text(const Call& call, std::string_view name) {
  const std::string text = call.parameters.text(name).value_or("");
  if (text.empty()) throw BadRequest(cat("Invalid request: missing ", name, " parameter"), std::string(name));
  return text;
}

std::vector<std::string> required_texts(const Call& call, std::string_view name) {
  std::vector<std::string> texts = call.parameters.texts(name);
  const bool empty = texts.empty() || (texts.size() == 1 && texts.front().empty() && !call.parameters.is_list(name));
  if (empty) throw BadRequest(cat("Invalid request: missing ", name, " parameter"), std::string(name));
  return texts;
}

JsonAnswer detected_json(const DetectedLanguage& language) {
  return {{"confidence", std::round(language.confidence * kRounding) / kRounding}, {"language", language.code}};
}

// The language reported for a text without letters.
const DetectedLanguage kNothingDetected{.code = "en", .confidence = 0};

MarkupFormat format_of(const Call& call) {
  const std::string format = call.parameters.text("format").value_or("text");
  if (format == "text" || format.empty()) return MarkupFormat::kText;
  if (format == "html") return MarkupFormat::kHtml;
  throw BadRequest(cat(format, " format is not supported"), "format");
}

Index alternatives_of(const Service& service, const Call& call) {
  const long asked = call.parameters.integer("alternatives").value_or(0);
  if (asked < 0) throw BadRequest("Invalid request: alternatives parameter must be >= 0", "alternatives");
  if (asked > service.options().max_alternatives) {
    throw BadRequest(cat("Invalid request: alternatives parameter must be <= ", service.options().max_alternatives),
                     "alternatives");
  }
  return asked;
}

std::string named(const std::string& code) { return cat(language_name(code), " (", code, ")"); }

// An answer in the shape of the question: one text, or a list.
JsonAnswer in_shape(bool list, std::vector<JsonAnswer> items) {
  return list ? JsonAnswer(std::move(items)) : std::move(items.front());
}

void answer(Call& call, const std::vector<TranslatedText>& texts, const std::optional<DetectedLanguage>& detected) {
  const bool list = call.parameters.is_list("q");
  std::vector<JsonAnswer> translated, languages, alternatives;
  for (const TranslatedText& text : texts) {
    translated.emplace_back(text.text);
    alternatives.emplace_back(text.alternatives);
    if (detected) languages.push_back(detected_json(*detected));
  }
  JsonAnswer body{{"translatedText", in_shape(list, std::move(translated))}};
  if (detected) body["detectedLanguage"] = in_shape(list, std::move(languages));
  if (call.parameters.integer("alternatives").value_or(0) > 0) {
    body["alternatives"] = in_shape(list, std::move(alternatives));
  }
  call.answer_json(body);
}

// The text as it is, for each of the texts.
std::vector<TranslatedText> unchanged(const std::vector<std::string>& texts) {
  std::vector<TranslatedText> same;
  for (const std::string& text : texts) same.push_back({text, {}});
  return same;
}

}  // namespace

void handle_translate(Service& service, const std::shared_ptr<Call>& call) {
  TextRequest request{.model = {}, .texts = required_texts(*call, "q")};
  std::string source = required_text(*call, "source");
  const std::string target = required_text(*call, "target");
  request.alternatives = alternatives_of(service, *call);
  request.markup.format = format_of(*call);
  check_characters(*call, request.texts);
  const auto models = service.models();

  const std::optional<std::string> to = models->target_called(target);
  std::optional<DetectedLanguage> detected;
  if (source == "auto") {
    const auto found = models->detect(plain_text(request.texts, request.markup));
    detected = found.empty() ? kNothingDetected : found.front();
    if (!to) throw BadRequest(cat(target, " is not supported"), "target");
    if (found.empty() || detected->code == *to) {  // nothing to translate
      service.admit(*call, request.texts.size());
      return answer(*call, unchanged(request.texts), detected);
    }
    source = detected->code;
  }
  const std::optional<std::string> from = models->source_called(source);
  const auto is_known = [&](const std::string& code) {
    return models->source_called(code) || models->target_called(code);
  };
  if (!is_known(source)) throw BadRequest(cat(source, " is not supported"), "source");
  if (!is_known(target)) throw BadRequest(cat(target, " is not supported"), "target");
  request.model = from && to ? models->between(*from, *to) : nullptr;
  if (request.model == nullptr) {
    throw BadRequest(
        cat(named(to.value_or(target)), " is not available as a target language from ", named(from.value_or(source))),
        "target");
  }
  translate_texts(service, call, request,
                  [detected](Call& call, const std::vector<TranslatedText>& texts) { answer(call, texts, detected); });
}

void handle_detect(Service& service, const std::shared_ptr<Call>& call) {
  const std::vector<std::string> texts = required_texts(*call, "q");
  service.admit(*call, texts.size());
  check_characters(*call, texts);
  JsonAnswer languages = JsonAnswer::array();
  for (const DetectedLanguage& language : service.models()->detect(plain_text(texts, {}))) {
    languages.push_back(detected_json(language));
  }
  if (languages.empty()) languages.push_back(detected_json(kNothingDetected));
  call->answer_json(languages);
}

void handle_languages(Service& service, const std::shared_ptr<Call>& call) {
  JsonAnswer list = JsonAnswer::array();
  for (const LanguagePairs& language : service.models()->languages()) {
    list.push_back({{"code", language.code}, {"name", language_name(language.code)}, {"targets", language.targets}});
  }
  call->answer_json(list);
}

void handle_frontend_settings(Service& service, const std::shared_ptr<Call>& call) {
  const ServiceOptions& options = service.options();
  const auto languages = service.models()->languages();
  const auto language = [](const std::string& code) {
    return JsonAnswer{{"code", code}, {"name", language_name(code)}};
  };
  const auto first = std::ranges::find_if(languages, [](const auto& each) { return !each.targets.empty(); });
  const bool any = first != languages.end();
  call->answer_json(JsonAnswer{
      {"apiKeys", !options.keys_file.empty()},
      {"charLimit", options.max_characters == 0 ? -1 : options.max_characters},
      {"filesTranslation", false},
      {"frontendTimeout", 500},
      {"keyRequired", !options.keys_file.empty()},
      {"language",
       {{"source", language(any ? first->code : "auto")}, {"target", language(any ? first->targets.front() : "en")}}},
      {"suggestions", false},
      {"supportedFilesFormat", JsonAnswer::array()}});
}

void handle_suggest(Service&, const std::shared_ptr<Call>&) {
  throw ApiError(403, "Suggestions are disabled on this server.");
}

void handle_translate_file(Service&, const std::shared_ptr<Call>&) {
  throw ApiError(403, "Files translation are disabled on this server.");
}

}  // namespace dhyan::server
