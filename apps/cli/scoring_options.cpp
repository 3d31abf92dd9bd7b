#include "cli/scoring_options.h"

#include "cli/choice_option.h"

namespace dhyan::cli {

namespace {

void add_bleu_options(CLI::App& command, BleuOptions& options) {
  command
      .add_option("--tokenize", options.tokenizer,
                  "How BLEU separates words; text is not to be tokenised before:" + described(bleu_tokenizers()))
      ->check(one_of(bleu_tokenizers()))
      ->capture_default_str();
  command.add_flag("--lowercase", options.lowercase, "BLEU takes capitals and small letters for the same");
  command
      .add_option("--smooth-method", options.smoothing,
                  "What BLEU does with n-grams of which none is right:" + described(smoothings()))
      ->check(one_of(smoothings()))
      ->capture_default_str();
  command
      .add_option("--smooth-value", options.value,
                  "The count of floor, by default 0.1, or the k of add-k, by default 1")
      ->type_name("X")
      ->check(CLI::Range(0.0, 1e6));
}

void add_chrf_options(CLI::App& command, ChrfOptions& options) {
  command.add_option("--chrf-char-order", options.character_order, "Longest n-grams of characters for chrF")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command.add_option("--chrf-word-order", options.word_order, "Longest n-grams of words for chrF; 2 makes it chrF++")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command.add_option("--chrf-beta", options.beta, "In chrF, recall counts so many times as much as precision")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag("--chrf-whitespace", options.whitespace, "Blanks are characters of chrF too");
  command.add_flag("--chrf-lowercase", options.lowercase, "chrF takes capitals and small letters for the same");
  command.add_flag("--chrf-eps-smoothing", options.epsilon, "Smooth chrF as chrF++.py and NLTK do");
}

void add_ter_options(CLI::App& command, TerOptions& options) {
  command.add_flag("--ter-normalized", options.normalized, "Make punctuation words of its own for TER");
  command.add_flag("--ter-no-punct", options.no_punct, "Leave punctuation out of TER");
  command.add_flag("--ter-asian-support", options.asian_support,
                   "With one of these two: for Chinese and Japanese punctuation too, and a word for each ideograph");
  command.add_flag("--ter-case-sensitive", options.case_sensitive, "TER tells capitals from small letters");
}

}  // namespace

void add_scoring_options(CLI::App& command, ScoringOptions& options) {
  command.add_option("--metrics", options.metrics, "What to compute:" + described(metrics()))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->check(one_of(metrics()))
      ->capture_default_str();
  add_bleu_options(command, options.settings.bleu);
  add_chrf_options(command, options.settings.chrf);
  add_ter_options(command, options.settings.ter);
  command.add_option("--buckets", options.length_bounds, "Longest sentences of each bucket of lengths, in words")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
}

void add_bootstrap_options(CLI::App& command, const char* samples, BootstrapOptions& options) {
  command.add_option(samples, options.samples, "Test sets to draw from the test set, with replacement")
      ->check(CLI::Range(2, 1 << 20))
      ->capture_default_str();
  command.add_option("--bootstrap-seed", options.seed, "What they are drawn with; the same seed, the same test sets")
      ->capture_default_str();
}

}  // namespace dhyan::cli
