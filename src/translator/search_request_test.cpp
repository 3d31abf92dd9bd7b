#include "translator/search_request.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "translator/search_option_table.h"

namespace dhyan {
namespace {

SearchRequest read(const std::string& json) { return search_request_from_json("request", json); }

std::string refusal(const std::string& json) {
  return thrown<UsageError>([&] { read(json); });
}

const SearchOption& row(std::string_view name) {
  return *std::ranges::find(search_option_table(), name, [](const SearchOption& option) { return option.name; });
}

bool in_request(const SearchOption& option) { return option.availability == Availability::kEverywhere; }

Setting flag(const std::string& name, std::vector<std::string> values) {
  return {"--" + name, name, std::move(values), Origin::kCommandLine};
}

// A value that the option accepts and that is not its default.
std::vector<std::string> another_value(const SearchOption& option) {
  if (option.kind == OptionKind::kWords) return {"two words", "शब्द \"क\""};
  const std::string usual = option.get(SearchRequest()).front();
  for (const std::string& choice : option.choices) {
    if (choice != usual) return {choice};
  }
  return {option.kind == OptionKind::kWord ? "a file" : usual == "1" ? "0.5" : "1"};
}

// A request in which as many options as possible differ from their defaults.
SearchRequest changed(bool sampling) {
  SearchRequest request;
  for (const SearchOption& option : search_option_table()) {
    if (option.name == "sampling" && !sampling) continue;
    std::vector<std::string> values = another_value(option);
    constexpr std::array<std::string_view, 4> kFour{"diverse-groups", "seed", "beam-size", "max-length"};
    if (std::ranges::find(kFour, option.name) != kFour.end()) values = {"4"};
    option.set(request, flag(option.name, values));
  }
  return request;
}

TEST(SearchOptionTable, HasOneHelpTextForEachName) {
  std::set<std::string> names;
  for (const SearchOption& option : search_option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name << " twice";
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.group.empty()) << option.name;
  }
  std::size_t shared = 0;
  for (const OptionOf<GenerationOptions>& option : generation_option_table()) {
    if (!names.contains(option.name)) continue;
    ++shared;
    EXPECT_EQ(option.help, row(option.name).help) << option.name;
  }
  EXPECT_GE(shared, 5u) << "sampling is in both tables";
}

TEST(SearchOptionTable, NamesOnlyRowsInNeedsAndExcludes) {
  for (const SearchOption& option : search_option_table()) {
    for (const std::string& other : {option.needs, option.excludes}) {
      if (other.empty()) continue;
      EXPECT_EQ(std::ranges::count(search_option_table(), other, [](const auto& row) { return row.name; }), 1)
          << option.name << " " << other;
    }
    if (option.needs.empty() || !in_request(option)) continue;
    EXPECT_TRUE(in_request(row(option.needs))) << option.name << " could never be given";
  }
}

TEST(SearchOptionTable, HasAFieldForEachRow) {
  const SearchRequest all = changed(true);
  for (const SearchOption& option : search_option_table()) {
    EXPECT_TRUE(is_set(option, all)) << option.name;
    EXPECT_FALSE(is_set(option, SearchRequest())) << option.name;
  }
}

TEST(SearchRequest, RoundTripsThroughJson) {
  for (const bool sampling : {false, true}) {
    SearchRequest before = changed(sampling);
    before.search.narrow = false;  // does not go with beam-refill
    const SearchRequest after = read(to_json(before));
    EXPECT_EQ(to_json(after), to_json(before));
    std::size_t kept = 0;
    for (const SearchOption& option : search_option_table()) {
      const bool has_effect = option.excludes != "sampling" ? option.needs != "sampling" || sampling : !sampling;
      const SearchRequest& expected = in_request(option) && has_effect ? before : SearchRequest();
      EXPECT_EQ(option.get(after), option.get(expected)) << option.name;
      kept += is_set(option, after) ? 1 : 0;
    }
    EXPECT_GT(kept, 10u);
  }
}

TEST(SearchRequest, KeepsEveryBitOfANumber) {
  EXPECT_EQ(read(R"({"sampling": true, "seed": 18446744073709551615})").seed, ~std::uint64_t{0});
  SearchRequest request;
  request.search.length_penalty = 0.1 + 0.2;
  EXPECT_EQ(read(to_json(request)).search.length_penalty, 0.1 + 0.2);
}

TEST(SearchRequest, HasTheDefaultsIfEmpty) { EXPECT_EQ(to_json(read("{}")), to_json(SearchRequest())); }

TEST(SearchRequest, RefusesEveryValueOfAnotherType) {
  for (const SearchOption& option : search_option_table()) {
    if (!in_request(option)) continue;
    std::vector<std::string> wrong{"null", "{}", "[[]]"};
    if (option.kind != OptionKind::kSwitch) wrong.insert(wrong.end(), {"true", "\"\\u0000\""});
    if (option.kind == OptionKind::kSwitch) wrong.insert(wrong.end(), {"1", "\"true\"", "[true]"});
    if (option.kind == OptionKind::kNumber) wrong.insert(wrong.end(), {"\"1\"", "[1]", "-1", "1e300", "\"x\""});
    if (option.kind == OptionKind::kWord) wrong.insert(wrong.end(), {"1", "\"x\"", "[\"x\"]"});
    if (option.kind == OptionKind::kWords) wrong.insert(wrong.end(), {"\"x\"", "[1]", "[\"x\", false]"});
    for (const std::string& value : wrong) {
      const std::string message = refusal(cat("{\"", option.name, "\": ", value, "}"));
      EXPECT_NE(message.find(option.name), message.npos) << message;
    }
  }
}

TEST(SearchRequest, NamesKeyValueAndExpectationInErrors) {
  EXPECT_EQ(refusal(R"({"beam-size": 0})"), "request: beam-size is '0', expected a whole number from 1 to 1000");
  EXPECT_EQ(refusal(R"({"beam-size": 2.5})"), "request: beam-size is '2.5', expected a whole number from 1 to 1000");
  EXPECT_EQ(refusal(R"({"beam-size": "5"})"), "request: beam-size is the string '5', expected a number");
  EXPECT_EQ(refusal(R"({"beam-size": [5]})"), "request: beam-size is a list, expected a number");
  EXPECT_EQ(refusal(R"({"allow-unk": "true"})"), "request: allow-unk is the string 'true', expected true or false");
  EXPECT_EQ(refusal(R"({"forbid": "red"})"), "request: forbid is 'red', expected a list of strings");
  EXPECT_EQ(refusal(R"({"forbid": ["red", 7]})"), "request: forbid is a list with '7', expected a list of strings");
  EXPECT_EQ(refusal(R"({"early-stopping": "ful"})"),
            "request: early-stopping: 'ful' is none of full, likely, certain; did you mean 'full'?");
  EXPECT_EQ(refusal(R"({"beam-siz": 4})"), "request: there is no option 'beam-siz'; did you mean 'beam-size'?");
  EXPECT_EQ(refusal(R"({"beam-size": 4, "beam-size": 5})"), "request: 'beam-size' occurs twice");
  EXPECT_EQ(refusal("[1]"), "request: is an array, expected an object");
  EXPECT_EQ(refusal("{"), "request: is not JSON at its byte 2");
  EXPECT_EQ(refusal(std::string((1 << 20) + 1, ' ')),
            "request: has 1048577 bytes, expected search options of at most 1048576");
}

TEST(SearchRequest, RefusesOptionsThatHaveNoEffect) {
  EXPECT_EQ(refusal(R"({"top-k": 3})"), "request: top-k needs sampling");
  EXPECT_EQ(refusal(R"({"top-k": 3, "sampling": false})"), "request: top-k needs sampling");
  EXPECT_EQ(refusal(R"({"beam-size": 3, "sampling": true})"), "request: beam-size and sampling do not go together");
  EXPECT_EQ(refusal(R"({"diversity-penalty": 1})"), "request: diversity-penalty needs diverse-groups");
  EXPECT_NO_THROW(read(R"({"beam-size": 3, "sampling": false})"));
}

TEST(SearchRequest, RefusesImpossibleOptions) {
  EXPECT_THROW(read(R"({"beam-size": 4, "n-best": 5})"), UsageError);
  EXPECT_THROW(read(R"({"beam-size": 5, "diverse-groups": 2})"), UsageError);
  EXPECT_THROW(read(R"({"min-length": 300})"), UsageError) << "longer than the longest";
  EXPECT_THROW(read(R"({"sampling": true, "top-p": 0})"), UsageError);
}

TEST(SearchRequest, NamesNoFiles) {
  for (const SearchOption& option : search_option_table()) {
    EXPECT_FALSE(option.value == "FILE" && in_request(option)) << option.name;
    if (in_request(option)) continue;
    EXPECT_TRUE(refusal(cat("{\"", option.name, "\": \"/etc/passwd\"}")).starts_with("request: there is no option"))
        << option.name;
  }
}

TEST(SearchRequest, SetsOptionsOfSearchAndTranslation) {
  EXPECT_EQ(search_options(read(R"({"beam-size": 7, "n-best": 0})")).n_best, 7) << "0 is the whole beam";
  const SearchRequest request =
      read(R"({"sampling": true, "n-best": 3, "top-k": 9, "seed": 5, "forbid": ["red"], "replace-unk": true,
               "replace-unk-layer": 2})");
  const SearchOptions search = search_options(request);
  EXPECT_EQ(search.beam_size, 3) << "as many as are drawn";
  const TranslationOptions options = translation_options(request, search);
  EXPECT_EQ(options.sampling->top_k, 9);
  EXPECT_EQ(options.seed, 5u);
  EXPECT_EQ(options.forbidden, std::vector<std::string>{"red"});
  EXPECT_EQ(options.unknown->layer, 2);
  EXPECT_FALSE(translation_options(SearchRequest(), {}).sampling.has_value());
  EXPECT_FALSE(translation_options(SearchRequest(), {}).unknown.has_value());
}

}  // namespace
}  // namespace dhyan
