#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/choice_option.h"
#include "cli/data.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

constexpr std::array kOnTooLong{Choice{"drop", OnTooLong::kDrop}, Choice{"cut", OnTooLong::kCut}};

template <class Choices>
auto chosen(const Choices& choices, const std::string& name) {
  for (const auto& choice : choices) {
    if (choice.name == name) return choice.value;
  }
  throw UsageError(cat("data: there is no choice '", name, "'"));
}

// Reads corpora in sequence, with a progress bar.
class InputPairs final : public PairSource {
 public:
  explicit InputPairs(std::vector<std::unique_ptr<PairSource>> corpora) : corpora_(std::move(corpora)) {}

  bool next(SentencePair& pair) override {
    constexpr std::uint64_t kBetweenUpdates = 256;
    if (count_++ % kBetweenUpdates == 0) show();
    for (; at_ < corpora_.size(); ++at_) {
      if (!corpora_[at_]->next(pair)) continue;
      pair.corpus = static_cast<std::uint32_t>(at_);
      return true;
    }
    bar_.reset();
    return false;
  }

  bool has_targets() const override { return corpora_.front()->has_targets(); }

  ReadReport report() const override {
    ReadReport sum;
    for (const auto& corpus : corpora_) sum += corpus->report();
    return sum;
  }

 private:
  void show() {
    throw_if_interrupted();
    const ReadReport so_far = report();
    if (bar_) bar_->update(count_, estimated_total(count_, so_far.bytes, so_far.bytes_in_all), "sentences");
  }

  std::vector<std::unique_ptr<PairSource>> corpora_;
  std::size_t at_ = 0;
  std::uint64_t count_ = 0;
  std::optional<ProgressBar> bar_{"reading"};  // removed with the last pair
};

}  // namespace

void add_input_options(CLI::App& command, InputOptions& options) {
  command
      .add_option("files", options.files,
                  "Corpora: two parallel files, a TSV, a TMX or a plain text file each; .gz and .zst are decompressed, "
                  "- is standard input")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--format", options.format, "Format of the files; auto detects it from their names and first bytes")
      ->check(one_of(kCorpusFormats))
      ->capture_default_str();
  command
      .add_option("--on-bad-utf8", options.on_bad_utf8,
                  "What to do with a line that is not valid UTF-8; skip drops its pair")
      ->check(one_of(kOnBadUtf8))
      ->capture_default_str();
  command
      .add_option("--on-bad-lines", options.on_bad_lines,
                  "What to do with a TSV line that does not have exactly one tab")
      ->check(one_of(kOnBadColumns))
      ->capture_default_str();
  command.add_option("--source-lang", options.source_language, "Source language in TMX files, such as hi")
      ->type_name("CODE");
  command.add_option("--target-lang", options.target_language, "Target language in TMX files, such as en")
      ->type_name("CODE");
}

std::vector<CorpusSpec> corpora_of(const InputOptions& options) {
  return group_files(options.files, chosen(kCorpusFormats, options.format));
}

std::unique_ptr<PairSource> open_inputs(const InputOptions& options) {
  const ReadOptions reading{.on_bad_utf8 = chosen(kOnBadUtf8, options.on_bad_utf8),
                            .on_bad_columns = chosen(kOnBadColumns, options.on_bad_lines),
                            .source_language = options.source_language,
                            .target_language = options.target_language,
                            .poll = throw_if_interrupted};
  if (std::ranges::count(options.files, "-") > 1) throw UsageError("data: standard input can be read only once");
  std::vector<std::unique_ptr<PairSource>> opened;
  for (const CorpusSpec& corpus : corpora_of(options)) {
    opened.push_back(open_pairs(corpus, reading));
    if (opened.back()->has_targets() != opened.front()->has_targets()) {
      throw UsageError(cat("data: '", corpus.files.front(), "' and '", options.files.front(),
                           "' do not go together: one is plain text, the other has translations"));
    }
  }
  return std::make_unique<InputPairs>(std::move(opened));
}

void add_filter_options(CLI::App& command, FilterOptions& options) {
  command.add_option("--max-words", options.max_words, "Longest sentence, in words")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--max-characters", options.max_characters, "Longest sentence, in characters")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--too-long", [&options](const std::string& word) { options.on_too_long = chosen(kOnTooLong, word); },
          "Drop sentences that are too long, or cut them after a word")
      ->check(one_of(kOnTooLong))
      ->default_str("drop");
  command
      .add_option("--max-ratio", options.max_ratio, "Largest ratio between the lengths of the two sides, in characters")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  std::string names;
  for (const Filter& filter : filters()) {
    names += cat("\n  ", filter.name, ": ", filter.description, filter.on_by_default ? "" : " (off by default)");
  }
  command.add_option("--filter", options.with, "Filter to apply in addition to the default ones:" + names)
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("--no-filter", options.without, "Filter to turn off")->type_name("NAME")->allow_extra_args(false);
}

std::string skipped(const ReadReport& report, const InputOptions& options) {
  std::string text;
  const auto line = [&text](std::uint64_t count, const std::string& what) {
    if (count > 0) text += cat(what, ": ", grouped(count), '\n');
  };
  line(report.bad_utf8,
       options.on_bad_utf8 == "skip" ? "pairs skipped, not UTF-8" : "lines repaired that were not UTF-8");
  line(report.bad_columns, "lines skipped, not exactly one tab");
  line(report.other_language, "units skipped, without both languages");
  return text;
}

void expect_other_files(const std::string& command, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  namespace fs = std::filesystem;
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code none;
    const fs::path first = fs::weakly_canonical(a, none), second = fs::weakly_canonical(b, none);
    return (!first.empty() && first == second) || fs::equivalent(a, b, none);  // empty: the path cannot be resolved
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& input : inputs) {
      if (input != "-" && same(outputs[i], input)) {
        throw UsageError(cat(command, ": '", outputs[i], "' is an input; write to another file"));
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (same(outputs[i], outputs[j])) throw UsageError(cat(command, ": '", outputs[i], "' is an output twice"));
    }
  }
}

}  // namespace dhyan::cli
