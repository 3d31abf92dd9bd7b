#include "config/option_conditions.h"
#include "config/option_table.h"
#include "phrasebook/phrasebook.h"
#include "text/language_names.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kOverlong{Choice{"drop", Overlong::kDrop}, Choice{"cut", Overlong::kCut}};

std::vector<std::string> tokenizer_names() {
  std::vector<std::string> names = names_of(tokenizer_kinds());
  names.emplace(names.begin(), kChosenKind);
  return names;
}

// The code of a language; empty: not known.
template <class Path>
Option language(std::string name, std::string help, Path field) {
  Option option = with_value("CODE", word(std::move(name), std::move(help), {}, field));
  option.expected = "the code of a language, such as hi or pt-BR";
  option.set = [set = option.set, expected = option.expected](Config& config, const Setting& setting) {
    const std::string& code = single(setting);
    if (!code.empty() && !is_language_code(code)) {
      setting.fail(cat(setting.name, " is '", code, "', expected ", expected));
    }
    set(config, setting);
  };
  return option;
}

}  // namespace

std::vector<Option> tokenizer_options() {
  return {
      word("tokenizer", "Kind of tokenizer; auto: chosen from the corpus", tokenizer_names(),
           tokenizer(&TokenizerConfig::kind)),
      only(kPairedVocabularies,
           toggle("shared-vocabulary", "Use one vocabulary for both languages", tokenizer(&TokenizerConfig::shared))),
      only(kLearnedTokenizer,
           optional_number("vocabulary-size",
                           "Largest size of a vocabulary, without the 256 byte tokens; a small corpus may give fewer "
                           "tokens; auto: chosen from the corpus",
                           {5, 1 << 24}, learned(&TokenizerOptions::vocabulary_size), kChosenKind)),
      only(kLearnedWords, number("min-count", "For words and characters: tokens that occur less often become <unk>",
                                 {1, 1 << 30}, learned(&TokenizerOptions::min_count))),
      only(kLearnedSubwords,
           optional_number("character-coverage",
                           "For subwords: share of all characters in the text that the vocabulary covers; auto: 1, "
                           "less for text of more than 2,000 different characters",
                           {0.98, 1}, learned(&TokenizerOptions::character_coverage), kChosenKind)),
      only(kLearnedSubwords,
           toggle("byte-fallback",
                  "For subwords: write characters outside the vocabulary as bytes, so that none is <unk>",
                  learned(&TokenizerOptions::byte_fallback))),
      only(kLearnedSubwords,
           number("tokenizer-lines", "For subwords: learn the tokenizer from at most this many lines; 0: from all",
                  {0, kMany}, learned(&TokenizerOptions::sample_lines))),
      only(kSubwords, toggle("subword-sampling",
                             "For subwords: draw another segmentation of a line each time it is used in training",
                             tokenizer(&TokenizerConfig::sampled))),
      only(kUnigramSampling,
           number("subword-alpha",
                  "Sampling with unigram: 0 draws all segmentations alike, large values prefer the best", {0, kHuge},
                  sampling(&SubwordSampling::alpha))),
      only(kBpeSampling, number("subword-dropout", "BPE-dropout: probability of skipping a merge", {0, 1},
                                sampling(&SubwordSampling::dropout))),
      with_value("DIR", word("tokenizer-from", "Take the tokenizers from this model's folder instead of learning them",
                             {}, tokenizer(&TokenizerConfig::from))),
      only(kImportedPieces,
           toggle("imported-shortlist",
                  "Keep to the shortlist that came with the imported model; translate --no-shortlist ignores it",
                  tokenizer(&TokenizerConfig::shortlist))),
  };
}

std::vector<Option> data_options() {
  return {
      words("train",
            "Training corpora: two parallel files, a TSV or a TMX file each; plain text for language models; TSV files "
            "of "
            "image and caption for pictures (default: the built-in phrasebook or picture book)",
            {}, data(&DataConfig::train)),
      only(kTrainingFiles,
           numbers("train-weights", "How often each corpus is repeated in an epoch; one number for each corpus",
                   {0, 1e6}, data(&DataConfig::weights))),
      only(kCrossAttention, words("guided-alignment",
                                  "Word alignments that attention learns to follow: a Pharaoh file for each corpus, or "
                                  "'phrasebook' or 'picturebook' for a built-in corpus",
                                  {}, data(&DataConfig::guided_alignment))),
      words("valid", "Held-out corpora to validate on, given as in --train", {}, data(&DataConfig::valid)),
      only(kPhrasebook, word("phrasebook", "Built-in corpus to use if --train names no files", phrasebook_names(),
                             data(&DataConfig::phrasebook))),
      only(
          kPhrasebook,
          number("max-words",
                 "Longest sentences of the phrasebook, in words of the source; above 40 adds sentences of many clauses",
                 {kFewestWords, kMostWords}, data(&DataConfig::max_words))),
      only(kPictureBook, choice("picturebook", "Language of the captions of the built-in picture book",
                                picturebook::kLanguages, data(&DataConfig::picturebook))),
      only(kPictureBook, number("scenes", "Scenes of the picture book in an epoch; every epoch draws others",
                                {1, 1 << 30}, data(&DataConfig::scenes))),
      only(kCaptionFiles, with_value("DIR", word("images", "Folder of the pictures that captions name", {},
                                                 data(&DataConfig::images)))),
      only(kCaptionFiles,
           with_value("DIR", word("picture-cache",
                                  "Folder that keeps decoded pictures and their features for other trainings; empty: "
                                  "they are kept with this one",
                                  {}, data(&DataConfig::picture_cache)))),
      only(kTextPairFiles, choice("format", "Format of the files; auto detects it from their names and first bytes",
                                  kCorpusFormats, data(&DataConfig::format))),
      only(kCorpusFiles, choice("on-bad-utf8", "What to do with a line that is not valid UTF-8", kOnBadUtf8,
                                data(&DataConfig::on_bad_utf8))),
      only(kPairFiles, choice("on-bad-lines", "What to do with a TSV line that does not have exactly one tab",
                              kOnBadColumns, data(&DataConfig::on_bad_columns))),
      only(kSourceText, language("source-lang",
                                 "Language of the source or of plain text, a code such as hi; needed for TMX files "
                                 "(default: from the names of the files, train.hi, or the built-in corpus)",
                                 data(&DataConfig::source_language))),
      only(kTranslation,
           language("target-lang", "Language of the target, as in --source-lang", data(&DataConfig::target_language))),
      only(kSentences, number("max-length", "Longest sentence, in tokens of one side", {1, 1 << 16},
                              data(&DataConfig::max_length))),
      only(kSentences, choice("too-long", "What to do with a longer sentence", kOverlong, data(&DataConfig::overlong))),
  };
}

}  // namespace dhyan::option_table
