// Programs that can use a server of LibreTranslate's or DeepL's API: their requests, as their sources write them.

#include "client_models.h"

namespace dhyan {
namespace {

constexpr const char* kForm = "application/x-www-form-urlencoded";
constexpr const char* kHindiMilk =
    "%E0%A4%AE%E0%A5%88%E0%A4%82+%E0%A4%A6%E0%A5%82%E0%A4%A7+"
    "%E0%A4%9A%E0%A4%BE%E0%A4%B9%E0%A4%A4%E0%A4%BE+%E0%A4%B9%E0%A5%82%E0%A4%81";

class ProgramRequests : public ClientModels {
 protected:
  static std::string translated(const Json& question) {
    return posted("/translate", question).value("translatedText", Json()).get<std::string>();
  }
};

TEST_F(ProgramRequests, MastodonTranslatesAPost) {
  const Json languages =
      good(server().ask("GET /languages HTTP/1.1\r\n"
                        "User-Agent: Mastodon/4.3.0 (http.rb/5.2.0; +https://social.example/)\r\n"
                        "Host: localhost:8080\r\nDate: Mon, 02 Jun 2025 10:00:00 GMT\r\n"
                        "Accept-Encoding: gzip\r\nConnection: Keep-Alive\r\n\r\n"));
  ASSERT_EQ(languages.size(), 3u);
  for (const Json& language : languages) EXPECT_TRUE(language["targets"].is_array()) << language;

  const std::string mention =
      R"(<span class="h-card" translate="no"><a href="https://social.example/@raj" class="u-url mention">@<span>raj</span></a></span>)";
  const std::string link = R"(<a href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener" target="_blank">)";
  const Json question{
      {"q",
       {"<p>" + mention + " मैं " + link + "दूध</a> चाहता हूँ।<br />वे <strong>चाय</strong> लाते हैं।</p><p>तुम रोटी देखते हो</p>",
        "वे चाय लाते हैं।", ""}},
      {"source", "hi"},
      {"target", "en"},
      {"format", "html"},
      {"api_key", nullptr}};
  const Json answer = posted("/translate", question);
  EXPECT_EQ(answer.size(), 1u) << answer;
  EXPECT_EQ(answer["translatedText"],
            (Json{"<p>" + mention + " I want " + link +
                      "milk</a>.<br />They bring <strong>tea</strong>.</p><p>You see bread</p>",
                  "They bring tea.", ""}));
}

TEST_F(ProgramRequests, DiscourseDetectsAndTranslatesAPost) {
  const Json detected = good(server().post("/detect", kForm, std::string("api_key=&q=") + kHindiMilk));
  EXPECT_EQ(detected[0]["language"], "hi");
  EXPECT_GT(detected[0]["confidence"], 90);
  const Answer answer = server().post("/translate", kForm,
                                      std::string("q=%3Cp%3E") + kHindiMilk +
                                          "%3C%2Fp%3E%0A%3Cpre%3E%3Ccode+class%3D%22lang-bash%22%3Els+-l+%26lt%3B+x" +
                                          "%3C%2Fcode%3E%3C%2Fpre%3E%0A%3Cul%3E%0A%3Cli%3E" + kHindiMilk +
                                          "%3C%2Fli%3E%0A%3Cli%3E%3Ccode%3Ey%3C%2Fcode%3E" +
                                          "%3C%2Fli%3E%0A%3C%2Ful%3E&source=hi&target=en&format=html&api_key=");
  EXPECT_EQ(good(answer)["translatedText"],
            "<p>I want milk</p>\n<pre><code class=\"lang-bash\">ls -l &lt; x</code></pre>\n<ul>\n<li>I want milk</li>\n"
            "<li><code>y</code></li>\n</ul>");
}

TEST_F(ProgramRequests, WeblateTranslatesTwentyTexts) {
  Json texts = Json::array(), expected = Json::array();
  for (int i = 0; i < 10; ++i) {
    texts.insert(texts.end(), {"मैं दूध चाहता हूँ", "वे चाय लाते हैं।"});
    expected.insert(expected.end(), {"I want milk", "They bring tea."});
  }
  EXPECT_EQ(posted("/translate", {{"api_key", ""}, {"q", texts}, {"source", "hi"}, {"target", "en"}}),
            (Json{{"translatedText", expected}}));
}

TEST_F(ProgramRequests, WeblateKeepsPlaceholdersByDeepLsTags) {
  const auto ask = [](const Json& texts) {
    const Json body{{"text", texts},         {"source_lang", "HI"},  {"target_lang", "EN"},
                    {"tag_handling", "xml"}, {"ignore_tags", {"x"}}, {"formality", "default"}};
    return server().post("/v2/translate", "application/json", body.dump(), "Authorization: DeepL-Auth-Key 0123\r\n");
  };
  const Json answer = good(ask({R"(<x id="0">%s</x>: मैं दूध चाहता हूँ।)", R"(वे <x id="3">%(n)d</x> चाय लाते हैं।)",
                                R"(वे चाय लाते हैं &lt; <x id="4">{y}</x>)"}));
  std::vector<std::string> texts;
  for (const Json& translation : answer["translations"]) texts.push_back(translation["text"]);
  EXPECT_EQ(texts,
            (std::vector<std::string>{R"(<x id="0">%s</x> I want milk.)", R"(They <x id="3">%(n)d</x> bring tea.)",
                                      R"(They bring <x id="4">{y}</x> tea)"}));
  const Answer not_xml = ask({"a & b < c"});
  EXPECT_EQ(not_xml.status, 400);
  EXPECT_TRUE(has(not_xml.json()["message"], "not well-formed"));
}

TEST_F(ProgramRequests, NextcloudDetectsByQueryAndTranslatesMultipart) {
  const Json detected = good(server().post(std::string("/detect?q=") + kHindiMilk, kForm, ""));
  EXPECT_EQ(detected[0]["language"], "hi");
  const std::string boundary = "------------------------3b0ff8dc57a0a3f9";
  std::string body;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"q", "<p>मैं दूध चाहता हूँ।</p>\r\n<p>वे चाय लाते हैं</p>"},
                                                        {"source", "hi"},
                                                        {"target", "en"},
                                                        {"format", "html"}}) {
    body += "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
  }
  body += "--" + boundary + "--\r\n";
  EXPECT_EQ(good(server().post("/translate", "multipart/form-data; boundary=" + boundary, body)),
            (Json{{"translatedText", "<p>I want milk.</p>\n<p>They bring tea</p>"}}));
}

TEST_F(ProgramRequests, ParametersOfAGetMayBeInItsBody) {
  const Json targets =
      good(server().ask("GET /v2/languages HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        "application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\ntype=target"));
  EXPECT_EQ(targets[0]["language"], "HI");
  EXPECT_EQ(targets, good(server().get("/v2/languages?type=target")));
  EXPECT_EQ(good(server().get("/v2/languages"))[0]["language"], "EN");
}

TEST_F(ProgramRequests, UnknownFieldsAndEmptyOnesAreNoFault) {
  const Json question{{"q", "मैं दूध चाहता हूँ"}, {"source", "hi"}, {"target", "en"},    {"api_key", nullptr},
                      {"secret", "x"},       {"apiKey", ""},   {"format", nullptr}, {"alternatives", nullptr}};
  EXPECT_EQ(posted("/translate", question), (Json{{"translatedText", "I want milk"}}));
  EXPECT_EQ(good(server().post("/translate?alternatives=&format=", kForm,
                               std::string("source=hi&target=en&origin=y&q=") + kHindiMilk)),
            (Json{{"translatedText", "I want milk"}}));
}

TEST_F(ProgramRequests, CodesIgnoreCaseAndCountries) {
  for (const auto& [source, target] : {std::pair("HI", "EN"), {"hi", "en-US"}, {"hi-IN", "EN-gb"}, {"Hi_in", "en"}}) {
    EXPECT_EQ(translated({{"q", "मैं दूध चाहता हूँ"}, {"source", source}, {"target", target}}), "I want milk")
        << source << target;
  }
}

TEST_F(ProgramRequests, TheLanguageIsDetectedOnlyForAuto) {
  const Json given = posted("/translate", {{"q", "Je veux le lait."}, {"source", "fr"}, {"target", "en"}});
  EXPECT_EQ(given, (Json{{"translatedText", "I want milk."}}));
  const Json one = posted("/translate", {{"q", "Je veux le lait."}, {"source", "auto"}, {"target", "en"}});
  EXPECT_EQ(one["translatedText"], "I want milk.");
  EXPECT_EQ(one["detectedLanguage"]["language"], "fr");
  EXPECT_GT(one["detectedLanguage"]["confidence"], 90);
  const Json list =
      posted("/translate", {{"q", {"Je veux le lait.", "Ils voient le pain"}}, {"source", "auto"}, {"target", "en"}});
  EXPECT_EQ(list["translatedText"], (Json{"I want milk.", "They see bread"}));
  EXPECT_EQ(list["detectedLanguage"].size(), 2u);
  EXPECT_EQ(list["detectedLanguage"][1]["language"], "fr");
}

TEST_F(ProgramRequests, TextInTheTargetLanguageOrWithoutLettersStays) {
  for (const std::string text : {"We want milk and tea.", " 🙂 ", "12 + 3\n"}) {
    EXPECT_EQ(translated({{"q", text}, {"source", "auto"}, {"target", "en"}}), text);
  }
  EXPECT_EQ(posted("/detect", {{"q", "🙂"}}), Json::parse(R"([{"confidence": 0.0, "language": "en"}])"));
}

TEST_F(ProgramRequests, LinesAndSentencesStay) {
  EXPECT_EQ(
      translated({{"q", "\n मैं दूध चाहता हूँ। वे चाय लाते हैं।\n\n\tहम चाय लाते हैं\n"}, {"source", "hi"}, {"target", "en"}}),
      "\n I want milk. They bring tea.\n\n\tWe bring tea\n");
  EXPECT_EQ(good(server().post("/translate", kForm,
                               std::string("source=hi&target=en&q=") + kHindiMilk + "%0D%0A" + kHindiMilk)),
            (Json{{"translatedText", "I want milk\nI want milk"}}));
}

TEST_F(ProgramRequests, AlternativesComeOnlyIfAskedForAndInTheShapeOfTheQuestion) {
  Json question{{"q", "मैं दूध चाहता हूँ"}, {"source", "hi"}, {"target", "en"}, {"alternatives", 0}};
  EXPECT_FALSE(posted("/translate", question).contains("alternatives"));
  question["alternatives"] = 2;
  EXPECT_EQ(posted("/translate", question)["alternatives"].size(), 2u);
  question["q"] = {"मैं दूध चाहता हूँ", "वे चाय लाते हैं।"};
  const Json answer = posted("/translate", question);
  ASSERT_EQ(answer["alternatives"].size(), 2u);
  for (const Json& texts : answer["alternatives"]) EXPECT_LE(texts.size(), 2u);
}

TEST_F(ProgramRequests, FrontendSettingsTellTheLimits) {
  const Json settings = good(server().get("/frontend/settings"));
  EXPECT_EQ(settings["charLimit"], 10000);
  EXPECT_EQ(settings["keyRequired"], false);
  EXPECT_EQ(settings["filesTranslation"], false);
  EXPECT_EQ(settings["suggestions"], false);
  EXPECT_EQ(settings["language"]["source"]["code"], "en");
  EXPECT_EQ(settings["language"]["target"], (Json{{"code", "hi"}, {"name", "Hindi"}}));
}

}  // namespace
}  // namespace dhyan
