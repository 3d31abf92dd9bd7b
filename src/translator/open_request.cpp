#include "translator/open_request.h"

#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

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

void expect_side_file(const std::string& file, std::string_view option, std::string_view content) {
  if (file.empty() || file == "-" || !is_missing_file(file)) return;
  throw IoError(cat(file, ": cannot open: No such file or directory; ", option, " takes a FILE with ", content));
}

bool is_missing_file(const std::string& name) {
  std::error_code failed;
  return std::filesystem::status(name, failed).type() == std::filesystem::file_type::not_found ||
         failed == std::errc::filename_too_long;
}

}  // namespace dhyan
