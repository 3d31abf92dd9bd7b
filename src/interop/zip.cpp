#include "interop/zip.h"

#include <algorithm>
#include <zlib.h>

#include "core/error.h"
#include "interop/byte_reader.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kDirectoryEnd = 0x06054b50,
                        kDirectoryEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::size_t kEndSize = 22, kLocatorSize = 20, kLongestComment = 65'535;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number is in the zip64 fields
constexpr std::uint64_t kLargestGrowth = 100, kAlwaysAllowed = 64 << 20;

// Where the central directory is and how many entries it has.
struct Directory {
  std::uint64_t begin = 0, size = 0, entries = 0;
};

// The end record is the last one whose comment ends with the file.
std::size_t find_end(std::string_view where, std::span<const std::byte> bytes) {
  const std::size_t furthest = std::min(bytes.size(), kEndSize + kLongestComment);
  for (std::size_t back = kEndSize; back <= furthest; ++back) {
    ByteReader in(where, bytes.last(back));
    if (in.number<std::uint32_t>() != kDirectoryEnd) continue;
    in.take(16);
    if (in.number<std::uint16_t>() == back - kEndSize) return bytes.size() - back;
  }
  throw ModelFileError(cat(where, ": not a zip archive, or damaged: it has no directory"));
}

Directory find_directory(std::string_view where, std::span<const std::byte> bytes) {
  const std::size_t end = find_end(where, bytes);
  ByteReader in(where, bytes.subspan(end));
  in.take(8);
  in.take(2);
  Directory directory;
  directory.entries = in.number<std::uint16_t>();
  directory.size = in.number<std::uint32_t>();
  directory.begin = in.number<std::uint32_t>();
  if (end < kLocatorSize) return directory;
  ByteReader locator(where, bytes.subspan(end - kLocatorSize));
  if (locator.number<std::uint32_t>() != kLocator64) return directory;
  locator.take(4);
  const auto begin = locator.number<std::uint64_t>();
  ByteReader end64(where, bytes);
  end64.take(begin);
  if (end64.number<std::uint32_t>() != kDirectoryEnd64) end64.fail("its zip64 directory is not where it should be");
  end64.take(28);
  directory.entries = end64.number<std::uint64_t>();
  directory.size = end64.number<std::uint64_t>();
  directory.begin = end64.number<std::uint64_t>();
  return directory;
}

// Numbers that do not fit 32 bits are in the extra field with id 1, in this order.
void read_zip64(std::string_view where, std::span<const std::byte> extra, ZipArchive::Entry& entry) {
  ByteReader in(where, extra);
  while (in.left() >= 4) {
    const auto id = in.number<std::uint16_t>();
    ByteReader field(where, in.take(in.number<std::uint16_t>()));
    if (id != 1) continue;
    if (entry.size == kIn64) entry.size = field.number<std::uint64_t>();
    if (entry.packed == kIn64) entry.packed = field.number<std::uint64_t>();
    if (entry.begin == kIn64) entry.begin = field.number<std::uint64_t>();
  }
}

bool leads_out(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos) return true;
  if (name.size() > 1 && name[1] == ':') return true;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

bool is_zip(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && ByteReader("", bytes).number<std::uint32_t>() == kLocalHeader;
}

void ZipArchive::fail(const std::string& what) const { throw ModelFileError(cat(where_, ": ", what)); }

ZipArchive::ZipArchive(std::string_view where, std::span<const std::byte> bytes) : where_(where), bytes_(bytes) {
  const Directory directory = find_directory(where_, bytes);
  ByteReader in(where_, bytes);
  in.take(directory.begin);
  ByteReader rows(where_, in.take(directory.size));
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (rows.number<std::uint32_t>() != kDirectoryEntry) fail(cat("entry ", i + 1, " of its directory is damaged"));
    rows.take(4);
    const auto flags = rows.number<std::uint16_t>();
    const auto method = rows.number<std::uint16_t>();
    rows.take(4);
    Entry entry;
    entry.checksum = rows.number<std::uint32_t>();
    entry.packed = rows.number<std::uint32_t>();
    entry.size = rows.number<std::uint32_t>();
    const auto name_length = rows.number<std::uint16_t>();
    const auto extra_length = rows.number<std::uint16_t>();
    const auto comment_length = rows.number<std::uint16_t>();
    rows.take(8);
    entry.begin = rows.number<std::uint32_t>();
    const std::string name(rows.text(name_length));
    read_zip64(where_, rows.take(extra_length), entry);
    rows.take(comment_length);
    if (leads_out(name)) fail(cat("the name ", quoted_name(name), " leads out of the archive"));
    if ((flags & 1) != 0) fail(cat(quoted_name(name), " is encrypted"));
    if (method != 0 && method != 8)
      fail(cat(quoted_name(name), " is compressed by method ", method, ", expected 0 or 8"));
    if (entry.packed > bytes.size()) fail(cat(quoted_name(name), " is longer than the archive"));
    entry.deflated = method == 8;
    if (!entry.deflated && entry.size != entry.packed)
      fail(cat(quoted_name(name), " is stored with two different sizes"));
    const std::uint64_t allowed = kAlwaysAllowed + kLargestGrowth * bytes.size();
    if (entry.size > allowed || (all += entry.size) > allowed) {
      fail(cat("its files would grow to more than ", allowed, " bytes, more than models need"));
    }
    if (!entries_.emplace(name, entry).second) fail(cat("the name ", quoted_name(name), " occurs twice"));
  }
}

std::span<const std::byte> ZipArchive::content(std::string_view name, std::vector<std::byte>& storage) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) fail(cat("has no file ", quoted_name(name)));
  const Entry& entry = found->second;
  ByteReader in(where_, bytes_);
  in.take(entry.begin);
  if (in.number<std::uint32_t>() != kLocalHeader) fail(cat(quoted_name(name), " is not where the directory says"));
  in.take(22);
  const auto name_length = in.number<std::uint16_t>();
  const auto extra_length = in.number<std::uint16_t>();
  in.take(std::uint64_t{name_length} + extra_length);
  std::span<const std::byte> content = in.take(entry.packed);
  if (entry.deflated) {
    storage.resize(static_cast<std::size_t>(entry.size) + 1);  // zlib wants room even where there is nothing to write
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("zlib has no memory");
    // zlib counts in 32 bits, so both sides go in pieces.
    constexpr std::size_t kPiece = 1 << 30;
    std::size_t read = 0, written = 0;
    int state = Z_OK;
    while (state == Z_OK) {
      if (stream.avail_in == 0) {
        const std::size_t piece = std::min(kPiece, content.size() - read);
        stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(content.data() + read));
        stream.avail_in = static_cast<uInt>(piece);
        read += piece;
      }
      if (stream.avail_out == 0) {
        const std::size_t piece = std::min(kPiece, storage.size() - written);
        stream.next_out = reinterpret_cast<Bytef*>(storage.data() + written);
        stream.avail_out = static_cast<uInt>(piece);
        written += piece;
      }
      state = inflate(&stream, Z_NO_FLUSH);
    }
    const std::size_t left = stream.avail_out + (storage.size() - written);
    inflateEnd(&stream);
    if (state != Z_STREAM_END || left != 1) fail(cat(quoted_name(name), " is damaged: it does not unpack to its size"));
    storage.pop_back();
    content = storage;
  }
  uLong sum = crc32(0, nullptr, 0);
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t piece = std::min<std::size_t>(content.size() - begin, 1 << 30);
    sum = crc32(sum, reinterpret_cast<const Bytef*>(content.data() + begin), static_cast<uInt>(piece));
    begin += piece;
  }
  if (sum != entry.checksum) fail(cat(quoted_name(name), " is damaged: its checksum does not match"));
  return content;
}

}  // namespace dhyan
