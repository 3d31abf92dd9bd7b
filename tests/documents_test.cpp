// Files, symbols and quoted code that the documents name exist.

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "source_tree.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// Paths that a text names: "src/core/arena.h", "script/test". Not the ends of other paths: "build/release/src/x".
Names paths_in(const std::string& text) {
  static const std::regex path(
      R"re((^|[^\w/.-])((?:src|apps|include|examples|tests|script|bench|docs|cmake)/[\w./-]*\w))re");
  Names paths;
  for (std::sregex_iterator found(text.begin(), text.end(), path), end; found != end; ++found) {
    paths.insert((*found)[2]);
  }
  return paths;
}

struct Mention {
  std::string symbol;
  std::string path;

  auto operator<=>(const Mention&) const = default;
};

// "`OrderedReduction` (src/training/ordered_reduction.h)": the last name of a symbol, and the file it is said to be in.
std::set<Mention> mentions_in(const std::string& text) {
  static const std::regex mention(R"re(`(?:\w+::)*(\w+)(?:\(\))?`[ \n]\(((?:src|apps)/[\w./-]+\.(?:h|cpp)))re");
  std::set<Mention> mentions;
  for (std::sregex_iterator found(text.begin(), text.end(), mention), end; found != end; ++found) {
    mentions.insert({(*found)[1], (*found)[2]});
  }
  return mentions;
}

TEST(Documents, NamePathsThatExist) {
  std::size_t named = 0;
  for (const fs::path& document : documents()) {
    for (const std::string& path : paths_in(text_of(document))) {
      EXPECT_TRUE(fs::exists(source_folder() / path)) << document << " names " << path;
      ++named;
    }
  }
  EXPECT_GT(named, 100u);
}

TEST(Documents, NameSymbolsWhereTheyAre) {
  std::size_t mentioned = 0;
  for (const fs::path& document : documents()) {
    for (const Mention& mention : mentions_in(text_of(document))) {
      const fs::path file = source_folder() / mention.path;
      if (!fs::exists(file)) continue;  // reported above
      const std::regex word("\\b" + mention.symbol + "\\b");
      EXPECT_TRUE(std::regex_search(text_of(file), word))
          << document << ": " << mention.symbol << " is not in " << mention.path;
      ++mentioned;
    }
  }
  EXPECT_GT(mentioned, 30u);
}

// How the names of tests begin that a text names: "Trainer.*", "Trainer.Skips…" and "Trainer.SkipsNaN".
Names tests_in(const std::string& text) {
  static const std::regex test(R"re(`([A-Z]\w+\.(?:[A-Z]\w*)?)(?:\*|…)?`)re");
  Names tests;
  for (std::sregex_iterator found(text.begin(), text.end(), test), end; found != end; ++found) {
    tests.insert((*found)[1]);
  }
  return tests;
}

Names all_tests() {
  static const std::regex test(R"re(\n(?:TYPED_)?TEST(?:_F|_P)?\((\w+),\s*(\w+)\))re");
  Names tests;
  for (const char* folder : {"src", "apps", "tests"}) {
    for (const fs::path& file : sources_below(folder)) {
      const std::string text = text_of(file);
      for (std::sregex_iterator found(text.begin(), text.end(), test), end; found != end; ++found) {
        tests.insert((*found)[1].str() + "." + (*found)[2].str());
      }
    }
  }
  return tests;
}

TEST(Documents, NameTestsThatExist) {
  const Names tests = all_tests();
  std::size_t named = 0;
  for (const fs::path& document : documents()) {
    for (const std::string& name : tests_in(text_of(document))) {
      const auto first = tests.lower_bound(name);
      EXPECT_TRUE(first != tests.end() && first->starts_with(name)) << document << " names the test " << name;
      ++named;
    }
  }
  EXPECT_GT(named, 50u);
}

TEST(Documents, TheListOfLongTestsNamesTestsThatExist) {
  static const std::regex name(R"re(\n    ([A-Z]\w+\.[A-Z]\w+))re");
  const Names tests = all_tests();
  const std::string list = text_of(source_folder() / "cmake/long_tests.cmake");
  std::size_t named = 0;
  for (std::sregex_iterator found(list.begin(), list.end(), name), end; found != end; ++found, ++named) {
    EXPECT_TRUE(tests.contains((*found)[1])) << "cmake/long_tests.cmake names the test " << (*found)[1];
  }
  EXPECT_GT(named, 5u);
}

struct Quote {
  std::string path;
  std::string code;  // without white space
};

std::string without_space(std::string text) {
  std::erase_if(text, [](unsigned char byte) { return std::isspace(byte) != 0; });
  return text;
}

// "`tanh` is in src/ops/activations.cpp, all of it:" and the indented lines behind it. A path in parentheses announces
// no quote.
std::vector<Quote> quotes_in(const std::string& text) {
  static const std::regex quote(R"re((?:\n| )(src/[\w./-]+\.cpp)[^\n]*:\n\n((?:    [^\n]*\n)+))re");
  std::vector<Quote> quotes;
  for (std::sregex_iterator found(text.begin(), text.end(), quote), end; found != end; ++found) {
    quotes.push_back({(*found)[1], without_space((*found)[2])});
  }
  return quotes;
}

TEST(Documents, QuoteCodeAsItIs) {
  std::size_t quoted = 0;
  for (const fs::path& document : documents()) {
    for (const Quote& quote : quotes_in(text_of(document))) {
      EXPECT_NE(without_space(text_of(source_folder() / quote.path)).find(quote.code), std::string::npos)
          << document << " quotes " << quote.path << " as it is no longer: " << quote.code;
      ++quoted;
    }
  }
  EXPECT_GE(quoted, 3u);
}

// All matches of the first group of a pattern in a text.
Names all_of(const std::string& pattern, const std::string& text) {
  const std::regex expression(pattern);
  Names found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

// The lines of a document that are code: indented by four spaces.
std::string code_lines(const std::string& text) {
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    ")) code += line.substr(4);
    if (line.empty() || line.starts_with("    ")) code += '\n';
  }
  return code;
}

TEST(Documents, ShowTheExamplesOfTheLibraryAsTheyAre) {
  const std::string shown = code_lines(text_of(source_folder() / "docs/API.md"));
  int examples = 0;
  for (const fs::path& example : sources_below("examples")) {
    const std::string code = text_of(example);
    EXPECT_NE(shown.find(code), std::string::npos) << "docs/API.md does not show " << example;
    EXPECT_LT(std::ranges::count(code, '\n'), 60) << example;
    ++examples;
  }
  EXPECT_EQ(examples, 5);
}

TEST(Documents, NameEveryErrorOfTheLibrary) {
  static const std::regex error(R"re(class DHYAN_EXPORT (\w+))re");
  const std::string page = text_of(source_folder() / "docs/API.md");
  const std::string header = text_of(source_folder() / "include/dhyan/error.h");
  for (std::sregex_iterator found(header.begin(), header.end(), error), end; found != end; ++found) {
    const std::string name = (*found)[1];
    EXPECT_TRUE(name == "Error" || page.find("`" + name + "`") != std::string::npos) << name;
  }
}

TEST(Documents, ExplainTheMetricsThatThereAre) {
  const std::string document = text_of(source_folder() / "docs/OPERATIONS.md");
  const Names metrics = all_of(R"re(text\.metric\("(\w+)")re", text_of(source_folder() / "apps/server/metrics.cpp"));
  EXPECT_EQ(all_of(R"re(\n\| `(dhyan_\w+)` \|)re", document), metrics);
  EXPECT_GT(metrics.size(), 5u);

  Names reasons;
  for (const fs::path& file : sources_below("apps/server")) {
    if (!file.stem().string().ends_with("_test")) reasons.merge(all_of(R"re(rejected\("(\w+)")re", text_of(file)));
  }
  const std::size_t row = document.find("| `dhyan_rejected_total`");
  const std::string explained = document.substr(row, document.find('\n', row) - row);
  Names named = all_of(R"re(`(\w+)`)re", explained);
  named.erase("dhyan_rejected_total");
  named.erase("reason");  // the label
  EXPECT_EQ(named, reasons);
}

// "[docs/GUIDE.md](docs/GUIDE.md)", from the folder of the document.
TEST(Documents, LinkToFilesThatExist) {
  static const std::regex link(R"re(\]\(([^) :#]+)\))re");
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document);
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
      EXPECT_TRUE(fs::exists(document.parent_path() / (*found)[1].str())) << document << " links to " << (*found)[1];
    }
  }
}

TEST(Documents, NamesAreRecognised) {
  EXPECT_EQ(tests_in("`Tape.*`, `Beam.Keeps…`, `Beam.KeepsAll` and `README.md`, Beam.Loses"),
            (Names{"Tape.", "Beam.Keeps", "Beam.KeepsAll"}));
  EXPECT_EQ(
      paths_in("`Arena` (src/core/arena.h): see script/test, docs/A.md. src/gone.h\n(tests/x_test.cpp) src/core/"),
      (Names{"src/core/arena.h", "script/test", "docs/A.md", "src/gone.h", "tests/x_test.cpp", "src/core"}));
  EXPECT_EQ(paths_in("build/release/src/x https://a.org/docs/b ../src/c"), Names());
  const std::vector<Quote> quotes =
      quotes_in("It is in src/a.cpp, all:\n\n    int a;\n    f();\n\nAnd (src/b.cpp):\n\n    g();\n");
  ASSERT_EQ(quotes.size(), 1u);
  EXPECT_EQ(quotes[0].path + " " + quotes[0].code, "src/a.cpp inta;f();");
  EXPECT_EQ(mentions_in("`Tape::backward` (src/autograd/tape.h), `prepack()`\n(src/ops/prepack.h) and `a b` (src/c.h)"),
            (std::set<Mention>{{"backward", "src/autograd/tape.h"}, {"prepack", "src/ops/prepack.h"}}));
}

}  // namespace
}  // namespace dhyan
