#include "server/multipart.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "server/bad_request.h"

namespace dhyan::server {
namespace {

std::string field_part(std::string_view name, std::string_view bytes) {
  return cat("--b\r\nContent-Disposition: form-data; name=\"", name, "\"\r\n\r\n", bytes, "\r\n");
}

std::string refusal_of(std::string_view body, std::string_view boundary = "b") {
  return thrown<BadRequest>([&] { parse_multipart(body, boundary); });
}

TEST(Multipart, ReadsFieldsAndFiles) {
  const std::string body =
      "a preamble\r\n--b \t\r\ncontent-disposition:form-data; name=q\r\n\r\nhello\r\n"
      "--b\r\nContent-Type: image/png\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a b.png\"\r\n"
      "Content-Transfer-Encoding: Binary\r\n\r\n\x89PNG\r\n\r\n--bx\r\n--b--\r\nan epilogue";
  const auto parts = parse_multipart(body, "b");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "q");
  EXPECT_FALSE(parts[0].is_file);
  EXPECT_EQ(parts[0].bytes, "hello");
  EXPECT_EQ(parts[1].name, "picture");
  EXPECT_TRUE(parts[1].is_file);
  EXPECT_EQ(parts[1].file_name, "a b.png");
  EXPECT_EQ(parts[1].content_type, "image/png");
  EXPECT_EQ(parts[1].bytes, "\x89PNG\r\n\r\n--bx") << "a line that only begins like the boundary";
}

TEST(Multipart, KeepsEveryByte) {
  std::string bytes;
  for (int i = 0; i < 512; ++i) bytes += static_cast<char>(i);
  bytes += "\r\n\r\n--\r\n b--b--\n--b\n";
  const std::string body = field_part("x", bytes) + field_part("y", "") + field_part("z", "\r\n") + "--b--";
  const auto parts = parse_multipart(body, "b");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].bytes, bytes);
  EXPECT_EQ(parts[1].bytes, "");
  EXPECT_EQ(parts[2].bytes, "\r\n");
}

TEST(Multipart, TakesAFileWhoseNameIsEncoded) {
  const auto parts =
      parse_multipart("--b\r\nContent-Disposition: form-data; name=f; filename*=utf-8''%C3%A9\r\n\r\nx\r\n--b--", "b");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_TRUE(parts[0].is_file);
}

TEST(Multipart, MayHaveNoParts) { EXPECT_TRUE(parse_multipart("--b--\r\n", "b").empty()); }

TEST(Multipart, RefusesTruncationAtEveryByte) {
  const std::string body = field_part("q", "hello") + field_part("p", "x") + "--b--";
  ASSERT_EQ(parse_multipart(body, "b").size(), 2u);
  for (std::size_t size = 0; size < body.size(); ++size) EXPECT_NE(refusal_of(body.substr(0, size)), "") << size;
  EXPECT_EQ(refusal_of(field_part("q", "hel")), "multipart: part 1 has no boundary after it: the body is truncated");
}

TEST(Multipart, RefusesOtherForms) {
  EXPECT_EQ(refusal_of("q=1"), "multipart: the body has no line with the boundary of the Content-Type");
  EXPECT_EQ(refusal_of("--b\r\n--b--"), "multipart: part 1 has no empty line after its header");
  EXPECT_EQ(refusal_of("--b\r\n\r\nx\r\n--b--"), "multipart: part 1 has no Content-Disposition with a name");
  EXPECT_EQ(refusal_of("--b\r\nwords\r\n\r\nx\r\n--b--"), "multipart: part 1 has a header line without a colon");
  EXPECT_EQ(refusal_of(field_part("q", "") + "--b\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--"),
            "multipart: part 2 has a Content-Transfer-Encoding that is none of binary, 8bit, 7bit");
  EXPECT_EQ(refusal_of("----", ""), "multipart: the boundary has 0 characters, expected 1 to 70");
  EXPECT_NE(refusal_of("", std::string(71, 'b')), "");
}

TEST(Multipart, BoundsPartsAndTheirHeaders) {
  std::string body;
  for (std::size_t i = 0; i < kMaxParts; ++i) body += field_part("q", "x");
  EXPECT_EQ(parse_multipart(body + "--b--", "b").size(), kMaxParts);
  EXPECT_EQ(refusal_of(body + field_part("q", "x") + "--b--"), "multipart: the body has more than 1000 parts");
  EXPECT_EQ(refusal_of("--b\r\nX: " + std::string(kMaxPartHeader, 'x') + "\r\n\r\nx\r\n--b--"),
            "multipart: part 1 has a header of over 8192 bytes");
}

}  // namespace
}  // namespace dhyan::server
