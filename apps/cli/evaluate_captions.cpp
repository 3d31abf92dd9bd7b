#include "cli/evaluate_captions.h"

#include <iostream>

#include "cli/interrupt.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "data/captions.h"

namespace dhyan::cli {

namespace {

constexpr std::string_view kPicturebook = "picturebook";

std::string images_of(const CaptionTest& test, const std::string& model, const DataConfig& trained_on) {
  if (!test.images.empty()) return test.images;
  if (!trained_on.images.empty()) return trained_on.images;
  throw UsageError(cat("evaluate: where are the pictures that ", test.files.front(), " names? ", model,
                       " reads pictures; name their folder with --images"));
}

}  // namespace

std::vector<std::string> caption_metrics() {
  return {"coco-bleu1", "coco-bleu2", "coco-bleu3", "coco-bleu4", "rouge-l", "cider-d", "bleu"};
}

TestSet caption_test(const CaptionTest& test, const std::string& model, const Translator& translator,
                     std::size_t& unreadable) {
  const DataConfig& trained_on = translator.config().data;
  const GridShape size = translator.model().pictures().pixels;
  if (test.files.size() > 1) {
    throw UsageError(cat("evaluate: ", model, " reads pictures; --test takes one file of captions, and --images DIR"));
  }
  if (test.files.empty() && !trained_on.train.empty()) {
    throw UsageError(
        cat("evaluate: ", model, " was trained on files; name others with --test CAPTIONS and --images DIR"));
  }
  if (test.files.empty() || test.files.front() == kPicturebook) {
    return scene_test_set(trained_on.picturebook, test.part, test.scenes, size);
  }
  const std::string& file = test.files.front();
  const ReadOptions reading{.poll = throw_if_interrupted};
  if (test.part_given && !has_split(file, reading)) {
    throw UsageError(cat("evaluate: --split chooses a part of a file with a column split; ", file, " has none"));
  }
  std::vector<std::string> messages;
  TestSet set = caption_test_set(file, test.part, images_of(test, model, trained_on), size, messages, reading);
  for (const std::string& message : messages) std::cerr << cat("dhyan: warning: ", message, '\n');
  unreadable = messages.size();
  if (unreadable == 0) return set;
  std::cerr << cat("dhyan: warning: ", grouped(unreadable), " of ",
                   pluralize(unreadable + set.sources.size(), "picture"), " of ", file,
                   " cannot be read; they are left out\n");
  return set;
}

}  // namespace dhyan::cli
