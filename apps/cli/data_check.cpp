#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/data.h"
#include "cli/progress_bar.h"
#include "core/error.h"
#include "data/statistics.h"

namespace dhyan::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  InputOptions inputs;
  FilterOptions filters;
  bool json = false;
};

struct Checked {
  CorpusStatistics statistics;
  ReadReport reading;
  bool two_sided;
  PairFilter filter;
};

Checked check(const CheckOptions& options) {
  const auto pairs = open_inputs(options.inputs);
  Checked checked{{}, {}, pairs->has_targets(), PairFilter(options.filters, pairs->has_targets())};
  filter_pairs(*pairs, checked.filter,
               [&](const SentencePair&, const Verdict& verdict) { checked.statistics.add(verdict); });
  checked.reading = pairs->report();
  return checked;
}

struct Range {
  Index from, to;  // words; to < 0: without end
};

Range range_of(std::size_t bucket) {
  constexpr auto& kBounds = SideStatistics::kBounds;
  const Index from = bucket == 0 ? 0 : kBounds[bucket - 1] + 1;
  return {from, bucket < kBounds.size() ? kBounds[bucket] : -1};
}

Json json_of(const SideStatistics& side, Script script) {
  Json histogram = Json::array();
  for (std::size_t i = 0; i < side.histogram.size(); ++i) {
    const Range range = range_of(i);
    histogram.push_back(
        {{"from", range.from}, {"to", range.to < 0 ? Json() : Json(range.to)}, {"sentences", side.histogram[i]}});
  }
  return {{"words", side.words},
          {"characters", side.characters},
          {"longest", side.longest},
          {"script", script_name(script)},
          {"histogram", histogram}};
}

std::string as_json(const Checked& checked, const CheckOptions& options) {
  const PairFilter& filter = checked.filter;
  Json all{{"files", options.inputs.files},
           {"lines", checked.reading.lines},
           {"pairs", checked.statistics.pairs},
           {"bad_utf8", checked.reading.bad_utf8},
           {"bad_lines", checked.reading.bad_columns},
           {"without_both_languages", checked.reading.other_language},
           {"source", json_of(checked.statistics.source, filter.source_script())}};
  if (checked.two_sided) all["target"] = json_of(checked.statistics.target, filter.target_script());
  all["filters"] = Json::array();
  for (const Filter& one : filters()) {
    all["filters"].push_back({{"name", one.name},
                              {"on", filter.is_on(one)},
                              {"matched", filter.count(one).matched},
                              {"dropped", filter.count(one).dropped}});
  }
  all["kept"] = filter.kept();
  all["cut"] = filter.cut();
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A column of labels, then numbers to the right.
class Table {
 public:
  template <class... Cells>
  void row(const std::string& label, const Cells&... cells) {
    out_ << std::left << std::setw(18) << label << std::right;
    ((out_ << std::setw(14) << cells), ...);
    out_ << '\n';
  }
  std::ostringstream& out() { return out_; }

 private:
  std::ostringstream out_;
};

std::string mean(std::uint64_t sum, std::uint64_t count) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1)
       << (count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count));
  return std::move(text).str();
}

void add_sides(Table& table, const Checked& checked) {
  const auto& [pairs, source, target] = checked.statistics;
  const bool two = checked.two_sided;
  const auto row = [&](const std::string& label, const auto& of_source, const auto& of_target) {
    two ? table.row(label, of_source, of_target) : table.row(label, of_source);
  };
  row("", two ? "source" : "text", "target");
  row("words", grouped(source.words), grouped(target.words));
  row("characters", grouped(source.characters), grouped(target.characters));
  row("words a sentence", mean(source.words, pairs), mean(target.words, pairs));
  row("longest, in words", grouped(static_cast<std::uint64_t>(source.longest)),
      grouped(static_cast<std::uint64_t>(target.longest)));
  row("script", script_name(checked.filter.source_script()), script_name(checked.filter.target_script()));
}

void add_histogram(Table& table, const std::string& title, const SideStatistics& side) {
  constexpr std::uint64_t kBar = 40;
  table.out() << '\n' << title << '\n';
  const std::uint64_t most = std::max<std::uint64_t>(1, std::ranges::max(side.histogram));
  for (std::size_t i = 0; i < side.histogram.size(); ++i) {
    const Range range = range_of(i);
    const std::string label = range.to < 0             ? cat("over ", range.from - 1)
                              : range.from == range.to ? cat(range.from)
                                                       : cat(range.from, " to ", range.to);
    // A bar for every sentence length that occurs at all.
    const std::uint64_t bar = (side.histogram[i] * kBar + most - 1) / most;
    const std::string drawn(static_cast<std::size_t>(bar), '#');
    table.row("  " + label, grouped(side.histogram[i]), bar == 0 ? "" : "  " + drawn);
  }
}

void add_filters(Table& table, const PairFilter& filter) {
  table.out() << '\n';
  table.row("filter", "matches", "would drop");
  for (const Filter& one : filters()) {
    const FilterCount& count = filter.count(one);
    const std::string dropped = filter.is_on(one) ? grouped(count.dropped) : "off";
    table.row("  " + std::string(one.name), grouped(count.matched), dropped, "  " + std::string(one.description));
  }
  const auto percent = [&](std::uint64_t part) { return mean(100 * part, filter.judged()) + "%"; };
  table.row("would be kept", grouped(filter.kept()), percent(filter.kept()));
  if (filter.cut() > 0) table.row("  of these, cut", grouped(filter.cut()), percent(filter.cut()));
}

std::string as_table(const Checked& checked, const CheckOptions& options) {
  Table table;
  table.row("lines", grouped(checked.reading.lines));
  table.out() << skipped(checked.reading, options.inputs);
  table.row(checked.two_sided ? "pairs" : "sentences", grouped(checked.statistics.pairs));
  table.out() << '\n';
  add_sides(table, checked);
  add_histogram(table, checked.two_sided ? "source sentences by words" : "sentences by words",
                checked.statistics.source);
  if (checked.two_sided) add_histogram(table, "target sentences by words", checked.statistics.target);
  add_filters(table, checked.filter);
  return std::move(table.out()).str();
}

Runner add_options(CLI::App& command) {
  const auto options = std::make_shared<CheckOptions>();
  add_input_options(command, options->inputs);
  add_filter_options(command, options->filters);
  command.add_flag("--json", options->json, "Print JSON");
  return [options](Output& output) {
    const Checked checked = check(*options);
    output.write(options->json ? as_json(checked, *options) : as_table(checked, *options));
  };
}

}  // namespace

Command data_check_command() {
  return {"check",
          "Report what is in a corpus, and what cleaning would drop",
          {"dhyan data check train.hi train.en", "dhyan data check web.tsv.gz --json",
           "zcat web.tsv.gz | dhyan data check - --on-bad-utf8 skip",
           "dhyan data check memory.tmx --source-lang hi --target-lang en"},
          add_options};
}

}  // namespace dhyan::cli
