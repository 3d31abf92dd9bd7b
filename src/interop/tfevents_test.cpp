#include "interop/tfevents.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace dhyan {
namespace {

// RFC 3720, B.4.
TEST(Crc32c, MatchesKnownValues) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  std::string ascending;
  for (char i = 0; i < 32; ++i) ascending += i;
  EXPECT_EQ(crc32c(ascending), 0x46dd794eu);
}

TEST(Crc32c, IsMaskedByRotatingAndAdding) {
  EXPECT_EQ(masked_crc32c(""), 0xa282ead8u);
  EXPECT_EQ(masked_crc32c("123456789"), 0xc78ab0e5u);
}

// An independent reader, which shares only the checksum with the writer.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  bool empty() const { return rest_.empty(); }

  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take(std::size_t n) {
    EXPECT_LE(n, rest_.size());
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = take<unsigned char>();
      number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }

 private:
  std::string_view rest_;
};

struct ParsedEvent {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string version;
  std::map<std::string, float> scalars;
};

void parse_value(Bytes value, ParsedEvent& event) {
  EXPECT_EQ(value.varint(), 1u << 3 | 2);
  const std::string name(value.take(value.varint()));
  EXPECT_EQ(value.varint(), 2u << 3 | 5);
  event.scalars[name] = value.take<float>();
  EXPECT_TRUE(value.empty());
}

ParsedEvent parse_event(Bytes bytes) {
  ParsedEvent event;
  while (!bytes.empty()) {
    switch (bytes.varint()) {
      case 1 << 3 | 1:
        event.wall_time = bytes.take<double>();
        break;
      case 2 << 3 | 0:
        event.step = static_cast<std::int64_t>(bytes.varint());
        break;
      case 3 << 3 | 2:
        event.version = bytes.take(bytes.varint());
        break;
      case 5 << 3 | 2: {
        Bytes summary(bytes.take(bytes.varint()));
        while (!summary.empty()) {
          EXPECT_EQ(summary.varint(), 1u << 3 | 2);
          parse_value(Bytes(summary.take(summary.varint())), event);
        }
        break;
      }
      default:
        ADD_FAILURE() << "a field that is none";
        return event;
    }
  }
  return event;
}

std::vector<ParsedEvent> parse_file(std::string_view file) {
  std::vector<ParsedEvent> events;
  Bytes bytes(file);
  while (!bytes.empty()) {
    const std::string_view length = bytes.take(8);
    std::uint64_t size = 0;
    std::memcpy(&size, length.data(), 8);
    EXPECT_EQ(bytes.take<std::uint32_t>(), masked_crc32c(length));
    const std::string_view data = bytes.take(size);
    EXPECT_EQ(bytes.take<std::uint32_t>(), masked_crc32c(data));
    events.push_back(parse_event(Bytes(data)));
  }
  return events;
}

TEST(TfEvents, AreReadBackWithTheirChecksums) {
  const std::vector<NamedScalar> scalars{{"train/loss", 1.5}, {"valid/BLEU", 31.25}};
  const std::vector<ParsedEvent> events =
      parse_file(tfevents_begin(1e9 + 0.25) + tfevents_scalars(1e9 + 1, 300, scalars) +
                 tfevents_scalars(2e9, std::int64_t{1} << 40, {}));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[0].wall_time, 1e9 + 0.25);
  EXPECT_EQ(events[1].step, 300);
  EXPECT_EQ(events[1].scalars, (std::map<std::string, float>{{"train/loss", 1.5f}, {"valid/BLEU", 31.25f}}));
  EXPECT_EQ(events[2].step, std::int64_t{1} << 40);
}

}  // namespace
}  // namespace dhyan
