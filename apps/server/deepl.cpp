// The API of DeepL, version 2: https://developers.deepl.com/docs
#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/header_value.h"
#include "server/route_handlers.h"
#include "server/text_translation.h"
#include "text/language_names.h"
#include "text/unicode.h"

namespace dhyan::server {

namespace {

constexpr std::size_t kMaxTags = 100;                   // to ignore
constexpr std::int64_t kUnlimited = 1'000'000'000'000;  // characters, as DeepL says it of plans without a limit

[[noreturn]] void refuse_value(const std::string& name) {
  throw BadRequest(cat("Value for '", name, "' not supported."), name);
}

std::string in_capitals(std::string code) {
  std::ranges::transform(code, code.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return code;
}

// A list, or names with commas between, as forms have it.
std::vector<std::string> tag_names(const Call& call, std::string_view name) {
  std::vector<std::string> names;
  for (const std::string& text : call.parameters.texts(name)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string_view one = trimmed(std::string_view(text).substr(begin, end - begin));
      if (!one.empty()) names.emplace_back(one);
      begin = end + 1;
    }
  }
  if (names.size() > kMaxTags) {
    throw BadRequest(cat(name, " has ", names.size(), " names, expected at most ", kMaxTags), std::string(name));
  }
  return names;
}

MarkupOptions markup_of(const Call& call) {
  const std::string handling = call.parameters.text("tag_handling").value_or("");
  if (handling.empty()) return {};
  if (handling == "html") return {.format = MarkupFormat::kHtml, .ignored_tags = tag_names(call, "ignore_tags")};
  if (handling == "xml") return {.format = MarkupFormat::kXml, .ignored_tags = tag_names(call, "ignore_tags")};
  refuse_value("tag_handling");
}

// The model from the given language, or from the likeliest that there is a model for.
std::string choose_model(const ModelSet& models, const Call& call, TextRequest& request) {
  const std::string target = call.parameters.text("target_lang").value_or("");
  if (target.empty()) throw BadRequest("Parameter 'target_lang' not specified.", "target_lang");
  const auto to = models.target_called(target);
  if (!to) refuse_value("target_lang");
  const std::string source = call.parameters.text("source_lang").value_or("");
  std::vector<std::string> sources;
  if (source.empty()) {
    const std::string text = plain_text(request.texts, request.markup);
    for (const DetectedLanguage& language : models.detect(text)) sources.push_back(language.code);
  } else if (const auto from = models.source_called(source)) {
    sources = {*from};
  }
  for (const std::string& from : sources) {
    request.model = models.between(from, *to);
    if (request.model != nullptr) return from;
  }
  if (source.empty()) {  // a text without letters, or in no language of this server
    for (const LanguagePairs& language : models.languages()) {
      request.model = models.between(language.code, *to);
      if (request.model != nullptr) return language.code;
    }
  }
  refuse_value("source_lang");
}

}  // namespace

void handle_deepl_translate(Service& service, const std::shared_ptr<Call>& call) {
  TextRequest request{.model = {}, .texts = call->parameters.texts("text"), .markup = markup_of(*call)};
  if (request.texts.empty()) throw BadRequest("Parameter 'text' not specified.", "text");
  check_characters(*call, request.texts);
  const std::string source = choose_model(*service.models(), *call, request);
  const std::vector<std::string> texts = request.texts;
  translate_texts(service, call, request,
                  [&service, texts, source](Call& call, const std::vector<TranslatedText>& made) {
                    JsonAnswer translations = JsonAnswer::array();
                    std::int64_t characters = 0;
                    for (std::size_t i = 0; i < made.size(); ++i) {
                      const Index billed = count_characters(texts[i]);
                      characters += billed;
                      translations.push_back({{"detected_source_language", in_capitals(source)},
                                              {"text", made[i].text},
                                              {"billed_characters", billed}});
                    }
                    service.count_characters_of(call.client, characters);
                    call.answer_json(JsonAnswer{{"translations", translations}});
                  });
}

// English and Portuguese are targets by country, which the official clients insist on.
void handle_deepl_languages(Service& service, const std::shared_ptr<Call>& call) {
  const std::string type = call->parameters.text("type").value_or("source");
  if (type != "source" && type != "target") refuse_value("type");
  JsonAnswer list = JsonAnswer::array();
  const auto add = [&](const std::string& code, const std::string& name) {
    JsonAnswer entry{{"language", in_capitals(code)}, {"name", name}};
    if (type == "target") entry["supports_formality"] = false;
    if (std::ranges::find(list, entry) == list.end()) list.push_back(std::move(entry));
  };
  for (const LanguagePairs& language : service.models()->languages()) {
    if (type == "source") {
      if (!language.targets.empty()) add(language.code, language_name(language.code));
      continue;
    }
    for (const std::string& target : language.targets) {
      if (target == "en") {
        add("en-gb", "English (British)");
        add("en-us", "English (American)");
      } else if (target == "pt") {
        add("pt-br", "Portuguese (Brazilian)");
        add("pt-pt", "Portuguese (European)");
      } else {
        add(target, language_name(target));
      }
    }
  }
  call->answer_json(list);
}

void handle_deepl_usage(Service& service, const std::shared_ptr<Call>& call) {
  call->answer_json(
      JsonAnswer{{"character_count", service.characters_of(call->client)}, {"character_limit", kUnlimited}});
}

}  // namespace dhyan::server
