#include "interop/checksum.h"

#include <algorithm>

#include "core/error.h"
#include "data/content_hash.h"

namespace dhyan {

namespace {

constexpr std::string_view kKey = "checksum", kKind = "xxh3:";
constexpr std::size_t kDigits = 16;

// A file with this entry must have a checksum, so that a damaged checksum key is noticed.
constexpr std::string_view kWriterKey = "written_by", kWriter = "dhyan";

std::string hexadecimal(std::uint64_t number) {
  std::string digits(kDigits, '0');
  for (std::size_t i = kDigits; i-- > 0; number >>= 4) digits[i] = "0123456789abcdef"[number & 15];
  return digits;
}

// Where the digits of a checksum are in the text of a header; npos if it has none.
std::size_t place_of_digits(std::string_view header, std::string_view digits) {
  const std::string field = cat('"', kKey, "\":\"", kKind, digits, '"');
  const std::size_t place = header.find(field);
  return place == header.npos ? place : place + field.size() - 1 - kDigits;
}

}  // namespace

Metadata with_place_for_checksum(Metadata metadata) {
  metadata[std::string(kKey)] = cat(kKind, std::string(kDigits, '0'));
  metadata[std::string(kWriterKey)] = kWriter;
  return metadata;
}

void put_checksum(std::string& header, std::span<const TensorEntry> entries) {
  const std::uint64_t length = header.size();
  ContentHash hash;
  hash.add(length).add(std::as_bytes(std::span(header)));
  for (const TensorEntry& entry : entries) hash.add(entry.bytes);
  header.replace(place_of_digits(header, std::string(kDigits, '0')), kDigits, hexadecimal(hash.value()));
}

Integrity integrity_of(const SafetensorsFile& file) {
  const Metadata& metadata = file.metadata();
  const auto stated = metadata.find(std::string(kKey)), writer = metadata.find(std::string(kWriterKey));
  const bool ours = writer != metadata.end() && writer->second == kWriter;
  if (stated == metadata.end()) return ours ? Integrity::kDamaged : Integrity::kNoChecksum;
  if (!ours && !stated->second.starts_with(kKind)) return Integrity::kNoChecksum;  // another program's checksum
  if (stated->second.size() != kKind.size() + kDigits) return Integrity::kDamaged;
  const std::string_view digits = std::string_view(stated->second).substr(kKind.size());
  std::string header(file.header());
  const std::size_t place = place_of_digits(header, digits);
  if (place == header.npos) return Integrity::kDamaged;
  header.replace(place, kDigits, kDigits, '0');
  ContentHash hash;
  hash.add(header.size()).add(std::as_bytes(std::span(header))).add(file.data());
  return hexadecimal(hash.value()) == digits ? Integrity::kIntact : Integrity::kDamaged;
}

void expect_intact(const SafetensorsFile& file) {
  if (integrity_of(file) != Integrity::kDamaged) return;
  file.expect_unchanged();  // a change while reading would explain the mismatch
  throw ModelFileError(cat(file.name(),
                           ": its bytes do not match its checksum, so the file is damaged;"
                           " copy it again, or restore it from a backup"));
}

void expect_intact(const std::filesystem::path& path) { expect_intact(SafetensorsFile(path)); }

}  // namespace dhyan
