#include "cli/search_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/table_option.h"
#include "cli/text_input.h"
#include "text/unicode.h"
#include "translator/search_option_table.h"

namespace dhyan::cli {

namespace {

// Tells the parser which of the options that the command has need or exclude each other.
void connect_search_options(CLI::App& command) {
  for (const SearchOption& option : search_option_table()) {
    CLI::Option* added = command.get_option_no_throw("--" + option.name);
    if (added == nullptr) continue;
    if (CLI::Option* needed = command.get_option_no_throw("--" + option.needs)) added->needs(needed);
    if (CLI::Option* excluded = command.get_option_no_throw("--" + option.excludes)) added->excludes(excluded);
  }
}

std::vector<std::string> lines_in(const std::string& file) {
  std::vector<std::string> lines;
  LineReader reader(file, {});
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

void expect_side_files(const SearchRequest& request) {
  expect_side_file(request.forbidden_file, "--forbid-file", "one phrase per line; --forbid takes a phrase");
  expect_side_file(request.prefix_file, "--prefix", "one prefix per line");
  expect_side_file(request.required_file, "--require", "the phrases of one input line per line, separated by tabs");
  expect_side_file(request.shortlist_file, "--shortlist", "target word, source word and probability in each line");
  expect_side_file(request.dictionary_file, "--replace-unk-dictionary", "word, tab and translation in each line");
}

std::unique_ptr<LineReader> reader_of(const std::string& file) {
  return file.empty() ? nullptr : std::make_unique<LineReader>(file, ReadOptions{});
}

}  // namespace

void add_search_options(CLI::App& command, std::string_view group, SearchRequest& request) {
  for (const SearchOption& option : search_option_table()) {
    if (option.group == group) add_table_option(command, option, request)->group(option.group);
  }
  connect_search_options(command);
}

CLI::Option* add_search_option(CLI::App& command, std::string_view name, SearchRequest& request) {
  const auto option = std::ranges::find(search_option_table(), name, [](const auto& row) { return row.name; });
  return add_table_option(command, *option, request);
}

std::vector<std::string> files_of(const SearchRequest& request) {
  std::vector<std::string> files{request.forbidden_file, request.prefix_file, request.required_file,
                                 request.shortlist_file, request.dictionary_file};
  std::erase(files, "");
  return files;
}

OpenedRequest open_request(const SearchRequest& request, const SearchOptions& search, const TokenizerPair& tokenizers) {
  expect_side_files(request);
  for (const std::string& phrase : request.forbidden) require_utf8(phrase, "translate: --forbid");
  OpenedRequest opened;
  TranslationOptions& translation = opened.translation = translation_options(request, search);
  if (!request.forbidden_file.empty()) {
    const std::vector<std::string> more = lines_in(request.forbidden_file);
    translation.forbidden.insert(translation.forbidden.end(), more.begin(), more.end());
  }
  opened.prefixes = reader_of(request.prefix_file);
  opened.required = reader_of(request.required_file);
  if (!request.shortlist_file.empty()) {
    LineReader lexicon(request.shortlist_file, {});
    opened.shortlist = std::make_unique<Shortlist>(lexicon, tokenizers, request.shortlist);
    translation.shortlist = opened.shortlist.get();
  }
  if (translation.unknown && !request.dictionary_file.empty()) {
    translation.unknown->dictionary = read_dictionary(request.dictionary_file);
  }
  return opened;
}

void add_precision_option(CLI::App& command, Precision& precision) {
  command.add_flag_callback(
      "--amx", [&precision] { precision = Precision::kSplitBfloat16; },
      "Multiply float32 weights by AMX tiles, each number as the sum of three bfloat16: faster for long texts, slower "
      "to start; the last bits of scores change. No effect on machines without AMX and for int8 weights");
}

void add_threads_option(CLI::App& command, int& threads) {
  threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command.add_option("--threads", threads, "Number of threads; it does not change the result")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

}  // namespace dhyan::cli
