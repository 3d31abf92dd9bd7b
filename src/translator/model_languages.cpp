#include "translator/model_languages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestFile = 1 << 20;
constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 50;

// Reads the file's JSON, one check after the other.
class TrigramReader {
 public:
  explicit TrigramReader(std::string_view where) : where_(where) {}

  SideTrigrams sides(std::string_view text) const {
    if (text.size() > kLargestFile) fail(cat("has ", text.size(), " bytes, expected at most ", kLargestFile));
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) fail("expected a JSON object with 'source' and 'target'");
    SideTrigrams sides;
    for (const auto& [name, value] : json.items()) {
      if (name != "source" && name != "target") fail("a key that is neither 'source' nor 'target'");
      (name == "source" ? sides.source : sides.target) = profile(name, value);
    }
    return sides;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ModelFileError(cat(where_, ": ", what)); }

  TrigramProfile profile(const std::string& side, const Json& json) const {
    if (!json.is_object() || json.size() != 2 || !json.contains("total") || !json.contains("commonest")) {
      fail(cat(side, ": expected 'total' and 'commonest'"));
    }
    TrigramProfile profile;
    profile.total = count(side, json["total"]);
    const Json& commonest = json["commonest"];
    if (!commonest.is_object() || commonest.empty() || commonest.size() > TrigramProfile::kMost) {
      fail(cat(side, ": expected 1 to ", TrigramProfile::kMost, " trigrams"));
    }
    std::uint64_t sum = 0;
    for (const auto& [text, value] : commonest.items()) {
      profile.commonest.push_back({trigram(side, text), count(side, value)});
      sum += profile.commonest.back().count;
    }
    if (sum > profile.total) fail(cat(side, ": the trigrams occur ", sum, " times, more often than all together"));
    if (!std::ranges::is_sorted(profile.commonest, commoner)) fail(cat(side, ": the commonest trigram is not first"));
    return profile;
  }

  std::uint64_t count(const std::string& side, const Json& json) const {
    if (!json.is_number_unsigned()) fail(cat(side, ": ", json.type_name(), ", expected a count"));
    const auto number = json.get<std::uint64_t>();
    if (number == 0 || number > kLargestCount) {
      fail(cat(side, ": a count of ", number, ", expected 1 to ", kLargestCount));
    }
    return number;
  }

  Trigram trigram(const std::string& side, const std::string& text) const {
    const std::u32string codes = to_utf32(text);
    if (codes.size() == 3) {
      if (const Trigram found{codes[0], codes[1], codes[2]}; is_trigram(found)) return found;
    }
    fail(cat(side, ": a key that is not three letters"));
  }

  std::string_view where_;
};

SideTrigrams load_trigrams(const fs::path& path) {
  const MappedFile file(path);
  SideTrigrams sides =
      parse_trigrams({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, path.string());
  file.expect_unchanged();
  return sides;
}

Json to_json(const TrigramProfile& profile) {
  Json commonest = Json::object();
  for (const TrigramCount& entry : profile.commonest) {
    commonest[to_utf8({entry.trigram.data(), entry.trigram.size()})] = entry.count;
  }
  return {{"total", profile.total}, {"commonest", std::move(commonest)}};
}

std::optional<std::string> unless_empty(const std::string& code) {
  return code.empty() ? std::nullopt : std::optional(code);
}

std::optional<TrigramProfile> unless_empty(TrigramProfile profile) {
  return profile.empty() ? std::nullopt : std::optional(std::move(profile));
}

}  // namespace

std::string to_json(const SideTrigrams& sides) {
  Json json = Json::object();
  if (!sides.source.empty()) json["source"] = to_json(sides.source);
  if (!sides.target.empty()) json["target"] = to_json(sides.target);
  return json.dump() + "\n";
}

SideTrigrams parse_trigrams(std::string_view text, std::string_view where) { return TrigramReader(where).sides(text); }

void save_trigrams(const fs::path& folder, const SideTrigrams& sides) {
  write_file(folder / kTrigramsFile, to_json(sides));
}

void copy_trigrams(const fs::path& from, const fs::path& to) {
  if (!fs::exists(from / kTrigramsFile)) return;
  save_trigrams(to, load_trigrams(from / kTrigramsFile));
}

ModelLanguages languages_of(const fs::path& folder, const Config& config) {
  ModelLanguages languages{unless_empty(config.data.source_language), unless_empty(config.data.target_language)};
  if (!fs::exists(folder / kTrigramsFile)) return languages;
  SideTrigrams sides = load_trigrams(folder / kTrigramsFile);
  languages.source_trigrams = unless_empty(std::move(sides.source));
  languages.target_trigrams = unless_empty(std::move(sides.target));
  return languages;
}

}  // namespace dhyan
