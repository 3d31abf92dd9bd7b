#include "server/parameters.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/testing/thrown.h"
#include "server/json_body.h"

namespace dhyan::server {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kForm = "application/x-www-form-urlencoded";

Parameters parameters_of(std::string type, std::string body, std::string query = "") {
  HttpRequest request;
  request.method = "POST";
  request.query = std::move(query);
  request.body = std::move(body);
  if (!type.empty()) request.headers = {{"content-type", std::move(type)}};
  return Parameters::of(request);
}

Parameters from_json(std::string body) { return parameters_of("application/json", std::move(body)); }

std::string refused(std::string type, std::string body, std::string query = "") {
  return thrown<BadRequest>([&] { parameters_of(type, body, query); });
}

TEST(Parameters, AreTheSameFromFourPlaces) {
  const std::string multipart =
      "--x y\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nनमस्ते दुनिया\r\n"
      "--x y\r\nContent-Disposition: form-data; name=\"alternatives\"\r\n\r\n3\r\n--x y--\r\n";
  const std::string form = "q=%E0%A4%A8%E0%A4%AE%E0%A4%B8%E0%A5%8D%E0%A4%A4%E0%A5%87+दुनिया&alternatives=3";
  for (const Parameters& given :
       {from_json(R"({"q": "नमस्ते दुनिया", "alternatives": 3, "unknown": [{}]})"), parameters_of(kForm, form),
        parameters_of("", "", form), parameters_of("Multipart/Form-Data; boundary=\"x y\"", multipart)}) {
    EXPECT_EQ(given.text("q"), "नमस्ते दुनिया");
    EXPECT_EQ(given.texts("q"), Texts{"नमस्ते दुनिया"});
    EXPECT_FALSE(given.is_list("q"));
    EXPECT_EQ(given.integer("alternatives"), 3);
    EXPECT_EQ(given.text("alternatives"), "3");
    EXPECT_FALSE(given.has("source"));
    EXPECT_EQ(given.text("source"), std::nullopt);
    EXPECT_TRUE(given.texts("source").empty());
    EXPECT_EQ(given.json("source"), nullptr);
  }
}

TEST(Parameters, AreJsonWhereTheTypeSaysSoOrNothingElse) {
  const std::string body = "\n {\"q\": \"a\"}";
  for (const char* type : {"application/json", "Application/JSON; charset=utf-8", "application/ld+json", "text/x+json",
                           "", "text/plain;charset=UTF-8"}) {
    EXPECT_EQ(parameters_of(type, body).text("q"), "a") << type;
  }
  for (const char* type : {kForm, "application/octet-stream", "image/png"}) {
    EXPECT_FALSE(parameters_of(type, body).has("q")) << type;
  }
  EXPECT_FALSE(parameters_of("text/plain", "q=a").has("q"));
}

TEST(Parameters, OfAJsonBodyComeBeforeTheQuery) {
  const Parameters given = parameters_of("application/json", R"({"q": ["a"], "s": null})", "q=x&q=y&s=z&format=svg");
  EXPECT_EQ(given.texts("q"), Texts{"a"});
  EXPECT_TRUE(given.is_list("q"));
  EXPECT_FALSE(given.has("s"));
  EXPECT_EQ(given.text("format"), "svg");
  EXPECT_EQ(parameters_of("application/json", " \r\n", "q=x").text("q"), "x") << "a type, but no body";
}

TEST(Parameters, OfTheQueryComeBeforeTheForm) {
  const Parameters given = parameters_of(kForm, "text=c&type=source", "text=a&text=b&type=target");
  EXPECT_EQ(given.text("text"), "a");
  EXPECT_EQ(given.texts("text"), (Texts{"a", "b", "c"}));
  EXPECT_EQ(given.text("type"), "target");
  EXPECT_FALSE(given.is_list("text"));
  EXPECT_EQ(*given.json("type"), nlohmann::json({"target", "source"}));
}

TEST(Parameters, OfAGetMayBeInItsBody) {
  HttpRequest get;
  get.method = "GET";
  get.headers = {{"content-type", kForm}};
  get.body = "type=target";
  EXPECT_EQ(Parameters::of(get).text("type"), "target");
}

TEST(Parameters, OfFormsHaveUnixLineEnds) {
  EXPECT_EQ(parameters_of(kForm, "q=a%0D%0Ab%0D%0D%0A%0Dc%0D").text("q"), "a\nb\r\n\rc\r");
  EXPECT_EQ(from_json(R"({"q": "a\r\nb"})").text("q"), "a\r\nb");
}

TEST(Parameters, OfJsonHaveKinds) {
  const Parameters given = from_json(R"({"null": null, "n": -3, "x": 0.25, "t": true, "list": ["a", 1, false],
                                         "empty": [], "object": {"a": [1]}, "nulls": ["a", null], "text": "a"})");
  EXPECT_FALSE(given.has("null"));
  EXPECT_EQ(given.text("null"), std::nullopt);
  EXPECT_EQ(given.flag("null"), std::nullopt);
  EXPECT_EQ(given.text("n"), "-3");
  EXPECT_EQ(given.integer("n"), -3);
  EXPECT_EQ(given.real("n"), -3.0);
  EXPECT_EQ(given.real("x"), 0.25);
  EXPECT_EQ(given.text("x"), "0.25");
  EXPECT_EQ(given.text("t"), "true");
  EXPECT_EQ(given.flag("t"), true);
  EXPECT_EQ(given.texts("list"), (Texts{"a", "1", "false"}));
  EXPECT_TRUE(given.has("empty") && given.is_list("empty") && given.texts("empty").empty());
  EXPECT_EQ(given.json("object")->at("a").at(0), 1);
  EXPECT_EQ(thrown<BadRequest>([&] { given.text("list"); }), "list is an array, expected one value");
  EXPECT_EQ(thrown<BadRequest>([&] { given.integer("object"); }), "object is an object, expected one value");
  EXPECT_EQ(thrown<BadRequest>([&] { given.texts("object"); }), "object is an object, expected one value");
  EXPECT_EQ(thrown<BadRequest>([&] { given.texts("nulls"); }), "nulls has a null as item 2, expected a string");
  try {
    given.integer("text");
    ADD_FAILURE();
  } catch (const BadRequest& error) {
    EXPECT_EQ(error.parameter(), "text");
  }
}

TEST(Parameters, OfJsonAreWholeIfTheirFractionIsNothing) {
  EXPECT_EQ(from_json(R"({"n": 3.0})").integer("n"), 3);
  EXPECT_EQ(from_json(R"({"n": -2e3})").integer("n"), -2000);
  EXPECT_THROW(from_json(R"({"n": 3.5})").integer("n"), BadRequest);
  EXPECT_THROW(from_json(R"({"n": 1e300})").integer("n"), BadRequest);
}

TEST(Parameters, OfTextAreReadAsNumbers) {
  const auto value = [](const std::string& text) { return parameters_of(kForm, "n=" + text); };
  EXPECT_EQ(value("9223372036854775807").integer("n"), 9223372036854775807L);
  EXPECT_EQ(value("").integer("n"), std::nullopt);
  EXPECT_EQ(value("").real("n"), std::nullopt);
  EXPECT_EQ(value("1e-3").real("n"), 1e-3);
  for (const char* text : {"3x", "x", "9223372036854775808", "1.5", " 3", "0x10", "--1"}) {
    EXPECT_EQ(thrown<BadRequest>([&] { value(text).integer("n"); }), "n is not an integer, or too large") << text;
  }
  EXPECT_NE(thrown<BadRequest>([] { from_json(R"({"n": 18446744073709551615})").integer("n"); }), "");
  for (const char* text : {"nan", "inf", "1e999", "1,5"}) {
    EXPECT_EQ(thrown<BadRequest>([&] { value(text).real("n"); }), "n is not a finite number") << text;
  }
}

TEST(Parameters, OfTextAreReadAsFlags) {
  const auto value = [](const std::string& text) { return parameters_of(kForm, "f=" + text).flag("f"); };
  for (const char* text : {"1", "true", "True", "YES", "on"}) EXPECT_EQ(value(text), true) << text;
  for (const char* text : {"0", "false", "FALSE", "no", "off"}) EXPECT_EQ(value(text), false) << text;
  EXPECT_EQ(value(""), std::nullopt);
  EXPECT_EQ(thrown<BadRequest>([&] { value("2"); }), "f is neither true nor false");
  EXPECT_EQ(from_json(R"({"f": 1})").flag("f"), true);
}

TEST(Parameters, MayBeFiles) {
  const std::string disposition = "\r\n--b\r\nContent-Disposition: form-data; name=";
  const Parameters given = parameters_of(
      "multipart/form-data; boundary=b",
      cat("--b\r\nContent-Type: image/png\r\nContent-Disposition: form-data; name=a; filename=\"x.png\"\r\n\r\n",
          std::string("\0\r\n\xff", 4), disposition, "none; filename=\"\"\r\n\r\n", disposition,
          "q\r\n\r\nhi\r\n--b--"));
  ASSERT_NE(given.file("a"), nullptr);
  EXPECT_EQ(given.file("a")->name, "x.png");
  EXPECT_EQ(given.file("a")->content_type, "image/png");
  EXPECT_EQ(given.file("a")->bytes, std::string("\0\r\n\xff", 4));
  EXPECT_EQ(given.file("none"), nullptr) << "nothing was chosen";
  EXPECT_EQ(given.file("q"), nullptr);
  EXPECT_FALSE(given.has("a"));
  EXPECT_EQ(given.text("q"), "hi");
}

TEST(Parameters, RefuseJsonThatIsNoObject) {
  for (const char* body : {"[]", "3", "\"q\"", "null", "[{}]", "true"}) {
    EXPECT_EQ(refused("application/json", body), "the JSON body is not an object") << body;
  }
  EXPECT_EQ(refused("application/json", R"({"q": "a)"), "the body is not valid JSON at byte 9");
  EXPECT_NE(refused("application/json", R"({"q": "a"} {})"), "");
  EXPECT_NE(refused("application/json", R"({"q": "\ud800"})"), "") << "half of a surrogate pair";
  EXPECT_EQ(refused("application/json", R"({"q": 1e999})"), "the JSON body has a number that is too large");
}

TEST(Parameters, RefuseDeepJson) {
  const auto nested = [](std::size_t levels) {
    return cat("{\"q\": ", std::string(levels - 1, '['), std::string(levels - 1, ']'), "}");
  };
  EXPECT_TRUE(from_json(nested(kMaxJsonDepth)).is_list("q"));
  EXPECT_EQ(refused("application/json", nested(kMaxJsonDepth + 1)), "the JSON body is deeper than 32 levels");
  const auto empty_arrays = [](std::size_t count) {
    std::string body = R"({"q": [)";
    for (std::size_t i = 0; i < count; ++i) body += i == 0 ? "[]" : ",[]";
    return body + "]}";
  };
  EXPECT_TRUE(from_json(empty_arrays(kMaxJsonValues - 2)).is_list("q"));
  EXPECT_EQ(refused("application/json", empty_arrays(kMaxJsonValues - 1)), "the JSON body has more than 131072 values");
  EXPECT_EQ(refused("application/json", "{\"q\": " + std::string(1'000'000, '[')),
            "the JSON body is deeper than 32 levels")
      << "before it is known to be truncated";
}

TEST(Parameters, RefuseBadUtf8) {
  EXPECT_EQ(refused("application/json", "{\"q\": \"\xff\"}"), "the body is not valid UTF-8 at byte 8");
  EXPECT_EQ(refused(kForm, "q=%ff"), "q is not valid UTF-8");
  EXPECT_EQ(refused("", "", "q=%c3"), "q is not valid UTF-8");
  EXPECT_EQ(refused(kForm, "%ff=q"), "the name of a parameter is not valid UTF-8");
  EXPECT_EQ(refused(kForm, std::string(65, 'n') + "=%ff"), "a parameter is not valid UTF-8");
  EXPECT_EQ(
      refused("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=q\r\n\r\n\xff\r\n--b--"),
      "q is not valid UTF-8");
}

TEST(Parameters, RefuseMultipartWithoutBoundary) {
  EXPECT_EQ(refused("multipart/form-data", "--b--"), "multipart: the Content-Type has no boundary");
}

}  // namespace
}  // namespace dhyan::server
