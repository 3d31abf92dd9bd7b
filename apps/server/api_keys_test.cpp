#include "server/api_keys.h"

#include <algorithm>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan::server {
namespace {

class ApiKeysTest : public FolderTest {
 protected:
  ApiKeys keys(std::string_view text) const { return ApiKeys(temporary_.write("keys", text)); }

  // The message without the folder.
  std::string refusal(std::string_view text) const {
    const std::string message = thrown<DataError>([&] { keys(text); });
    return message.substr(std::min(message.size(), folder_.string().size() + 1));
  }
};

TEST_F(ApiKeysTest, HaveLimits) {
  const ApiKeys some = keys("# comment\n\n  first 60 1000\nsecond\t0 0  # any number\r\n");
  EXPECT_EQ(some.size(), 2u);
  ASSERT_TRUE(some.find("first"));
  EXPECT_EQ(some.find("first")->requests_per_minute, 60);
  EXPECT_EQ(some.find("first")->characters, 1000);
  ASSERT_TRUE(some.find("second"));
  EXPECT_EQ(some.find("second")->requests_per_minute, 0);
  EXPECT_EQ(keys("").size(), 0u);
}

TEST_F(ApiKeysTest, AreFoundWholeOnly) {
  const std::string longest(ApiKeys::kMaxKeyBytes, 'k');
  const ApiKeys some = keys("first 1 1\n" + longest + " 2 2\nthird 3 3\n");
  EXPECT_EQ(some.find("first")->characters, 1);
  EXPECT_EQ(some.find(longest)->characters, 2);
  EXPECT_EQ(some.find("third")->characters, 3);
  using namespace std::string_view_literals;
  for (const std::string_view other : {""sv, "\0"sv, "firs"sv, "First"sv, "first "sv, "first\0"sv, "second"sv}) {
    EXPECT_FALSE(some.find(other)) << other;
  }
  EXPECT_FALSE(some.find(longest + "k"));
  EXPECT_FALSE(ApiKeys().find("first"));
  EXPECT_FALSE(ApiKeys().find(""));
}

TEST_F(ApiKeysTest, AreRefusedWithFileAndLine) {
  EXPECT_EQ(refusal("# one\nsecret 1\n"), "keys:2: expected three words: key requests-per-minute characters");
  EXPECT_EQ(refusal("secret 1 1 1\n"), "keys:1: expected three words: key requests-per-minute characters");
  EXPECT_EQ(refusal("1 secret 1\n"), "keys:1: requests-per-minute is not a whole number from 0");
  EXPECT_EQ(refusal("secret 1 -1\n"), "keys:1: characters is not a whole number from 0");
  EXPECT_EQ(refusal("secret 1 1\nsecret 2 2\n"), "keys:2: the key is in the file already");
  EXPECT_EQ(refusal(std::string(129, 's') + " 1 1"), "keys:1: the key has 129 bytes, at most 128");
  EXPECT_THROW(ApiKeys(temporary_.path("missing")), IoError);
}

TEST_F(ApiKeysTest, AreBoundedInNumber) {
  std::string text;
  for (std::size_t i = 0; i < ApiKeys::kMaxKeys; ++i) text += cat("key", i, " 0 0\n");
  EXPECT_EQ(keys(text).size(), ApiKeys::kMaxKeys);
  EXPECT_EQ(refusal(text + "more 0 0\n"), "keys:10001: the file has more than 10000 keys");
}

}  // namespace
}  // namespace dhyan::server
