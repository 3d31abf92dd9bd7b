#include "cli/search_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/choice_option.h"
#include "cli/text_input.h"
#include "text/unicode.h"

namespace dhyan::cli {

namespace {

const CLI::Range kFactor(0.0, 100.0);
const CLI::Range kTokens(1, 1 << 20);
const CLI::Range kWords(0, 1 << 30);

void add_ranking_options(CLI::App& command, SearchOptions& options) {
  command
      .add_option("--length-penalty,--normalize", options.length_penalty,
                  "Rank by log p / length^X; 0 ranks by log p, which favours short translations")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str();
  add_choice(command, "--length-norm", kLengthNorms, options.length_norm,
             "Length that --length-penalty is applied to: plain, the number of tokens; wu, (5 + tokens) / 6")
      ->default_str("plain");
  command
      .add_option("--coverage-penalty", options.coverage_penalty,
                  "Penalise source words that received little attention: adds X times the log of the attention each "
                  "received, at most 1; needs a model with cross-attention")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str();
}

void add_ending_options(CLI::App& command, SearchOptions& options) {
  add_choice(command, "--early-stopping", kStoppings, options.stopping,
             "When the search may end after it has found --beam-size translations: full, at once; likely, if no open "
             "hypothesis scores better now; certain, if none can score better later")
      ->default_str("likely");
  command
      .add_option("--patience", options.patience,
                  "Continue the search until it has found X times --beam-size translations")
      ->type_name("X")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  command.add_option("--min-length", options.min_length, "Shortest translation, in tokens")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str();
  command.add_option("--max-length", options.max_length, "Longest translation, in tokens")
      ->check(kTokens)
      ->capture_default_str();
  command
      .add_option("--max-length-factor", options.max_length_ratio,
                  "Longest translation as a multiple of the source length, plus ten tokens; --min-length has priority")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str();
}

void add_sampling_options(CLI::App& command, WordOptions& options) {
  CLI::Option* sampling =
      command.add_flag("--sampling", options.sampling,
                       "Sample translations instead of searching for the best; --n-best N draws N for each line and "
                       "sorts them by score. Single bytes (byte fallback) are never drawn");
  for (const char* of_search : {"--beam-size", "--coverage-penalty", "--early-stopping", "--patience",
                                "--diverse-groups", "--diversity-penalty"}) {
    sampling->excludes(command.get_option(of_search));
  }
  command
      .add_option("--temperature", options.draw.temperature,
                  "Sampling temperature: below 1 prefers likely tokens, above 1 flattens the distribution; 0 always "
                  "takes the likeliest")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str()
      ->needs(sampling);
  command.add_option("--top-k", options.draw.top_k, "Sample from the N likeliest tokens only; 0: from all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(sampling);
  command
      .add_option("--top-p", options.draw.top_p,
                  "Sample from the smallest set of likeliest tokens whose probabilities sum to P")
      ->type_name("P")
      ->capture_default_str()
      ->needs(sampling);
  command
      .add_option("--seed", options.seed,
                  "Random seed; a translation depends on the seed and on the number of its line only")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(sampling);
}

void add_shortlist_options(CLI::App& command, WordOptions& options) {
  CLI::Option* shortlist = command.add_option(
      "--shortlist", options.shortlist_file,
      "Restrict the output vocabulary to frequent words and to translations of the source words, from a lexicon like "
      "Marian's lex.s2t: target word, source word and probability in each line, in the tokens of the model");
  shortlist->type_name("FILE");
  command.add_option("--shortlist-first", options.shortlist.first, "Always allow the first N words of the vocabulary")
      ->type_name("N")
      ->check(kWords)
      ->capture_default_str()
      ->needs(shortlist);
  command.add_option("--shortlist-best", options.shortlist.best, "Allow the N best translations of each source word")
      ->type_name("N")
      ->check(kWords)
      ->capture_default_str()
      ->needs(shortlist);
}

void add_unknown_options(CLI::App& command, WordOptions& options) {
  CLI::Option* replace = command.add_flag("--replace-unk", options.replace_unknown,
                                          "Let the model write <unk>, and replace it by the source word that received "
                                          "the most attention");
  add_number_or_all(command, "--replace-unk-layer", options.unknown_layer,
                    "Decoder layer whose attention decides, averaged over its heads (default: the mean of all layers)")
      ->needs(replace);
  command
      .add_option(
          "--replace-unk-dictionary", options.dictionary_file,
          "Translate that source word by this dictionary if it has the word: word, tab and translation in each line")
      ->type_name("FILE")
      ->needs(replace);
}

std::vector<std::string> lines_in(const std::string& file) {
  std::vector<std::string> lines;
  LineReader reader(file, {});
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

void expect_side_files(const WordOptions& options) {
  expect_side_file(options.forbidden_file, "--forbid-file", "one phrase per line; --forbid takes a phrase");
  expect_side_file(options.prefix_file, "--prefix", "one prefix per line");
  expect_side_file(options.required_file, "--require", "the phrases of one input line per line, separated by tabs");
  expect_side_file(options.shortlist_file, "--shortlist", "target word, source word and probability in each line");
  expect_side_file(options.dictionary_file, "--replace-unk-dictionary", "word, tab and translation in each line");
}

std::unique_ptr<LineReader> reader_of(const std::string& file) {
  return file.empty() ? nullptr : std::make_unique<LineReader>(file, ReadOptions{});
}

}  // namespace

void add_search_options(CLI::App& command, SearchOptions& options) {
  command.add_option("-b,--beam-size", options.beam_size, "Hypotheses kept at every step; 1 is greedy search")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add_ranking_options(command, options);
  add_ending_options(command, options);
  CLI::Option* groups = command.add_option("--diverse-groups", options.groups,
                                           "Diverse beam search: split the beam into N groups; each group avoids the "
                                           "words that earlier groups have just chosen");
  groups->type_name("N")->check(CLI::Range(1, 1000))->capture_default_str();
  command
      .add_option("--diversity-penalty", options.diversity,
                  "Diverse beam search: penalty on log p for each earlier group that chose the same word")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str()
      ->needs(groups);
  command
      .add_option("--no-repeat-ngram-size", options.no_repeat_ngram,
                  "Never repeat a sequence of N tokens within a translation; 0: allow it")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  add_allow_unknown_option(command, options.allow_unknown);
}

void add_allow_unknown_option(CLI::App& command, bool& allow) {
  command.add_flag("--allow-unk", allow, "Let the model write <unk>; by default the next best word comes in its place");
}

void add_word_options(CLI::App& command, WordOptions& options) {
  command
      .add_option("--forbid", options.forbidden,
                  "Word or phrase that must not occur in translations; can be given several times")
      ->type_name("PHRASE")
      ->allow_extra_args(false);
  command.add_option("--forbid-file", options.forbidden_file, "File of such phrases, one per line")->type_name("FILE");
  CLI::Option* prefix = command.add_option(
      "--prefix", options.prefix_file,
      "File with the beginning of each translation, one line per input line; lines can be empty. The next word begins "
      "behind it; scripts without spaces between words can continue anywhere");
  prefix->type_name("FILE");
  command.add_flag("--prefix-open", options.prefix_open, "Allow the last word of a prefix to continue: good, goodbye")
      ->needs(prefix);
  command
      .add_option("--require", options.required_file,
                  "File with phrases that each translation must contain, one line per input line, separated by tabs. "
                  "Another word begins behind a phrase. A beam larger than the number of their tokens places them "
                  "better. Phrases "
                  "that do not fit the longest translation are dropped with a warning")
      ->type_name("FILE");
  add_shortlist_options(command, options);
  add_unknown_options(command, options);
  add_sampling_options(command, options);
}

std::vector<std::string> files_of(const WordOptions& options) {
  std::vector<std::string> files{options.forbidden_file, options.prefix_file, options.required_file,
                                 options.shortlist_file, options.dictionary_file};
  std::erase(files, "");
  return files;
}

OpenedWords open_words(const WordOptions& options, const SearchOptions& search, const TokenizerPair& tokenizers) {
  expect_side_files(options);
  OpenedWords opened;
  TranslationOptions& translation = opened.translation;
  translation.search = search;
  translation.seed = options.seed;
  for (const std::string& phrase : options.forbidden) require_utf8(phrase, "translate: --forbid");
  translation.forbidden = options.forbidden;
  if (!options.forbidden_file.empty()) {
    const std::vector<std::string> more = lines_in(options.forbidden_file);
    translation.forbidden.insert(translation.forbidden.end(), more.begin(), more.end());
  }
  translation.prefix_open = options.prefix_open;
  opened.prefixes = reader_of(options.prefix_file);
  opened.required = reader_of(options.required_file);
  if (!options.shortlist_file.empty()) {
    LineReader lexicon(options.shortlist_file, {});
    opened.shortlist = std::make_unique<Shortlist>(lexicon, tokenizers, options.shortlist);
    translation.shortlist = opened.shortlist.get();
  }
  if (options.sampling) {
    check(options.draw);
    translation.sampling = options.draw;
  }
  if (!options.replace_unknown) return opened;
  translation.unknown = UnknownReplacement{.layer = options.unknown_layer};
  if (!options.dictionary_file.empty()) translation.unknown->dictionary = read_dictionary(options.dictionary_file);
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
