#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "interop/safetensors.h"

namespace dhyan {

// The checksum of a safetensors file is in its own metadata, so that it follows the weights wherever the file is copied
// or renamed to: XXH3 of all bytes of the file, with zeros for the digits of the checksum itself. It is against
// accidents, not against an adversary. Files of other programs and of older versions have none.

// The metadata with a checksum of zeros, whose place put_checksum() finds.
Metadata with_place_for_checksum(Metadata metadata);
void put_checksum(std::string& header, std::span<const TensorEntry> entries);

enum class Integrity { kNoChecksum, kIntact, kDamaged };

// Reads all of a file.
Integrity integrity_of(const SafetensorsFile& file);

// ModelFileError, naming the file, if it is damaged. One without a checksum passes.
void expect_intact(const SafetensorsFile& file);
void expect_intact(const std::filesystem::path& path);

}  // namespace dhyan
