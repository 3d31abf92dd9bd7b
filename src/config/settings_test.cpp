#include "config/settings.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

using Values = std::vector<std::string>;

std::string yaml_error(const std::string& text) {
  return thrown<ConfigError>([&] { parse_yaml("my.yaml", text); });
}

std::string json_error(const std::string& text) {
  return thrown<ModelFileError>([&] { parse_json("config.json", text); });
}

TEST(Settings, KnowTheirLineInYaml) {
  const std::vector<Setting> settings = parse_yaml("my.yaml", "# a comment\nhidden: 3\n\ntrain: [a.hi, 'b c.en']\n");
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[0].where, "my.yaml:2");
  EXPECT_EQ(settings[0].name, "hidden");
  EXPECT_EQ(settings[0].values, Values{"3"});
  EXPECT_EQ(settings[1].where, "my.yaml:4");
  EXPECT_EQ(settings[1].values, (Values{"a.hi", "b c.en"}));
  EXPECT_TRUE(parse_yaml("my.yaml", "# nothing\n").empty());
  EXPECT_TRUE(parse_yaml("my.yaml", "train: []").front().values.empty());
}

TEST(Settings, AreAFlatMapInYaml) {
  EXPECT_EQ(yaml_error("- a\n- b\n"), "my.yaml:1: expected lines of 'option: value'");
  EXPECT_EQ(yaml_error("a: 1\nmodel:\n  hidden: 3\n"), "my.yaml:2: model is neither a plain value nor a list of them");
  EXPECT_EQ(yaml_error("hidden:\n"), "my.yaml:1: hidden has no value");
  EXPECT_EQ(yaml_error("a: 1\n[b]: 2\n"), "my.yaml:2: expected the name of an option");
  EXPECT_EQ(yaml_error("a: 1\nb: 2\na: 3\n"), "my.yaml:3: 'a' occurs twice");
  EXPECT_EQ(yaml_error("a: 1\nb: [1, 2\n").substr(0, 24), "my.yaml:3: is not YAML: ");
}

TEST(Settings, AreReadFromAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_yaml(folder.write("a.yaml", "cell: gru\n")).front().values, Values{"gru"});
  EXPECT_EQ(thrown<IoError>([&] { read_yaml(folder.path("none.yaml")); }),
            folder.path("none.yaml") + ": cannot open: No such file or directory");
  const std::string large = folder.write("large.yaml", std::string((1 << 20) + 1, '#'));
  EXPECT_EQ(thrown<ConfigError>([&] { read_yaml(large); }),
            large + ": has 1048577 bytes, expected settings of at most 1048576");
}

TEST(Settings, AreAFlatObjectInJson) {
  const std::vector<Setting> settings =
      parse_json("config.json", R"({"a": 1, "b": true, "c": 1e-05, "d": "x", "e": ["y", 2], "f": [], "g": -3})");
  ASSERT_EQ(settings.size(), 7u);
  EXPECT_EQ(settings[0].values, Values{"1"});
  EXPECT_EQ(settings[1].values, Values{"true"});
  EXPECT_EQ(settings[2].values, Values{"1e-05"});
  EXPECT_EQ(settings[3].values, Values{"x"});
  EXPECT_EQ(settings[4].values, (Values{"y", "2"}));
  EXPECT_EQ(settings[5].values, Values{});
  EXPECT_EQ(settings[6].values, Values{"-3"});
  EXPECT_EQ(thrown<ModelFileError>([&] { settings[0].fail("is bad"); }), "config.json: is bad");
}

TEST(Settings, AreRefusedInDamagedJson) {
  EXPECT_EQ(json_error(""), "config.json: is not JSON at its byte 1");
  EXPECT_EQ(json_error("{\"a\": }"), "config.json: is not JSON at its byte 7");
  EXPECT_EQ(json_error("3"), "config.json: is '3', expected an object");
  EXPECT_EQ(json_error("[1]"), "config.json: is an array, expected an object");
  EXPECT_EQ(json_error("null"), "config.json: is null, expected an object");
  EXPECT_EQ(json_error(R"({"a": null})"), "config.json: a holds null, expected a plain value or a list of them");
  EXPECT_EQ(json_error(R"({"a": {"b": 1}})"),
            "config.json: a holds an object, expected a plain value or a list of them");
  EXPECT_EQ(json_error(R"({"a": [[1]]})"), "config.json: a holds an array, expected a plain value or a list of them");
  EXPECT_EQ(json_error(R"({"a": 1, "a": 2})"), "config.json: 'a' occurs twice");
  EXPECT_EQ(json_error(std::string(100'000, '[')), "config.json: is an array, expected an object");
}

}  // namespace
}  // namespace dhyan
