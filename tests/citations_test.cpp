// Every paper the code cites is in docs/refs.bib.

#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "source_tree.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> keys;
  for (std::sregex_iterator found(text.begin(), text.end(), expression), end; found != end; ++found) {
    keys.insert((*found)[1]);
  }
  return keys;
}

// "[vaswani2017]" in a comment, "vaswani2017" in a table
std::set<std::string> cited_in(const std::string& text) {
  return matches(text, R"re([["]([a-z]+[12][0-9]{3}[a-z]?)[\]"])re");
}
// "@inproceedings{vaswani2017,"
std::set<std::string> defined_in(const std::string& text) { return matches(text, "@[a-z]+\\{([a-z0-9]+),"); }

TEST(Citations, HaveAnEntryInTheBibliography) {
  const std::set<std::string> known = defined_in(text_of(source_folder() / "docs/refs.bib"));
  std::vector<fs::path> files = sources_below("src");
  for (const fs::path& document : documents()) files.push_back(document);
  std::size_t cited = 0;
  for (const fs::path& file : files) {
    for (const std::string& key : cited_in(text_of(file))) {
      EXPECT_TRUE(known.contains(key)) << file << " cites [" << key << "], which docs/refs.bib does not have";
      ++cited;
    }
  }
  EXPECT_GT(cited, 0u);
}

TEST(Citations, AreRecognised) {
  EXPECT_EQ(cited_in(R"(// [bahdanau2015] eqs. 5-6; {"dot", "s·h", "luong2015"} x[12], [T,S], [this], "2015")"),
            (std::set<std::string>{"bahdanau2015", "luong2015"}));
  EXPECT_EQ(defined_in("@article{a2001,\n x\n}\n@inproceedings{b2002,"), (std::set<std::string>{"a2001", "b2002"}));
}

}  // namespace
}  // namespace dhyan
