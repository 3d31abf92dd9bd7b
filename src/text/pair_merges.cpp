#include "text/pair_merges.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "core/error.h"
#include "core/file.h"

namespace dhyan {

namespace {

constexpr std::string_view kVersion = "#version:";
constexpr std::uint32_t kNoSymbol = std::numeric_limits<std::uint32_t>::max();

// The symbols of a word as a list, in which neighbours become one.
struct Link {
  std::uint32_t symbol;
  std::size_t end;         // of the symbols that it stands for
  std::size_t last, next;  // neighbours
  bool gone = false;
};

}  // namespace

PairMerges::PairMerges(const Pairs& pairs) {
  for (const auto& [first, second] : pairs) {
    const std::uint32_t a = number(first), b = number(second), merged = number(first + second);
    // Of equal pairs the first counts.
    if (rules_.emplace(key(a, b), Rule{static_cast<std::uint32_t>(pairs_.size()), merged}).second)
      pairs_.emplace_back(first, second);
  }
}

std::uint32_t PairMerges::number(std::string_view symbol) {
  return numbers_.emplace(symbol, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

PairMerges PairMerges::load(const std::filesystem::path& path) {
  const MappedFile file(path);
  PairMerges read = parse(path.string(), {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  file.expect_unchanged();
  return read;
}

PairMerges PairMerges::parse(std::string_view where, std::string_view text) {
  Pairs pairs;
  for (Index line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty() || (line_number == 1 && line.starts_with(kVersion))) continue;
    const std::size_t blank = line.find(' ');
    const auto fail = [&](const auto&... what) { throw ModelFileError(cat(where, ":", line_number, ": ", what...)); };
    if (blank == line.npos || blank == 0 || line.find(' ', blank + 1) != line.npos) {
      fail("expected two symbols and a blank between them");
    }
    if (line.size() > Vocabulary::kLongestToken) fail("a merge of ", line.size(), " bytes");
    if (pairs.size() == kMost) fail("more than ", kMost, " merges");
    pairs.emplace_back(line.substr(0, blank), line.substr(blank + 1));
  }
  return PairMerges(pairs);
}

bool PairMerges::is_first_version(std::string_view text) { return !text.starts_with("#version: 0.2"); }

std::string PairMerges::file() const {
  std::string text = "#version: 0.2\n";
  for (const auto& [first, second] : pairs_) text += cat(first, ' ', second, '\n');
  return text;
}

void PairMerges::save(const std::filesystem::path& path) const {
  AtomicFile out(path);
  out.write(file());
  out.commit();
}

std::vector<PairMerges::Merged> PairMerges::apply(std::span<const std::string> symbols) const {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<Link> links;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto found = numbers_.find(symbols[i]);
    links.push_back({found == numbers_.end() ? kNoSymbol : found->second, i + 1, i == 0 ? kNone : i - 1,
                     i + 1 == symbols.size() ? kNone : i + 1});
  }
  // rank, place of the first symbol, number of the merged symbol; and where the second one ends, to notice old entries
  using Candidate = std::tuple<std::uint32_t, std::size_t, std::uint32_t, std::size_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto consider = [&](std::size_t at) {
    if (at == kNone || links[at].next == kNone) return;
    const Link& second = links[links[at].next];
    const auto rule = rules_.find(key(links[at].symbol, second.symbol));
    if (rule != rules_.end()) queue.emplace(rule->second.rank, at, rule->second.merged, second.end);
  };
  for (std::size_t i = 0; i < links.size(); ++i) consider(i);
  while (!queue.empty()) {
    const auto [rank, at, merged, end] = queue.top();
    queue.pop();
    Link& first = links[at];
    if (first.gone || first.next == kNone || links[first.next].end != end) continue;
    Link& second = links[first.next];
    const auto rule = rules_.find(key(first.symbol, second.symbol));
    if (rule == rules_.end() || rule->second.rank != rank) continue;
    second.gone = true;
    first.symbol = merged;
    first.end = second.end;
    first.next = second.next;
    if (first.next != kNone) links[first.next].last = at;
    consider(at);
    consider(first.last);
  }
  std::vector<Merged> result;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!links[i].gone) result.push_back({i, links[i].end});
  }
  return result;
}

std::filesystem::path merges_path(const std::filesystem::path& folder, std::string_view side) {
  return folder / (std::string(side) + ".merges");
}

}  // namespace dhyan
