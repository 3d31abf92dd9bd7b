#include "translator/model_languages.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

SideTrigrams some_trigrams() {
  TrigramCounter source, target;
  source.add("मैं खाना खा रहा हूँ");
  target.add("I am eating the food that I am eating");
  return {profile_of(source.counts()), profile_of(target.counts())};
}

TEST(SideTrigramFiles, RoundTrip) {
  const SideTrigrams both = some_trigrams();
  for (const SideTrigrams& sides : {both, {both.source, {}}, {{}, both.target}, {}}) {
    EXPECT_EQ(parse_trigrams(to_json(sides), "file"), sides);
  }
}

TEST(SideTrigramFiles, AreShort) {
  TrigramCounter counter;
  counter.add("no no on");
  EXPECT_EQ(to_json({profile_of(counter.counts()), {}}),
            "{\"source\":{\"total\":6,\"commonest\":{\" no\":2,\"no \":2,\" on\":1,\"on \":1}}}\n");
}

TEST(SideTrigramFiles, AreRefusedIfSomethingIsWrong) {
  const auto refusal = [](const std::string& text) {
    return thrown<ModelFileError>([&] { parse_trigrams(text, "file"); });
  };
  const auto of_side = [&](const std::string& side) { return refusal("{\"source\": " + side + "}"); };
  EXPECT_EQ(refusal(""), "file: expected a JSON object with 'source' and 'target'");
  EXPECT_EQ(refusal("[1]"), "file: expected a JSON object with 'source' and 'target'");
  EXPECT_EQ(refusal("{\"both\": {}}"), "file: a key that is neither 'source' nor 'target'");
  EXPECT_EQ(refusal(std::string((1 << 20) + 1, ' ')), "file: has 1048577 bytes, expected at most 1048576");
  EXPECT_EQ(of_side("{\"total\": 1}"), "file: source: expected 'total' and 'commonest'");
  EXPECT_EQ(of_side("{\"total\": 1, \"commonest\": {}}"), "file: source: expected 1 to 2000 trigrams");
  EXPECT_EQ(of_side("{\"total\": \"1\", \"commonest\": {}}"), "file: source: string, expected a count");
  EXPECT_EQ(of_side("{\"total\": -1, \"commonest\": {}}"), "file: source: number, expected a count");
  EXPECT_EQ(of_side("{\"total\": 1e3, \"commonest\": {}}"), "file: source: number, expected a count");
  EXPECT_EQ(of_side("{\"total\": 0, \"commonest\": {}}"), "file: source: a count of 0, expected 1 to 1125899906842624");
  EXPECT_EQ(of_side("{\"total\": 2, \"commonest\": {\"abc\": 3}}"),
            "file: source: the trigrams occur 3 times, more often than all together");
  EXPECT_EQ(of_side("{\"total\": 9, \"commonest\": {\"abc\": 1, \"abd\": 2}}"),
            "file: source: the commonest trigram is not first");
  for (const char* key : {"", "ab", "abcd", "a c", "a1c"}) {
    EXPECT_EQ(of_side(std::string("{\"total\": 9, \"commonest\": {\"") + key + "\": 1}}"),
              "file: source: a key that is not three letters")
        << key;
  }
}

class LanguagesOfFolders : public FolderTest {};

TEST_F(LanguagesOfFolders, ComeFromConfigAndTrigrams) {
  Config config;
  config.data.source_language = "hi";
  config.data.target_language = "en";
  save_trigrams(folder_, some_trigrams());
  const ModelLanguages languages = languages_of(folder_, config);
  EXPECT_EQ(languages.source, "hi");
  EXPECT_EQ(languages.target, "en");
  EXPECT_EQ(languages.source_trigrams, some_trigrams().source);
  EXPECT_EQ(languages.target_trigrams, some_trigrams().target);
}

TEST_F(LanguagesOfFolders, AreUnknownForOlderFolders) {
  const ModelLanguages languages = languages_of(folder_, Config());
  EXPECT_FALSE(languages.source || languages.target || languages.source_trigrams || languages.target_trigrams);
}

TEST_F(LanguagesOfFolders, AreRefusedWithTheNameOfTheFile) {
  write("trigrams.json", "{");
  EXPECT_EQ(thrown<ModelFileError>([&] { languages_of(folder_, Config()); }),
            (folder_ / "trigrams.json").string() + ": expected a JSON object with 'source' and 'target'");
  write("trigrams.json", "");
  EXPECT_THROW(languages_of(folder_, Config()), ModelFileError);
}

TEST_F(LanguagesOfFolders, AreCopiedIfTheyAreThere) {
  const std::filesystem::path to = folder_ / "to";
  std::filesystem::create_directory(to);
  copy_trigrams(folder_, to);
  EXPECT_FALSE(std::filesystem::exists(to / kTrigramsFile));
  save_trigrams(folder_, some_trigrams());
  copy_trigrams(folder_, to);
  EXPECT_EQ(read("to/trigrams.json"), read("trigrams.json"));
}

}  // namespace
}  // namespace dhyan
