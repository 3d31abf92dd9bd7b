#include "data/lines.h"

#include <chrono>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

using Lines = std::vector<std::string>;
using namespace std::string_literals;

Lines rest_of(LineReader& reader) {
  Lines lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(reader.bad() ? "(bad)" : line);
  return lines;
}

Lines lines_of(std::string_view bytes, const ReadOptions& options = {}, std::size_t step = 1 << 20) {
  LineReader reader(std::make_unique<MemoryBytes>(bytes, step), "t", options);
  return rest_of(reader);
}

Lines lines_of_file(const std::string& file) {
  LineReader reader(file, {});
  return rest_of(reader);
}

std::string refusal(std::string_view bytes, const ReadOptions& options = {}) {
  return thrown<DataError>([&] { lines_of(bytes, options); });
}

TEST(LineReader, AcceptsEveryLineEnding) {
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"})) << "the last line needs no end";
  EXPECT_EQ(lines_of("\n\na\n"), (Lines{"", "", "a"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("a\rb\n"), Lines{"a\rb"}) << "a carriage return alone ends no line";
}

TEST(LineReader, DoesNotDependOnHowTheBytesArrive) {
  const std::string text = "\xef\xbb\xbfमैं खाना\r\n\nखा रहा हूँ\nend";
  for (std::size_t step = 1; step < 12; ++step) {
    EXPECT_EQ(lines_of(text, {}, step), (Lines{"मैं खाना", "", "खा रहा हूँ", "end"})) << step;
  }
}

TEST(LineReader, RemovesAByteOrderMarkAtTheStartOnly) {
  EXPECT_EQ(lines_of("\xef\xbb\xbfone\n\xef\xbb\xbftwo"), (Lines{"one", "\xef\xbb\xbftwo"}));
  EXPECT_EQ(lines_of("\xef\xbb\xbf"), Lines{""});
}

TEST(LineReader, RefusesBytesThatAreNotUtf8) {
  EXPECT_EQ(refusal("fine\nsixteen letters \xe0"
                    "A\n"),
            "t:2: byte 17: not UTF-8 (0xE0 0x41)");
  EXPECT_EQ(refusal("\xff\xfe\n"), "t:1: byte 1: not UTF-8 (0xFF 0xFE)");
  EXPECT_EQ(refusal("a\x80"), "t:1: byte 2: not UTF-8 (0x80)");
  EXPECT_EQ(refusal("\xef\xbb\xbf\x80"), "t:1: byte 4: not UTF-8 (0x80)") << "bytes of the file are counted";
  EXPECT_EQ(refusal("\xf0\x9f\x98"), "t:1: byte 1: not UTF-8 (0xF0 0x9F 0x98)");
  EXPECT_EQ(refusal("\xed\xa0\x80"), "t:1: byte 1: not UTF-8 (0xED 0xA0 0x80)") << "a surrogate";
}

TEST(LineReader, SkipsOrRepairsBadUtf8OnRequest) {
  const std::string text = "a\nb\xff\nc\n";
  EXPECT_EQ(lines_of(text, {.on_bad_utf8 = OnBadUtf8::kSkip}), (Lines{"a", "(bad)", "c"}));
  EXPECT_EQ(lines_of(text, {.on_bad_utf8 = OnBadUtf8::kReplace}), (Lines{"a", "b\ufffd", "c"}));
}

// A pipe: its reading end as a file, and a writer.
class Typed {
 public:
  Typed() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~Typed() {
    ::close(ends_[0]);
    end();
  }
  std::string file() const { return cat("/proc/self/fd/", ends_[0]); }
  void type(std::string_view text) const {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void end() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  int ends_[2];
};

TEST(LineReader, ReportsWhetherALineIsAvailable) {
  using namespace std::chrono_literals;
  Typed typed;
  typed.type("a\n");  // shorter than the magic bytes of a compressed file
  LineReader reader(typed.file(), {});
  std::string_view line;
  EXPECT_TRUE(reader.ready(0ms));
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "a");
  EXPECT_FALSE(reader.ready(1ms));
  typed.type("b\nc\n");
  EXPECT_TRUE(reader.ready(0ms));
  ASSERT_TRUE(reader.next(line));
  EXPECT_TRUE(reader.ready(0ms)) << "a line is in the buffer";
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "c");
  EXPECT_FALSE(reader.ready(0ms));
  typed.end();
  EXPECT_TRUE(reader.ready(0ms)) << "the end";
  EXPECT_FALSE(reader.next(line));
}

TEST(LineReader, RefusesNulBytes) {
  for (const OnBadUtf8 policy : {OnBadUtf8::kError, OnBadUtf8::kSkip, OnBadUtf8::kReplace}) {
    EXPECT_EQ(refusal("a\nbc\0d\n"s, {.on_bad_utf8 = policy}), "t:2: byte 3: a NUL byte; expected text in UTF-8");
  }
}

TEST(LineReader, BoundsTheLengthOfALine) {
  const ReadOptions options{.max_line_bytes = 10};
  EXPECT_EQ(lines_of("0123456789\nx", options), (Lines{"0123456789", "x"}));
  const std::string expected = "t:2: the line is longer than 10 bytes; does the text have one sentence per line?";
  EXPECT_EQ(refusal("x\n0123456789a\n", options), expected);
  EXPECT_EQ(refusal("x\n0123456789a", options), expected);
  EXPECT_EQ(refusal("x\n" + std::string(1'000'000, 'y'), options), expected);
}

TEST(LineReader, CountsTheRemainingLines) {
  for (const std::size_t step : {1, 2, 100}) {
    LineReader reader(std::make_unique<MemoryBytes>("a\nb\xff\n\nd", step), "t", {});
    std::string_view line;
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(reader.count_rest(), 3U) << step;
    EXPECT_FALSE(reader.next(line));
  }
  LineReader none(std::make_unique<MemoryBytes>(""), "t", ReadOptions{});
  EXPECT_EQ(none.count_rest(), 0U);
}

// A megabyte that does not compress well.
std::string long_text() {
  std::string text;
  for (std::uint32_t i = 0, x = 1; i < 60'000; ++i, x = x * 1664525 + 1013904223) text += std::to_string(x) + "\n";
  return text;
}

TEST(Compressed, IsDetectedByContentNotByName) {
  const CorpusFolder folder;
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    folder.text(name, "मैं\r\nyou");
    EXPECT_EQ(lines_of_file(folder.path(name)), (Lines{"मैं", "you"})) << name;
    std::filesystem::rename(folder.path(name), folder.path("unnamed"));
    EXPECT_EQ(lines_of_file(folder.path("unnamed")), (Lines{"मैं", "you"})) << name;
  }
  folder.text("e.gz", "");
  folder.text("e.zst", "");
  EXPECT_EQ(lines_of_file(folder.path("e.gz")), Lines{});
  EXPECT_EQ(lines_of_file(folder.path("e.zst")), Lines{});
}

TEST(Compressed, MayConsistOfSeveralStreams) {
  const CorpusFolder folder;
  const std::string text = long_text();
  for (const char* name : {"a.gz", "a.zst"}) {
    folder.text(name, text);
    const std::string bytes = folder.read(name);
    EXPECT_LT(bytes.size(), text.size());
    folder.write("twice", bytes + bytes);
    std::string joined;
    for (const std::string& line : lines_of_file(folder.path("twice"))) joined += line + "\n";
    EXPECT_TRUE(joined == text + text) << name;
  }
}

TEST(Compressed, IsRefusedIfTruncated) {
  const CorpusFolder folder;
  for (const auto& [name, kind] : {std::pair{"a.gz", "gzip"}, {"a.zst", "zstd"}}) {
    folder.text(name, long_text());
    const std::string bytes = folder.read(name);
    for (const std::size_t kept : {std::size_t{6}, bytes.size() / 2, bytes.size() - 1}) {
      const std::string file = folder.write("cut", bytes.substr(0, kept));
      EXPECT_EQ(thrown<DataError>([&] { lines_of_file(file); }),
                cat(file, ": ", kind, " data end too early; the file is truncated"))
          << kept;
    }
  }
}

TEST(Compressed, IsRefusedIfDamaged) {
  const CorpusFolder folder;
  for (const auto& [name, kind] : {std::pair{"a.gz", "gzip"}, {"a.zst", "zstd"}}) {
    folder.text(name, long_text());
    std::string bytes = folder.read(name);
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 8; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    const std::string file = folder.write("damaged", bytes);
    const std::string message = thrown<DataError>([&] { lines_of_file(file); });
    EXPECT_TRUE(message.starts_with(cat(file, ": damaged ", kind, " data: "))) << message;
  }
}

TEST(OpenBytes, NamesTheReasonAFileCannotBeRead) {
  const CorpusFolder folder;
  EXPECT_EQ(thrown<IoError>([&] { open_bytes(folder.path("none")); }),
            folder.path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(thrown<IoError>([&] { open_bytes(folder.path("")); }), folder.path("") + ": cannot read: Is a directory");
}

TEST(OpenBytes, CountsBytesOfTheDiskAndCallsPoll) {
  const CorpusFolder folder;
  folder.text("a.gz", long_text());
  int polled = 0;
  LineReader reader(folder.path("a.gz"), {.poll = [&] { ++polled; }});
  for (std::string_view line; reader.next(line);) {
  }
  EXPECT_EQ(reader.bytes().bytes_read(), folder.read("a.gz").size());
  EXPECT_EQ(reader.bytes().bytes_in_all(), folder.read("a.gz").size());
  EXPECT_GT(polled, 3);
  EXPECT_THROW(LineReader(folder.path("a.gz"), {.poll = [] { throw UsageError("stop"); }}), UsageError);
}

}  // namespace
}  // namespace dhyan
