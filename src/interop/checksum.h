#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "interop/safetensors.h"

namespace dhyan {

// A safetensors file holds its checksum in its metadata, so that copies and renamed files keep it: XXH3 of all bytes of
// the file, with zeros for the digits of the checksum itself. It detects accidents, not an adversary. Files of other
// programs and of older versions have none.

// The metadata with a checksum of zeros, whose place put_checksum() finds.
Metadata with_place_for_checksum(Metadata metadata);
void put_checksum(std::string& header, std::span<const TensorEntry> entries);

enum class Integrity { kNoChecksum, kIntact, kDamaged };

// Reads the whole file.
Integrity integrity_of(const SafetensorsFile& file);

// Throws ModelFileError, naming the file, if it is damaged. A file without a checksum passes.
void expect_intact(const SafetensorsFile& file);
void expect_intact(const std::filesystem::path& path);

}  // namespace dhyan
