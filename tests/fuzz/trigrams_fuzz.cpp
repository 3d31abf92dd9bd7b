// libFuzzer: a file of trigrams throws ModelFileError or is written back with the same content; any text has trigrams
// and a language.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "text/language_detector.h"
#include "translator/model_languages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  LanguageDetector detector;
  try {
    const SideTrigrams sides = parse_trigrams(text, "fuzz");
    if (parse_trigrams(to_json(sides), "again") != sides) std::abort();
    detector.add("source", sides.source);
    detector.add("target", sides.target);
  } catch (const ModelFileError&) {
  }
  TrigramCounter counter;
  counter.add(text);
  detector.add("text", profile_of(counter.counts()));
  double sum = 0;
  for (const DetectedLanguage& language : detector.detect(text)) sum += language.confidence;
  if (!(sum >= 0 && sum < 100.001)) std::abort();
  return 0;
}
