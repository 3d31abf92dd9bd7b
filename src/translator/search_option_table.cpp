#include "translator/search_option_table.h"

#include <limits>

#include "config/option_kinds.h"

namespace dhyan {

namespace {

using namespace option_kinds;

constexpr auto search = [](auto member) { return path(&SearchRequest::search, member); };

constexpr Range<double> kFactor{0, 100};
constexpr Index kLongest = 1 << 20;      // tokens
constexpr Index kLargestList = 1 << 30;  // words of a shortlist
constexpr Index kLargestBeam = 1000;

SearchOption needing(std::string name, SearchOption option) {
  option.needs = std::move(name);
  return option;
}

SearchOption excluding(std::string name, SearchOption option) {
  option.excludes = std::move(name);
  return option;
}

SearchOption crossing(SearchOption option) {
  option.needs_cross_attention = true;
  return option;
}

SearchOption on_command_line(SearchOption option) {
  option.availability = Availability::kCommandLine;
  return option;
}

SearchOption file(std::string name, std::string help, std::string SearchRequest::*member) {
  return on_command_line(with_value("FILE", word(std::move(name), std::move(help), {}, path(member))));
}

// Rows of both tables.

template <class Path>
RowOf<Path> temperature_row(Path field) {
  return number(
      "temperature",
      "Sampling temperature: below 1 prefers likely tokens, above 1 flattens the distribution; 0 always takes "
      "the likeliest",
      kFactor, field);
}

template <class Path>
RowOf<Path> top_k_row(Path field) {
  return number("top-k", "Sample from the N likeliest tokens only; 0: from all", {0, std::numeric_limits<Index>::max()},
                field);
}

template <class Path>
RowOf<Path> top_p_row(Path field) {
  return with_value(
      "P",
      number("top-p", "Sample from the smallest set of likeliest tokens whose probabilities sum to P", {0, 1}, field));
}

template <class Path>
RowOf<Path> seed_row(Path field) {
  return number("seed", "Random seed; output N depends on the seed and on N only",
                {0, std::numeric_limits<std::uint64_t>::max()}, field);
}

template <class Path>
RowOf<Path> max_length_row(Path field) {
  return number("max-length", "Longest output, in tokens", {1, kLongest}, field);
}

template <class Path>
RowOf<Path> allow_unknown_row(Path field) {
  return toggle("allow-unk", "Let the model write <unk>; by default the next best word is used instead", field);
}

std::vector<SearchOption> beam_options() {
  return {
      excluding("sampling", also("-b", number("beam-size", "Hypotheses kept at every step; 1 is greedy search",
                                              {1, kLargestBeam}, search(&SearchOptions::beam_size)))),
      also("--normalize",
           number("length-penalty", "Score by log p / length^X; 0 scores by log p, which favours short translations",
                  kFactor, search(&SearchOptions::length_penalty))),
      choice("length-norm",
             "Length that --length-penalty is applied to: plain, the number of tokens; wu, (5 + tokens) / 6",
             kLengthNorms, search(&SearchOptions::length_norm)),
      crossing(excluding(
          "sampling",
          number("coverage-penalty",
                 "Penalise source words that received little attention: adds X times the log of the attention each "
                 "received, at most 1; needs a model with cross-attention",
                 kFactor, search(&SearchOptions::coverage_penalty)))),
      excluding("sampling",
                choice("early-stopping",
                       "When the search may end after it has found --beam-size translations: full, at once; likely, if "
                       "no open hypothesis scores better now; certain, if none can score better later",
                       kStoppings, search(&SearchOptions::stopping))),
      excluding("sampling",
                number("patience", "Continue the search until it has found X times --beam-size translations",
                       {0.01, 100}, search(&SearchOptions::patience))),
      excluding("sampling",
                toggle("beam-refill",
                       "A finished translation gives its place in the beam to the next best hypothesis at once, as in "
                       "CTranslate2 and Hugging Face; otherwise in the next step",
                       search(&SearchOptions::refill))),
      excluding("sampling",
                toggle("beam-narrowing",
                       "A finished translation takes its place in the beam along, as in Marian: the beam becomes "
                       "narrower, and the search ends with its last hypothesis; not with --beam-refill",
                       search(&SearchOptions::narrow))),
      number("min-length", "Shortest translation, in tokens", {0, kLongest}, search(&SearchOptions::min_length)),
      max_length_row(search(&SearchOptions::max_length)),
      number("max-length-factor",
             "Longest translation as a multiple of the source length, plus ten tokens; --min-length has priority",
             kFactor, search(&SearchOptions::max_length_ratio)),
      excluding("sampling",
                number("diverse-groups",
                       "Diverse beam search: split the beam into N groups; each group avoids the words that earlier "
                       "groups have just chosen",
                       {1, kLargestBeam}, search(&SearchOptions::groups))),
      needing("diverse-groups",
              excluding("sampling",
                        number("diversity-penalty",
                               "Diverse beam search: penalty on log p for each earlier group that chose the same word",
                               kFactor, search(&SearchOptions::diversity)))),
      number("no-repeat-ngram-size", "Never repeat a sequence of N tokens within a translation; 0: allow it", {0, 1000},
             search(&SearchOptions::no_repeat_ngram)),
      allow_unknown_row(search(&SearchOptions::allow_unknown)),
  };
}

std::vector<SearchOption> word_options() {
  return {
      with_value("PHRASE",
                 words("forbid", "Word or phrase that must not occur in translations; can be given several times", {},
                       path(&SearchRequest::forbidden))),
      file("forbid-file", "File of such phrases, one per line", &SearchRequest::forbidden_file),
      file("prefix",
           "File with the beginning of each translation, one line per input line; lines can be empty. A new word "
           "begins after it; scripts without spaces between words can continue anywhere",
           &SearchRequest::prefix_file),
      on_command_line(
          needing("prefix", toggle("prefix-open", "Allow the last word of a prefix to continue: good, goodbye",
                                   path(&SearchRequest::prefix_open)))),
      file("require",
           "File with phrases that each translation must contain, one line per input line, separated by tabs. A new "
           "word begins after a phrase. A beam larger than the number of their tokens places them better. Phrases "
           "that do not fit into the maximum length are dropped with a warning",
           &SearchRequest::required_file),
      file("shortlist",
           "Restrict the output vocabulary to frequent words and to translations of the source words, from a lexicon "
           "like Marian's lex.s2t: target word, source word and probability in each line, in the tokens of the model",
           &SearchRequest::shortlist_file),
      on_command_line(
          needing("shortlist", number("shortlist-first", "Always allow the first N words of the vocabulary",
                                      {0, kLargestList}, path(&SearchRequest::shortlist, &ShortlistOptions::first)))),
      on_command_line(
          needing("shortlist", number("shortlist-best", "Allow the N best translations of each source word",
                                      {0, kLargestList}, path(&SearchRequest::shortlist, &ShortlistOptions::best)))),
      on_command_line(needing(
          "shortlist",
          choice("shortlist-scores",
                 "Words that log p is over: all, so that scores mean the same with and without the shortlist; or the "
                 "listed ones, as in Marian, which makes a beam faster",
                 kScoredWords, search(&SearchOptions::scored_words)))),
      toggle("no-shortlist", "Ignore the shortlist that came with an imported model: any word may be written",
             path(&SearchRequest::no_shortlist)),
      crossing(toggle("replace-unk",
                      "Let the model write <unk>, and replace it by the source word that received the most attention",
                      path(&SearchRequest::replace_unknown))),
      needing("replace-unk",
              with_value("N|all",
                         optional_number("replace-unk-layer",
                                         "Decoder layer whose attention decides, averaged over its heads (default: the "
                                         "mean of all layers)",
                                         {1, kLongest}, path(&SearchRequest::unknown_layer), "all"))),
      needing("replace-unk",
              file("replace-unk-dictionary",
                   "Translate that source word by this dictionary if it has the word: word, tab and translation in "
                   "each line",
                   &SearchRequest::dictionary_file)),
  };
}

std::vector<SearchOption> sampling_options() {
  constexpr auto draw = [](auto member) { return path(&SearchRequest::draw, member); };
  return {
      toggle(
          "sampling",
          "Sample translations instead of searching for the best; --n-best N draws N for each line and sorts them by "
          "score. Single bytes (byte fallback) are never drawn",
          path(&SearchRequest::sampling)),
      needing("sampling", temperature_row(draw(&SamplingOptions::temperature))),
      needing("sampling", top_k_row(draw(&SamplingOptions::top_k))),
      needing("sampling", top_p_row(draw(&SamplingOptions::top_p))),
      needing("sampling", seed_row(path(&SearchRequest::seed))),
  };
}

std::vector<SearchOption> output_options() {
  SearchOption n_best = with_value(
      "[N]", optional_number("n-best",
                             "Write the N best translations of each line, without N or with 0 the whole beam, as: line "
                             "number from 0 ||| text ||| score",
                             {0, kLargestBeam}, path(&SearchRequest::n_best)));
  n_best.alone = "0";
  return {n_best};
}

std::vector<SearchOption> make_search_options() {
  struct Group {
    const char* name;
    std::vector<SearchOption> options;
  };
  std::vector<SearchOption> all;
  for (Group& group : std::vector<Group>{{"Search", beam_options()},
                                         {"Words and sampling", word_options()},
                                         {"Words and sampling", sampling_options()},
                                         {"Output", output_options()}}) {
    for (SearchOption& option : group.options) {
      option.group = group.name;
      all.push_back(std::move(option));
    }
  }
  return all;
}

std::vector<OptionOf<GenerationOptions>> make_generation_options() {
  constexpr auto sampling = [](auto member) { return path(&GenerationOptions::sampling, member); };
  return {
      also("-t", temperature_row(sampling(&SamplingOptions::temperature))),
      top_k_row(sampling(&SamplingOptions::top_k)),
      top_p_row(sampling(&SamplingOptions::top_p)),
      max_length_row(sampling(&SamplingOptions::max_length)),
      also("-n", number("count", "Number of texts to write", {1, 10000}, path(&GenerationOptions::count))),
      seed_row(path(&GenerationOptions::seed)),
      allow_unknown_row(sampling(&SamplingOptions::allow_unknown)),
  };
}

}  // namespace

std::span<const SearchOption> search_option_table() {
  static const std::vector<SearchOption> table = make_search_options();
  return table;
}

bool is_set(const SearchOption& option, const SearchRequest& request) {
  return option.get(request) != option.get(SearchRequest());
}

std::span<const OptionOf<GenerationOptions>> generation_option_table() {
  static const std::vector<OptionOf<GenerationOptions>> table = make_generation_options();
  return table;
}

}  // namespace dhyan
