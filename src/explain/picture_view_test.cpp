#include "explain/picture_view.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "explain/data_uri.h"
#include "explain/picture_drawing.h"
#include "explain/testing/example_picture.h"
#include "explain/testing/parsed_xml.h"
#include "explain/testing/text_boxes.h"
#include "explain/testing/without_colour.h"
#include "text/display.h"
#include "vision/read_picture.h"

namespace dhyan {
namespace {

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

PictureMaps dark_picture() {
  PictureMaps maps = example_picture();
  for (std::uint8_t& value : maps.picture.pixels) value = 10;
  return maps;
}

PictureMaps without_words() {
  PictureMaps maps = example_picture();
  maps.words.clear();
  maps.rows = maps.columns = 0;
  return maps;
}

PictureMaps with_many_words(std::size_t count) {
  PictureMaps maps = example_picture();
  maps.words.assign(count, maps.words.front());
  return maps;
}

TEST(DataUri, IsBase64) {
  EXPECT_EQ(data_uri("text/plain", ""), "data:text/plain;base64,");
  EXPECT_EQ(data_uri("text/plain", "M"), "data:text/plain;base64,TQ==");
  EXPECT_EQ(data_uri("text/plain", "Ma"), "data:text/plain;base64,TWE=");
  EXPECT_EQ(data_uri("text/plain", "Man"), "data:text/plain;base64,TWFu");
  EXPECT_EQ(data_uri("text/plain", "\xFB\xFF\xBF"), "data:text/plain;base64,+/+/");
}

TEST(PictureView, SaysThatAModelHasNoAttention) {
  PictureMaps maps = without_words();
  const std::string reading = "The model has no attention: it sees the picture as one vector.";
  for (const PictureViewFormat& format : picture_view_formats()) {
    if (format.name == "png" || format.name == "json") continue;
    maps.attends = true;
    EXPECT_EQ(count_of(format.render(maps, {}), reading), 0u) << format.name << ": the caption has no words";
    maps.attends = false;
    EXPECT_EQ(count_of(format.render(maps, {}), reading), 1u) << format.name;
  }
}

TEST(PictureView, FormatsHaveUniqueNamesAndRefuseBrokenMaps) {
  PictureMaps broken = example_picture();
  broken.words[0].weights.clear();
  std::set<std::string_view> names, extensions;
  for (const PictureViewFormat& format : picture_view_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(extensions.insert(format.extension).second) << format.extension;
    EXPECT_FALSE(format.description.empty());
    EXPECT_THROW(format.render(broken, {}), ShapeError) << format.name;
    EXPECT_FALSE(format.render(without_words(), {}).empty()) << format.name;
    EXPECT_EQ(format.render(example_picture(), {}), format.render(example_picture(), {})) << format.name;
    EXPECT_EQ(format_of_file(picture_view_formats(), "out" + std::string(format.extension)), &format);
  }
}

TEST(PictureSvg, HasAPanelForEachWordAndEachImageOnce) {
  const std::string svg = picture_svg(example_picture(), {});
  const std::vector<XmlElement> elements = parsed_xml(svg);
  EXPECT_EQ(count_of(svg, "data:image/jpeg"), 1u);
  EXPECT_EQ(count_of(svg, "data:image/png"), 3u);
  EXPECT_EQ(count_of(svg, "\"#veil-"), 3u);
  std::vector<std::string> words;
  for (const XmlElement& word : named(elements, "text", "word")) words.push_back(word.text);
  EXPECT_EQ(words, (std::vector<std::string>{"a", "dog", "<runs>"}));
  EXPECT_NE(svg.find("α ≤ 0.75"), svg.npos);
  EXPECT_EQ(count_of(svg, "http"), 1u) << "the name space, and nothing from elsewhere";
}

TEST(PictureSvg, EmbedsADarkPictureBrightenedAsWell) {
  EXPECT_EQ(count_of(picture_svg(dark_picture(), {}), "data:image/jpeg"), 2u);
}

TEST(PictureView, UsesOnlyImagesThatAreDefined) {
  for (const PictureMaps& maps : {example_picture(), dark_picture(), without_words()}) {
    const std::string page = picture_html(maps, {});
    for (const std::string& document : {picture_svg(maps, {}), page.substr(page.find("<html"))}) {
      const std::vector<XmlElement> elements = parsed_xml(document);
      std::multiset<std::string> ids;
      for (const XmlElement& element : elements) {
        const auto id = element.attributes.find("id");
        if (id != element.attributes.end()) ids.insert(id->second);
      }
      EXPECT_EQ(ids.size(), std::set(ids.begin(), ids.end()).size()) << "an id appears twice";
      for (const XmlElement& use : named(elements, "use")) {
        EXPECT_TRUE(ids.contains(use.attributes.at("href").substr(1))) << use.attributes.at("href");
      }
    }
  }
}

TEST(PictureSvg, TextsDoNotOverlapAndStayInside) {
  for (const std::size_t count : {1, 4, 5, 11}) {
    PictureMaps maps = with_many_words(count);
    maps.words[0].word = "an_unusually_long_word_of_a_caption_that_does_not_fit";
    maps.caption =
        "a caption that is long enough to need a second line even if there are five panels in each row of "
        "the picture, which is rare";
    expect_texts_apart(cat(count, " words"), picture_svg(maps, {}));
  }
}

// Pixels of the rendered picture: the panel of "<runs>" is bright in its upper left corner and dark in the lower right.
TEST(PicturePng, IsLitWhereTheModelLooks) {
  const std::string png = picture_png(example_picture(), {});
  const Picture drawn = decode_picture(std::as_bytes(std::span(png)), "drawn");
  const Drawing drawing = draw_picture_maps(example_picture());
  const PanelSize size = panel_size(example_picture().picture);
  EXPECT_EQ(drawn.width, static_cast<Index>(2 * drawing.width));
  const std::string last = drawing.elements.substr(drawing.elements.rfind("translate("));
  double x = 0, y = 0;
  std::istringstream(last.substr(std::string("translate(").size())) >> x >> y;
  const auto red = [&](double right, double down) {
    const auto column = static_cast<Index>(2 * (x + right * size.width)),
               row = static_cast<Index>(2 * (y + down * size.height));
    return int{drawn.pixels[static_cast<std::size_t>((row * drawn.width + column) * 3)]};
  };
  EXPECT_GT(red(0.1, 0.1), 180);
  EXPECT_LT(red(0.9, 0.9), 70);
  EXPECT_GT(red(0.1, 0.1), red(0.4, 0.4));
}

TEST(PictureHtml, IsWellFormedAndCompleteInItself) {
  for (const PictureMaps& maps : {example_picture(), dark_picture(), without_words()}) {
    const std::string html = picture_html(maps, {});
    const std::vector<XmlElement> elements = parsed_xml(html.substr(html.find("<html")));
    EXPECT_EQ(named(elements, "button").size(), maps.words.size());
    EXPECT_EQ(named(elements, "li").size(), maps.words.size());
    EXPECT_EQ(count_of(html, "http://") + count_of(html, "https://"), 0u);
    EXPECT_EQ(count_of(html, " onclick="), 0u);
  }
}

TEST(PictureHtml, DescribesTheAttentionOfEachWord) {
  const std::string html = picture_html(example_picture(), {});
  const auto buttons = named(parsed_xml(html.substr(html.find("<html"))), "button");
  ASSERT_EQ(buttons.size(), 3u);
  EXPECT_EQ(buttons[2].text, "<runs>");
  EXPECT_EQ(buttons[2].attributes.at("data-reading"),
            "<runs>: greatest weight 1.0000, in row 1 of 2 and column 1 of 3");
}

TEST(PictureJson, HasEveryWeight) {
  const nlohmann::json json = nlohmann::json::parse(picture_json(example_picture(), {}));
  EXPECT_EQ(json["picture"], "photo.jpg");
  EXPECT_EQ(json["caption"], "a dog <runs>");
  EXPECT_EQ(json["log_probability"], -0.25);
  EXPECT_EQ(json["height"], 40);
  EXPECT_EQ(json["words"][1]["word"], "dog");
  EXPECT_EQ(json["words"][1]["weights"], nlohmann::json::parse("[[0, 0.0625, 0.0625], [0.125, 0.75, 0]]"));
  EXPECT_EQ(nlohmann::json::parse(picture_json(without_words(), {}))["words"].size(), 0u);
}

TEST(PictureText, HasShadesWithoutColour) {
  EXPECT_EQ(picture_text(example_picture(), {}),
            "photo.jpg\na dog <runs>\nlog p = -0.2500 (p = 0.779)\n\n"
            "a .25         dog .75       <runs> 1.0\n"
            "▒▒▒▒██        ······        ██····\n"
            "██▒▒▒▒        ░░██··        ······\n\n"
            "Fuller cells have greater weights while the model writes a word; the number is\nthe greatest.\n");
}

TEST(PictureText, HasHalfBlocksInColour) {
  const std::string text = picture_text(example_picture(), {.colour = Colour::kYes, .width = 60});
  EXPECT_NE(text.find("\x1b[38;2;200;200;200m\x1b[48;2;200;200;200m▀"), text.npos) << "the picture itself";
  std::istringstream lines(without_colour(text));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 60) << line;
}

TEST(PictureText, NumbersWordsOfShapedScripts) {
  PictureMaps maps = example_picture();
  maps.words[1].word = "कुत्ता";
  const std::string text = picture_text(maps, {});
  EXPECT_NE(text.find("1 a  2 कुत्ता  3 <runs>\n"), text.npos) << text;
  EXPECT_NE(text.find("1 .25         2 .75"), text.npos) << text;
}

}  // namespace
}  // namespace dhyan
