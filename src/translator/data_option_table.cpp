#include "data/phrasebook.h"
#include "translator/option_table.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kOverlong{Choice{"drop", Overlong::kDrop}, Choice{"cut", Overlong::kCut}};

}  // namespace

std::vector<Option> tokenizer_options() {
  return {
      word("tokenizer", "What a token is", names_of(tokenizer_kinds()), tokenizer(&TokenizerConfig::kind)),
      toggle("shared-vocabulary", "One vocabulary for both languages", tokenizer(&TokenizerConfig::shared)),
      number("vocabulary-size", "Tokens of a vocabulary at most; a small corpus may give fewer", {5, 1 << 24},
             learned(&TokenizerOptions::vocabulary_size)),
      number("min-count", "Words, characters: rarer ones are unknown", {1, 1 << 30},
             learned(&TokenizerOptions::min_count)),
      number("character-coverage", "Subwords: share of all characters that get pieces", {0.98, 1},
             learned(&TokenizerOptions::character_coverage)),
      toggle("byte-fallback", "Subwords: spell in bytes what has no piece", learned(&TokenizerOptions::byte_fallback)),
      number("tokenizer-lines", "Subwords: learn from so many lines; 0: from all", {0, kMany},
             learned(&TokenizerOptions::sample_lines)),
      toggle("subword-sampling", "Subwords: cut a line in another way each time it comes up",
             tokenizer(&TokenizerConfig::sampled)),
      number("subword-alpha", "Of sampling, unigram: 0 all cuts alike, large the best one", {0, kHuge},
             sampling(&SubwordSampling::alpha)),
      number("subword-dropout", "Of sampling, bpe: share of merges left out", {0, 1},
             sampling(&SubwordSampling::dropout)),
      word("tokenizer-from", "Folder of a model whose tokenizers to take instead of learning them", {},
           tokenizer(&TokenizerConfig::from)),
  };
}

std::vector<Option> data_options() {
  return {
      words("train",
            "Corpora to train on: two parallel files, a TSV or a TMX file each, of language models plain texts; "
            "none: the phrasebook",
            {}, data(&DataConfig::train)),
      numbers("train-weights", "How often an epoch holds each pair of a corpus; one number a corpus", {0, 1e6},
              data(&DataConfig::weights)),
      words(
          "guided-alignment",
          "Word alignments of the corpora in --train, a Pharaoh file each, for attention to follow; phrasebook: those "
          "of the phrasebook",
          {}, data(&DataConfig::guided_alignment)),
      words("valid", "Pairs to validate on, likewise", {}, data(&DataConfig::valid)),
      word("phrasebook", "Built-in corpus to use where no file is named", phrasebook_names(),
           data(&DataConfig::phrasebook)),
      choice("format", "What the files are; auto tells by names and first bytes", kCorpusFormats,
             data(&DataConfig::format)),
      choice("on-bad-utf8", "What to do with a line that is not UTF-8", kOnBadUtf8, data(&DataConfig::on_bad_utf8)),
      choice("on-bad-lines", "What to do with a TSV line that has not exactly one tab", kOnBadColumns,
             data(&DataConfig::on_bad_columns)),
      word("source-lang", "Language to take from TMX as the source", {}, data(&DataConfig::source_language)),
      word("target-lang", "Language to take from TMX as the target", {}, data(&DataConfig::target_language)),
      number("max-length", "Longest side of a pair, or line of a masked language model, in tokens", {1, 1 << 16},
             data(&DataConfig::max_length)),
      choice("too-long", "What to do with a longer pair", kOverlong, data(&DataConfig::overlong)),
  };
}

}  // namespace dhyan::option_table
