#include "server/page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <zlib.h>

#include "server/testing/kept_exchange.h"
#include "server/testing/small_models.h"
#include "vision/read_picture.h"

namespace dhyan::server {
namespace {

constexpr std::size_t kMostBytes = 60 << 10;  // of the whole page, compressed

std::string header_of(const HttpResponse& answer, std::string_view name) {
  for (const auto& [field, value] : answer.headers) {
    if (field == name) return value;
  }
  return "";
}

HttpResponse get(Service& service, std::string path, HttpFields headers = {}) {
  HttpRequest request;
  request.method = "GET";
  const std::size_t query = path.find('?');
  request.path = path.substr(0, query);
  if (query != path.npos) request.query = path.substr(query + 1);
  request.headers = std::move(headers);
  return ask(service, std::move(request));
}

HttpResponse post_json(Service& service, std::string path, std::string body) {
  HttpRequest request;
  request.method = "POST";
  request.path = std::move(path);
  request.headers = {{"content-type", "application/json"}};
  request.body = std::move(body);
  return ask(service, std::move(request));
}

std::string unzipped(std::string_view bytes, std::size_t size) {
  std::string plain(size + 1, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

class Page : public testing::Test {
 protected:
  Service service_{ServiceOptions()};
};

TEST_F(Page, IsServedWithTypesThatBrowsersTake) {
  const std::pair<const char*, const char*> files[] = {{"/", "text/html; charset=utf-8"},
                                                       {"/app.js", "text/javascript; charset=utf-8"},
                                                       {"/style.css", "text/css; charset=utf-8"},
                                                       {"/icon.svg", "image/svg+xml"}};
  for (const auto& [path, type] : files) {
    const HttpResponse answer = get(service_, path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.content_type, type);
    EXPECT_EQ(header_of(answer, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.body, page_file(path)->bytes);
  }
  EXPECT_EQ(page_files().size(), std::size(files));
}

TEST_F(Page, IsTheSameWithASlashAtItsEnd) {
  EXPECT_EQ(get(service_, "//").body, get(service_, "/").body);
  EXPECT_EQ(get(service_, "/app.js/").body, get(service_, "/app.js").body);
  EXPECT_EQ(get(service_, "///").status, 404);
}

TEST_F(Page, MayOnlyUseItself) {
  EXPECT_EQ(header_of(get(service_, "/"), "Content-Security-Policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'");
}

TEST_F(Page, NamesNoOutsideAddress) {
  const std::regex address("(https?:)?//[a-z0-9.-]+\\.[a-z]{2,}[^\"'`) ]*");
  for (const EmbeddedFile& file : page_files()) {
    const std::string text(file.bytes);
    for (std::sregex_iterator found(text.begin(), text.end(), address), end; found != end; ++found) {
      EXPECT_TRUE(found->str().starts_with("http://www.w3.org/")) << file.name << ": " << found->str();
    }
  }
}

TEST_F(Page, IsSmall) {
  std::size_t bytes = 0;
  for (const EmbeddedFile& file : page_files()) {
    const std::string path = file.name == "index.html" ? "/" : cat("/", file.name);
    const HttpResponse answer = get(service_, path, {{"accept-encoding", "br, gzip"}});
    EXPECT_EQ(header_of(answer, "Content-Encoding"), "gzip");
    EXPECT_EQ(header_of(answer, "Vary"), "Accept-Encoding");
    EXPECT_EQ(unzipped(answer.body, file.bytes.size()), file.bytes);
    bytes += answer.body.size();
  }
  EXPECT_EQ(header_of(get(service_, "/", {{"accept-encoding", "gzip;q=0"}}), "Content-Encoding"), "");
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, kMostBytes);
}

TEST_F(Page, IsNotSentAgainToABrowserThatHasIt) {
  const std::string plain = header_of(get(service_, "/app.js"), "ETag");
  const std::string zipped = header_of(get(service_, "/app.js", {{"accept-encoding", "gzip"}}), "ETag");
  EXPECT_NE(plain, zipped);
  const HttpResponse again = get(service_, "/app.js", {{"accept-encoding", "gzip"}, {"if-none-match", zipped}});
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(header_of(again, "ETag"), zipped);
  EXPECT_EQ(get(service_, "/app.js", {{"if-none-match", "\"1\""}}).status, 200);
}

// Requests of the page beside the API.
class PageQuestions : public testing::Test {
 protected:
  PageQuestions() : service_(options()) { service_.load(); }

  ServiceOptions options() const {
    ServiceOptions options;
    options.models = models_.specs();
    return options;
  }
  nlohmann::json json(const std::string& path) { return nlohmann::json::parse(get(service_, path).body); }

  SmallModels models_;
  Service service_;
};

TEST_F(PageQuestions, ModelsTellWhatTheyCan) {
  const nlohmann::json models = json("/v1/models");
  nlohmann::json by_name;
  for (const nlohmann::json& model : models["data"]) by_name[model["id"].get<std::string>()] = model;
  EXPECT_EQ(by_name["rnn"]["task"], "translate");
  EXPECT_EQ(by_name["rnn"]["source"], "hi");
  EXPECT_EQ(by_name["rnn"]["attends"], nlohmann::json({"cross"}));
  EXPECT_EQ(by_name["transformer"]["attends"], nlohmann::json({"cross", "encoder", "decoder"}));
  EXPECT_EQ(by_name["captions"]["task"], "caption");
  EXPECT_EQ(by_name["writer"]["task"], "write");
  EXPECT_EQ(by_name["rnn"]["checkpoints"], nlohmann::json::array());
}

TEST_F(PageQuestions, ExamplesAreInTheLanguagesOfTheModel) {
  const nlohmann::json examples = json("/v1/examples?model=rnn");
  ASSERT_GE(examples["sentences"].size(), 10u);
  const nlohmann::json& first = examples["sentences"][0];
  EXPECT_FALSE(first["alignment"].get<std::string>().empty());
  EXPECT_TRUE(first["source"].get<std::string>().starts_with("\xe0\xa4")) << first << " is not in Devanagari";
  EXPECT_TRUE(json("/v1/examples?model=captions")["sentences"].empty());
  EXPECT_EQ(get(service_, "/v1/examples").status, 400);
  EXPECT_EQ(get(service_, "/v1/examples?model=none").status, 404);
}

TEST_F(PageQuestions, ScenesOfTheExamplesCanBeDrawn) {
  const nlohmann::json examples = json("/v1/examples?model=captions");
  EXPECT_GE(examples["scenes"].size(), 5u);
  for (const nlohmann::json& scene : examples["scenes"]) {
    const HttpResponse answer = post_json(service_, "/v1/scene", nlohmann::json{{"scene", scene}}.dump());
    ASSERT_EQ(answer.status, 200) << scene << answer.body;
    EXPECT_EQ(answer.content_type, "image/png");
    const Picture picture = decode_picture(std::as_bytes(std::span(answer.body)), "scene");
    EXPECT_EQ(picture.width, 64);
  }
}

TEST_F(PageQuestions, ObjectsStandWhereTheyWerePut) {
  const char* scene = R"({"scene": [{"figure": "square", "colour": "blue", "size": "large", "x": 16, "y": 48}]})";
  const HttpResponse answer = post_json(service_, "/v1/scene", scene);
  const Picture picture = decode_picture(std::as_bytes(std::span(answer.body)), "scene");
  const auto colour_at = [&](Index x, Index y) {
    const auto* pixel = &picture.pixels[static_cast<std::size_t>(3 * (y * picture.width + x))];
    return std::array<int, 3>{static_cast<int>(pixel[0]), static_cast<int>(pixel[1]), static_cast<int>(pixel[2])};
  };
  EXPECT_GT(colour_at(16, 48)[2], colour_at(16, 48)[0]) << "blue";
  EXPECT_NE(colour_at(16, 48), colour_at(48, 16));
  EXPECT_EQ(colour_at(48, 16), colour_at(60, 60)) << "a plain ground";
}

TEST_F(PageQuestions, ScenesThatCannotBeAreRefused) {
  const std::pair<const char*, const char*> scenes[] = {
      {R"([])", "scene has 0 objects, expected 1 to 3"},
      {R"([1])", "scene has something that is not an object"},
      {R"([{}])", "scene: figure is missing"},
      {R"([{"figure": "moon", "color": "red", "size": "small", "x": 1, "y": 1}])",
       "scene: there is no field 'color'; did you mean 'colour'?"},
      {R"([{"figure": "house", "colour": "red", "size": "small", "x": 1, "y": 1}])", "scene: figure is \"house\""},
      {R"([{"figure": "moon", "colour": "red", "size": "small", "x": 65, "y": 1}])", "scene: x is not a number"},
      {R"([{"figure": "moon", "colour": "red", "size": "small", "x": 1, "y": "1"}])", "scene: y is not a number"},
  };
  for (const auto& [scene, message] : scenes) {
    const HttpResponse answer = post_json(service_, "/v1/scene", cat(R"({"scene": )", scene, "}"));
    EXPECT_EQ(answer.status, 400) << scene;
    EXPECT_NE(nlohmann::json::parse(answer.body)["error"]["message"].get<std::string>().find(message),
              std::string::npos)
        << answer.body;
  }
}

}  // namespace
}  // namespace dhyan::server
