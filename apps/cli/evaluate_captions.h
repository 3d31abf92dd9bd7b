#pragma once

#include "cli/evaluation_text.h"
#include "translator/picture_test_set.h"

namespace dhyan::cli {

// The data that a model of pictures is measured on.
struct CaptionTest {
  std::vector<std::string> files;  // of --test; empty: the picture book
  std::string images;              // folder of the pictures that a file names
  Part part = Part::kTest;
  bool part_given = false;
  Index scenes = 1000;  // of the picture book
};

// The metrics of captions, unless the user chooses others.
std::vector<std::string> caption_metrics();

// Names each picture that cannot be read on standard error and counts them in `unreadable`. UsageError if the model was
// trained on files and none is named, or if the folder of the pictures is not known.
TestSet caption_test(const CaptionTest& test, const std::string& model, const Translator& translator,
                     std::size_t& unreadable);

}  // namespace dhyan::cli
