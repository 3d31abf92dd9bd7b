// libFuzzer: a caption has a problem or at most three objects, whose words are words of it; a true one says what each
// word is about. An order throws UsageError or gives a scene.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "phrasebook/scene_claims.h"
#include "phrasebook/scene_order.h"
#include "phrasebook/scene_truth.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  using namespace dhyan::picturebook;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParsedCaption parsed = parse_caption(text);
  if (parsed.claims.has_value() != parsed.problem.empty()) std::abort();
  if (parsed.claims) {
    const Claims& claims = *parsed.claims;
    if (claims.objects.empty() || claims.objects.size() > kMostObjects) std::abort();
    if (claims.relations.size() + 1 != claims.objects.size()) std::abort();
    for (const ObjectClaim& object : claims.objects) {
      for (const std::size_t word : object.words) {
        if (word >= claims.words) std::abort();
      }
    }
  }
  try {
    const Scene scene = scene_to_order(text);
    const Verdict verdict = judge(scene, text);
    if (parsed.claims && (!verdict.is_true() || verdict.objects.size() != parsed.claims->words)) std::abort();
  } catch (const UsageError&) {
  }
  return 0;
}
