// The bytes that client libraries sent (tests/clients/recorded, written by script/clients --record) still get the
// answers that their calls expect.

#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "client_models.h"
#include "core/base64.h"
#include "core/error.h"

namespace dhyan {
namespace {

const Json kLanguages = Json::parse(R"([{"code": "en", "name": "English", "targets": ["hi"]},
                                        {"code": "fr", "name": "French", "targets": ["en"]},
                                        {"code": "hi", "name": "Hindi", "targets": ["en"]}])");
const Json kDetected = {{"confidence", 100.0}, {"language", "hi"}};
const Json kAllDetected =
    Json::array({kDetected, {{"confidence", 0.0}, {"language", "en"}}, {{"confidence", 0.0}, {"language", "fr"}}});
const Json kMilk = {{"translatedText", "I want milk."}};

const std::map<std::string, Json> kLibreTranslate = {
    {"libretranslatepy-languages", kLanguages},
    {"libretranslatepy-languages-with-key", kLanguages},
    {"libretranslatepy-detect", kAllDetected},
    {"libretranslatepy-translate", kMilk},
    {"libretranslatepy-translate-with-key",
     {{"translatedText", "I want milk.\n\nThey bring tea."}, {"detectedLanguage", kDetected}}},
    {"deep-translator-translate", kMilk},
    {"deep-translator-translate-batch", kMilk},
    {"deep-translator-translate-batch-2", {{"translatedText", "They bring tea."}}},
    {"libretranslate-ts-languages", kLanguages},
    {"libretranslate-ts-detect", kAllDetected},
    {"libretranslate-ts-translate", kMilk},
    {"libretranslate-translate", kLanguages},
    {"libretranslate-translate-2", kMilk},
    {"libretranslate-html", kLanguages},
    {"libretranslate-html-2", {{"translatedText", "<p><i>They</i> bring tea.</p>"}, {"detectedLanguage", kDetected}}},
    {"translate-translate", kMilk},
};

Json translation(const std::string& text, int characters) {
  return {{"detected_source_language", "HI"}, {"text", text}, {"billed_characters", characters}};
}
Json translations(const std::vector<Json>& list) { return {{"translations", list}}; }

const Json kSources = Json::parse(R"([{"language": "EN", "name": "English"}, {"language": "FR", "name": "French"},
                                      {"language": "HI", "name": "Hindi"}])");
Json target(const std::string& code, const std::string& name) {
  return {{"language", code}, {"name", name}, {"supports_formality", false}};
}
const Json kTargets = {target("HI", "Hindi"), target("EN-GB", "English (British)"),
                       target("EN-US", "English (American)")};
const Json kOne = translations({translation("I want milk.", 18)});
const Json kTwo = translations({translation("I want milk.", 18), translation("They bring tea.", 16)});

const std::map<std::string, Json> kDeepL = {
    {"deepl-source-languages", kSources},
    {"deepl-target-languages", kTargets},
    {"deepl-translate", kOne},
    {"deepl-translate-list", kTwo},
    {"deepl-translate-html", translations({translation("<p>I want <b>milk</b>.</p>", 32)})},
    {"deepl-translate-xml", translations({translation("<a><x>हम</x> They bring <b>tea</b>.</a>", 40)})},
    {"deepl-node-source-languages", kSources},
    {"deepl-node-target-languages", kTargets},
    {"deepl-node-translate", kOne},
    {"deepl-node-translate-list", kTwo},
    {"deepl-node-translate-html", translations({translation("I want <b>milk</b>. <x>हम</x>", 35)})},
};

const std::set<std::string> kOthers = {  // with tests of their own
    "libretranslate-ts-alternatives",
    "deepl-usage",
    "deepl-node-usage",
    "openai-models",
    "openai-completion",
    "openai-completions-of-one-prompt",
    "openai-stream",
    "openai-stream-2",
    "openai-embedding",
    "openai-embeddings-as-floats",
    "openai-embeddings-as-floats-2"};

std::string recorded(const std::string& name) { return text_of(clients_folder() / "recorded" / (name + ".http")); }

class RecordedRequests : public ClientModels {
 protected:
  static Json replayed(const std::string& name) { return good(server().ask(recorded(name))); }
};

TEST_F(RecordedRequests, AreAllReplayed) {
  std::set<std::string> replayed = kOthers, files;
  for (const auto* expected : {&kLibreTranslate, &kDeepL}) {
    for (const auto& [name, answer] : *expected) replayed.insert(name);
  }
  for (const auto& entry : std::filesystem::directory_iterator(clients_folder() / "recorded")) {
    files.insert(entry.path().stem());
  }
  EXPECT_EQ(files, replayed);
}

TEST_F(RecordedRequests, OfLibreTranslateClients) {
  for (const auto& [name, answer] : kLibreTranslate) EXPECT_EQ(replayed(name), answer) << name;
}

TEST_F(RecordedRequests, OfDeepLClients) {
  for (const auto& [name, answer] : kDeepL) EXPECT_EQ(replayed(name), answer) << name;
}

TEST_F(RecordedRequests, AlternativesDifferFromTheTranslationAndFromEachOther) {
  const Json answer = replayed("libretranslate-ts-alternatives");
  EXPECT_EQ(answer["translatedText"], "I want milk.");
  std::set<std::string> different = answer["alternatives"];
  EXPECT_EQ(answer["alternatives"].size(), 3u);
  different.insert("I want milk.");
  EXPECT_EQ(different.size(), 4u);
}

TEST_F(RecordedRequests, UsageGrowsByTheCharactersOfTranslations) {
  for (const char* name : {"deepl-usage", "deepl-node-usage"}) {
    const Json before = replayed(name);
    replayed("deepl-translate-list");
    const Json after = replayed(name);
    EXPECT_EQ(after["character_count"].get<int>() - before["character_count"].get<int>(), 18 + 16);
    EXPECT_EQ(after["character_limit"], 1'000'000'000'000);
  }
}

TEST_F(RecordedRequests, ModelsAreListedInTheOrderOfTheCommandLine) {
  std::vector<std::string> names;
  const Json models = replayed("openai-models");
  for (const Json& model : models["data"]) {
    names.push_back(model["id"]);
    EXPECT_EQ(model["object"], "model");
    EXPECT_EQ(model["owned_by"], "dhyan");
    EXPECT_GT(model["created"], 1'600'000'000);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"hi-en", "en-hi", "fr-en", "text", "blanks"}));
}

TEST_F(RecordedRequests, CompletionsContinueThePrompt) {
  const Json one = replayed("openai-completion");
  EXPECT_EQ(one["object"], "text_completion");
  EXPECT_EQ(one["model"], "text");
  EXPECT_EQ(one["choices"].size(), 1u);
  EXPECT_EQ(one["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(one["usage"]["completion_tokens"], 8);
  const Finished written = run({kBinary, "generate", "-m", client_models().path("text"), "--prompt", "I want",
                                "--max-length", "8", "--temperature", "0"});
  EXPECT_EQ("I want" + one["choices"][0]["text"].get<std::string>() + "\n", written.out) << written.error;

  const Json three = replayed("openai-completions-of-one-prompt");
  ASSERT_EQ(three["choices"].size(), 3u);
  for (const Json& choice : three["choices"]) EXPECT_TRUE(choice["text"].get<std::string>().starts_with("We"));
}

TEST_F(RecordedRequests, StreamsAddUpToTheWholeCompletion) {
  const Answer stream = server().ask(recorded("openai-stream"));
  EXPECT_EQ(stream.type, "text/event-stream");
  std::string text, last;
  for (std::size_t at = 0, end; (end = stream.body.find("\n\n", at)) != std::string::npos; at = end + 2) {
    const std::string event = stream.body.substr(at, end - at);
    EXPECT_TRUE(event.starts_with("data: ")) << event;
    last = event.substr(6);
    if (last != "[DONE]") text += Json::parse(last)["choices"][0]["text"];
  }
  EXPECT_EQ(last, "[DONE]");
  EXPECT_EQ(text, replayed("openai-stream-2")["choices"][0]["text"].get<std::string>());
}

TEST_F(RecordedRequests, EmbeddingsInBase64AreTheSameFloats) {
  const Json floats = replayed("openai-embeddings-as-floats"), coded = replayed("openai-embeddings-as-floats-2");
  EXPECT_EQ(floats["data"].size(), 2u);
  EXPECT_EQ(floats["usage"], coded["usage"]);
  for (std::size_t i = 0; i < floats["data"].size(); ++i) {
    const auto bytes = from_base64(coded["data"][i]["embedding"].get<std::string>());
    std::vector<float> vector(32);
    ASSERT_EQ(bytes->size(), vector.size() * sizeof(float));
    std::memcpy(vector.data(), bytes->data(), bytes->size());
    EXPECT_EQ(floats["data"][i]["embedding"].get<std::vector<float>>(), vector);
    EXPECT_EQ(floats["data"][i]["index"], i);
  }
  EXPECT_EQ(replayed("openai-embedding")["data"][0], coded["data"][0]);
}

}  // namespace
}  // namespace dhyan
