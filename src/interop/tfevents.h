#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// TensorBoard's event files: records of a length and bytes, each with a checksum, whose bytes are protobuf messages
// (tensorflow/core/util/event.proto, framework/summary.proto). Only the fields that scalars need are written.

struct NamedScalar {
  std::string name;  // "train/loss"
  double value = 0;
};

// The record every file begins with, and one for the scalars of a step.
std::string tfevents_begin(double wall_time);
std::string tfevents_scalars(double wall_time, std::int64_t step, std::span<const NamedScalar> scalars);

// CRC-32C (Castagnoli), and its masked form, which TFRecord stores.
std::uint32_t crc32c(std::string_view bytes);
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace dhyan
