#include "cli/scoring_options.h"

#include "cli/choice_option.h"
#include "cli/interrupt.h"

namespace dhyan::cli {

namespace {

void add_bleu_options(CLI::App& command, BleuOptions& options) {
  command
      .add_option("--tokenize", options.tokenizer,
                  "Tokenizer of BLEU; the text must not be tokenised before:" + described(bleu_tokenizers()))
      ->check(one_of(bleu_tokenizers()))
      ->capture_default_str();
  command.add_flag("--lowercase", options.lowercase, "Ignore case in BLEU");
  command
      .add_option("--smooth-method", options.smoothing,
                  "Smoothing of BLEU for n-gram orders without a match:" + described(smoothings()))
      ->check(one_of(smoothings()))
      ->capture_default_str();
  command.add_option("--smooth-value", options.value, "Count of floor (default: 0.1) or k of add-k (default: 1)")
      ->type_name("X")
      ->check(CLI::Range(0.0, 1e6));
}

void add_chrf_options(CLI::App& command, ChrfOptions& options) {
  command.add_option("--chrf-char-order", options.character_order, "Largest order of character n-grams in chrF")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command.add_option("--chrf-word-order", options.word_order, "Largest order of word n-grams in chrF; 2 is chrF++")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command.add_option("--chrf-beta", options.beta, "Beta of chrF: weight of recall relative to precision")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag("--chrf-whitespace", options.whitespace, "Count whitespace as characters in chrF");
  command.add_flag("--chrf-lowercase", options.lowercase, "Ignore case in chrF");
  command.add_flag("--chrf-eps-smoothing", options.epsilon, "Smooth chrF as chrF++.py and NLTK do");
}

void add_ter_options(CLI::App& command, TerOptions& options) {
  command.add_flag("--ter-normalized", options.normalized, "Split punctuation into separate words in TER");
  command.add_flag("--ter-no-punct", options.no_punct, "Remove punctuation in TER");
  command.add_flag("--ter-asian-support", options.asian_support,
                   "With --ter-normalized or --ter-no-punct: also treat Chinese and Japanese punctuation, and each "
                   "ideograph as a word");
  command.add_flag("--ter-case-sensitive", options.case_sensitive, "Distinguish case in TER");
}

}  // namespace

void add_scoring_options(CLI::App& command, ScoringOptions& options) {
  options.poll = throw_if_interrupted;
  command
      .add_option("--metrics", options.metrics,
                  "Metrics to compute (default for a model of pictures: coco-bleu1 to 4, rouge-l, cider-d and bleu):" +
                      described(metrics()))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->check(one_of(metrics()))
      ->capture_default_str();
  add_bleu_options(command, options.settings.bleu);
  add_chrf_options(command, options.settings.chrf);
  add_ter_options(command, options.settings.ter);
  command.add_flag(
      "--caption-tokenized", options.settings.caption.tokenized,
      "Take the words of coco-bleu1 to 4, rouge-l and cider-d as they are, for text that is already tokenised");
  command.add_option("--buckets", options.length_bounds, "Upper bounds of the sentence length buckets, in words")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
}

void add_bootstrap_options(CLI::App& command, const char* samples, BootstrapOptions& options) {
  command.add_option(samples, options.samples, "Number of bootstrap samples of the test set")
      ->check(CLI::Range(2, 1 << 20))
      ->capture_default_str();
  command.add_option("--bootstrap-seed", options.seed, "Random seed of the bootstrap samples")->capture_default_str();
}

}  // namespace dhyan::cli
