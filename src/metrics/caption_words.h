#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// The words of a caption in lower case, with blanks between them, as pycocoevalcap takes them: those of the Stanford
// PTB tokenizer 3.4.1 with -lowerCase, without the words '' ' `` ` . ? ! , : - -- ... and ;.
//
//   "The dog's ball (red) isn't here!"  ->  "the dog 's ball -lrb- red -rrb- is n't here"
//
// pycocoevalcap's list also names -LRB- and -RRB-, but the words are in lower case by then, so brackets stay. All
// 40,000 captions of Flickr8k give the same words. Differences:
// - punctuation outside ASCII, such as the danda of Hindi, is removed, while the PTB tokenizer keeps it as words;
// - symbols outside ASCII are words; the PTB tokenizer deletes those it does not know (₹, emoji) and rewrites others
//   (£ as #, ½ as 1/2);
// - a word keeps its zero width joiners and is not cut after a hyphen in the middle of a syllable;
// - web addresses, markup and smileys are split at their symbols;
// - only common abbreviations with a point, and common words with an apostrophe at an end, are recognised.
std::u32string caption_words(std::string_view caption);

// Options of the metrics of captions: COCO BLEU, ROUGE-L, CIDEr-D.
struct CaptionOptions {
  bool tokenized = false;  // the text consists of words with blanks between them; use them as they are
};

// The words of a caption, with blanks between them.
std::u32string caption_words(std::string_view caption, const CaptionOptions& options);

// For signatures: "case:lc|tok:ptb" or "case:mixed|tok:none".
std::string caption_settings(const CaptionOptions& options);

}  // namespace dhyan
