#include "interop/marian_shortlist.h"

#include <algorithm>
#include <cstring>

#include "interop/byte_reader.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kShortlistMagic = 0xF11A48D5013417F5;
constexpr std::size_t kChecked = 16;  // magic and checksum, which the checksum leaves out
constexpr std::uint64_t kMostWords = std::uint64_t{1} << 31;

// That of Marian: its hash_combine() over the 64-bit numbers of the rest; a last half of one is left out.
std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = kChecked; at + sizeof(sum) <= bytes.size(); at += sizeof(sum)) {
    std::uint64_t number;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    sum ^= number + 0x9e3779b9 + (sum << 6) + (sum >> 2);
  }
  return sum;
}

template <class T>
std::vector<T> read_numbers(ByteReader& in, std::uint64_t count) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  const std::span<const std::byte> bytes = in.take(count * sizeof(T));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

template <class T>
void append_numbers(std::string& to, const T* values, std::size_t count) {
  to.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

bool is_marian_shortlist(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof(kShortlistMagic) && ByteReader("", bytes).number<std::uint64_t>() == kShortlistMagic;
}

MarianShortlist parse_marian_shortlist(std::string_view where, std::span<const std::byte> bytes) {
  ByteReader in(where, bytes);
  if (!is_marian_shortlist(bytes)) in.fail("is no binary shortlist of Marian");
  in.number<std::uint64_t>();
  const auto stated = in.number<std::uint64_t>(), first = in.number<std::uint64_t>(), best = in.number<std::uint64_t>(),
             begins = in.number<std::uint64_t>(), words = in.number<std::uint64_t>();
  if (first > kMostWords || best > kMostWords) {
    in.fail(cat("states ", first, " first words and ", best, " for each, expected at most ", kMostWords));
  }
  if (begins == 0 || begins > in.left() / sizeof(std::uint64_t) || words > in.left() / sizeof(RowId) ||
      begins * sizeof(std::uint64_t) + words * sizeof(RowId) != in.left()) {
    in.fail(cat("states ", begins, " places and ", words, " words, which are not the ", in.left(), " bytes it has"));
  }
  if (const std::uint64_t sum = checksum_of(bytes); sum != stated) {
    in.fail(cat("is damaged: its checksum is ", sum, ", expected ", stated));
  }
  MarianShortlist shortlist{static_cast<Index>(first), static_cast<Index>(best), {}, {}};
  shortlist.begins = read_numbers<std::uint64_t>(in, begins);
  shortlist.words = read_numbers<RowId>(in, words);
  if (shortlist.begins.front() != 0 || shortlist.begins.back() != words || !std::ranges::is_sorted(shortlist.begins)) {
    in.fail(cat("places of words go from ", shortlist.begins.front(), " to ", shortlist.begins.back(),
                ", expected ascending numbers from 0 to ", words));
  }
  if (std::ranges::any_of(shortlist.words, [](RowId word) { return word < 0; })) in.fail("has words below 0");
  return shortlist;
}

std::string to_bytes(const MarianShortlist& shortlist) {
  const std::uint64_t header[] = {kShortlistMagic,
                                  0,
                                  static_cast<std::uint64_t>(shortlist.first),
                                  static_cast<std::uint64_t>(shortlist.best),
                                  shortlist.begins.size(),
                                  shortlist.words.size()};
  std::string bytes;
  append_numbers(bytes, header, std::size(header));
  append_numbers(bytes, shortlist.begins.data(), shortlist.begins.size());
  append_numbers(bytes, shortlist.words.data(), shortlist.words.size());
  const std::uint64_t sum = checksum_of(std::as_bytes(std::span(bytes)));
  std::memcpy(bytes.data() + sizeof(kShortlistMagic), &sum, sizeof(sum));
  return bytes;
}

}  // namespace dhyan
