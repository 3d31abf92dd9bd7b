#pragma once

#include <nlohmann/json.hpp>

#include "metrics/buckets.h"

namespace dhyan::cli {

// The sentences of a bucket, without its score.
inline nlohmann::ordered_json bucket_json(const Bucket& bucket) {
  using Json = nlohmann::ordered_json;
  return {{"from", bucket.from}, {"to", bucket.to < 0 ? Json() : Json(bucket.to)}, {"sentences", bucket.sentences}};
}

}  // namespace dhyan::cli
