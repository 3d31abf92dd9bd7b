#include "cli/search_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/choice_option.h"
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
             "What --length-penalty is the power of: plain, the length; wu, (5 + length) / 6")
      ->default_str("plain");
  command
      .add_option(
          "--coverage-penalty", options.coverage_penalty,
          "Rank lower what has looked little at some source words, by X times log of the attention each received, "
          "up to 1; for models with cross-attention")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str();
}

void add_ending_options(CLI::App& command, SearchOptions& options) {
  add_choice(
      command, "--early-stopping", kStoppings, options.stopping,
      "When to end a search that has found as many translations as the beam is wide: full, at once; likely, when "
      "no other would be better if it ended now; certain, when none can become better")
      ->default_str("likely");
  command
      .add_option("--patience", options.patience,
                  "Search on until X times as many translations as the beam is wide were found")
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
                  "Longest translation as so many times its source, and ten tokens more; --min-length goes before it")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str();
}

void add_sampling_options(CLI::App& command, WordOptions& options) {
  CLI::Option* sampling = command.add_flag(
      "--sampling", options.sampling,
      "Draw translations by chance instead of searching for the best; --n-best N draws N of each line");
  for (const char* of_search : {"--beam-size", "--coverage-penalty", "--early-stopping", "--patience",
                                "--diverse-groups", "--diversity-penalty"}) {
    sampling->excludes(command.get_option(of_search));
  }
  command
      .add_option("--temperature", options.draw.temperature,
                  "Below 1 the likely becomes likelier, above 1 less so; 0 takes the likeliest word every time")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str()
      ->needs(sampling);
  command.add_option("--top-k", options.draw.top_k, "Draw from so many of the likeliest tokens; 0: from all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(sampling);
  command
      .add_option("--top-p", options.draw.top_p, "Draw from the likeliest tokens that together have this probability")
      ->type_name("P")
      ->capture_default_str()
      ->needs(sampling);
  command
      .add_option("--seed", options.seed,
                  "Another seed, other translations; a line's depend on the seed and its number alone")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(sampling);
}

void add_shortlist_options(CLI::App& command, WordOptions& options) {
  CLI::Option* shortlist =
      command.add_option("--shortlist", options.shortlist_file,
                         "Use only words that translate those of the line, and frequent ones. A lexicon as Marian's "
                         "lex.s2t: target word, source word, probability in each line, in the words or subwords of "
                         "the model");
  shortlist->type_name("FILE");
  command
      .add_option("--shortlist-first", options.shortlist.first, "The first N words of the vocabulary are always there")
      ->type_name("N")
      ->check(kWords)
      ->capture_default_str()
      ->needs(shortlist);
  command.add_option("--shortlist-best", options.shortlist.best, "And the N best translations of each source word")
      ->type_name("N")
      ->check(kWords)
      ->capture_default_str()
      ->needs(shortlist);
}

void add_unknown_options(CLI::App& command, WordOptions& options) {
  CLI::Option* replace = command.add_flag("--replace-unk", options.replace_unknown,
                                          "Put the source word that was looked at most in the place of <unk>");
  add_number_or_all(command, "--replace-unk-layer", options.unknown_layer,
                    "Whose attention says so, the mean over its heads; by default the mean of all layers")
      ->needs(replace);
  command
      .add_option("--replace-unk-dictionary", options.dictionary_file,
                  "Put what this has for the source word, if anything: word, tab, translation in each line")
      ->type_name("FILE")
      ->needs(replace);
}

std::vector<std::string> lines_in(const std::string& file) {
  std::vector<std::string> lines;
  LineReader reader(file, {});
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
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
  CLI::Option* groups = command.add_option(
      "--diverse-groups", options.groups,
      "Cut the beam into N groups, each of which steers clear of the words those before it have just taken");
  groups->type_name("N")->check(CLI::Range(1, 1000))->capture_default_str();
  command
      .add_option("--diversity-penalty", options.diversity,
                  "What a word costs for each group that has taken it, of log p")
      ->type_name("X")
      ->check(kFactor)
      ->capture_default_str()
      ->needs(groups);
  command
      .add_option("--no-repeat-ngram-size", options.no_repeat_ngram,
                  "No N tokens in a row come twice in a translation; 0: they may")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
}

void add_word_options(CLI::App& command, WordOptions& options) {
  command
      .add_option("--forbid", options.forbidden,
                  "A word or phrase that no translation has, as the tokenizer cuts it; may be given several times")
      ->type_name("PHRASE")
      ->allow_extra_args(false);
  command.add_option("--forbid-file", options.forbidden_file, "Such phrases, one a line")->type_name("FILE");
  command
      .add_option("--prefix", options.prefix_file,
                  "What translations begin with: a file with a line, perhaps an empty one, for each line of the input")
      ->type_name("FILE");
  command
      .add_option(
          "--require", options.required_file,
          "What translations must have: a file with a line for each line of the input, of phrases with tabs "
          "between; a beam of more than all their tokens finds better places for them. Phrases too long for the "
          "longest translation are left out with a warning")
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

void add_threads_option(CLI::App& command, int& threads) {
  threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command.add_option("--threads", threads, "Threads to translate on; they do not change the result")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

}  // namespace dhyan::cli
