#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/data.h"
#include "cli/progress_bar.h"
#include "cli/table.h"
#include "cli/tokenizer_option.h"
#include "core/error.h"
#include "core/number_text.h"
#include "data/build_cache.h"
#include "data/statistics.h"

namespace dhyan::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  InputOptions inputs;
  FilterOptions filters;
  std::string model;  // whose tokenizers to report on; empty: none
  bool json = false;
};

struct Checked {
  CorpusStatistics statistics;
  ReadReport reading;
  bool two_sided;
  PairFilter filter;
  std::optional<UnknownTexts> unknown = {};  // text outside the vocabularies of a model
};

Checked check(const CheckOptions& options) {
  const auto pairs = open_inputs(options.inputs);
  Checked checked{{}, {}, pairs->has_targets(), PairFilter(options.filters, pairs->has_targets())};
  TokenizerPair tokenizers;
  if (!options.model.empty()) {
    tokenizers = tokenizers_of_model(options.model);
    checked.unknown.emplace();
  }
  filter_pairs(*pairs, checked.filter, [&](const SentencePair& pair, const Verdict& verdict) {
    checked.statistics.add(verdict);
    if (!checked.unknown) return;
    checked.unknown->source.add(*tokenizers.source, pair.source, tokenizers.source->encode(pair.source));
    if (!checked.two_sided) return;
    checked.unknown->target.add(*tokenizers.target, pair.target, tokenizers.target->encode(pair.target));
  });
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

Json json_of(const std::vector<UnknownText::Entry>& entries) {
  Json list = Json::array();
  for (const auto& [text, count] : entries) list.push_back({{"text", text}, {"count", count}});
  return list;
}

Json json_of(const UnknownText& unknown) {
  return {{"tokens", unknown.tokens()},
          {"unknown_tokens", unknown.unknown_tokens()},
          {"unknown", json_of(unknown.unknown())},
          {"byte_tokens", unknown.byte_tokens()},
          {"spelled_in_bytes", json_of(unknown.spelled())}};
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
  if (checked.unknown) {
    all["source"]["tokenizer"] = json_of(checked.unknown->source);
    if (checked.two_sided) all["target"]["tokenizer"] = json_of(checked.unknown->target);
  }
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

std::string mean(std::uint64_t sum, std::uint64_t count) {
  return fixed(count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count), 1);
}

std::string sides(const Checked& checked) {
  const auto& [pairs, source, target] = checked.statistics;
  std::string text;
  const auto line = [&](const std::string& label, const auto& of_source, const auto& of_target) {
    text += cat(checked.two_sided ? row(label, of_source, of_target) : row(label, of_source), '\n');
  };
  line("", checked.two_sided ? "source" : "text", "target");
  line("words", grouped(source.words), grouped(target.words));
  line("characters", grouped(source.characters), grouped(target.characters));
  line("words per sentence", mean(source.words, pairs), mean(target.words, pairs));
  line("longest, in words", source.longest, target.longest);
  line("script", script_name(checked.filter.source_script()), script_name(checked.filter.target_script()));
  if (!checked.unknown) return text;
  const auto& [of_source, of_target] = *checked.unknown;
  line("tokens", grouped(of_source.tokens()), grouped(of_target.tokens()));
  line("  of these <unk>", grouped(of_source.unknown_tokens()), grouped(of_target.unknown_tokens()));
  line("  of these bytes", grouped(of_source.byte_tokens()), grouped(of_target.byte_tokens()));
  text += cat(checked.two_sided ? "source: " : "", describe(of_source), '\n');
  if (checked.two_sided) text += cat("target: ", describe(of_target), '\n');
  return text;
}

std::string histogram(const SideStatistics& side) {
  constexpr std::uint64_t kBar = 40;
  const std::uint64_t most = std::max<std::uint64_t>(1, std::ranges::max(side.histogram));
  std::size_t shown = side.histogram.size();
  while (shown > 1 && side.histogram[shown - 1] == 0) --shown;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const Range range = range_of(i);
    // Rounded up, so that every bucket with sentences has a bar.
    const std::uint64_t bar = (side.histogram[i] * kBar + most - 1) / most;
    const std::string drawn(static_cast<std::size_t>(bar), '#');
    text += cat(row("  " + range_label(range.from, range.to), grouped(side.histogram[i])), bar > 0 ? "  " : "", drawn,
                '\n');
  }
  return text;
}

std::string filter_table(const PairFilter& filter) {
  std::string text = cat(row("filter", "matches", "would drop"), '\n');
  for (const Filter& one : filters()) {
    const FilterCount& count = filter.count(one);
    const std::string dropped = filter.is_on(one) ? grouped(count.dropped) : "off";
    text += cat(row(cat("  ", one.name), grouped(count.matched), dropped), "  ", one.description, '\n');
  }
  const auto line = [&](const std::string& label, std::uint64_t part) {
    text += cat(row(label, grouped(part), mean(100 * part, filter.judged()) + "%"), '\n');
  };
  line("would be kept", filter.kept());
  if (filter.cut() > 0) line("  of these, cut", filter.cut());
  return text;
}

std::string as_table(const Checked& checked, const CheckOptions& options) {
  std::string text = cat(row("lines", grouped(checked.reading.lines)), '\n', skipped(checked.reading, options.inputs),
                         row(checked.two_sided ? "pairs" : "sentences", grouped(checked.statistics.pairs)), "\n\n",
                         sides(checked), '\n');
  if (checked.two_sided) {
    text += cat("source sentences by words\n", histogram(checked.statistics.source), "\ntarget sentences by words\n",
                histogram(checked.statistics.target));
  } else {
    text += cat("sentences by words\n", histogram(checked.statistics.source));
  }
  return cat(text, '\n', filter_table(checked.filter));
}

Runner add_check_options(CLI::App& command) {
  const auto options = std::make_shared<CheckOptions>();
  add_input_options(command, options->inputs);
  add_filter_options(command, options->filters);
  command
      .add_option("-m,--model", options->model,
                  "Folder of a model: report how many tokens its tokenizers make of the text, and which characters or "
                  "words become <unk> or are spelled in bytes")
      ->type_name("DIR");
  command.add_flag("--json", options->json, "Print JSON");
  return [options](Output& output) {
    const Checked checked = check(*options);
    output.write(options->json ? as_json(checked, *options) : as_table(checked, *options));
  };
}

}  // namespace

Command data_check_command() {
  return {
      "check",
      "Report what a corpus contains, and what data clean would drop",
      {"dhyan data check train.hi train.en", "dhyan data check web.tsv.gz --json",
       "zcat web.tsv.gz | dhyan data check - --on-bad-utf8 skip",
       "dhyan data check memory.tmx --source-lang hi --target-lang en", "dhyan data check test.hi test.en -m model/"},
      add_check_options,
      {"--model", "--json", "--max-words", "--max-ratio", "--filter", "--no-filter", "--on-bad-utf8", "--on-bad-lines",
       "--help", "--help-all"}};
}

}  // namespace dhyan::cli
