#include "core/number_text.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace dhyan {
namespace {

TEST(NumberText, ParsesToTheSameNumber) {
  for (const double number : {0.1 + 0.2, 1e-300, -3.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(parse_number<double>(number_text(number)), number);
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1e-5), "1e-05");
  EXPECT_EQ(parse_number<std::uint64_t>(number_text(~std::uint64_t{0})), ~std::uint64_t{0});
}

TEST(ParseNumber, RefusesATextThatIsNotAllNumber) {
  for (const char* text : {"", " 1", "1 ", "1x", "0x10", "+1", "one", "1.5"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number<int>("99999999999"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1.5e3"), 1500);
}

TEST(RealFromChars, ReadsWhatTheStandardLibraryReads) {
  for (const std::string text : {"",
                                 " ",
                                 "0",
                                 "-0",
                                 "1",
                                 "1.",
                                 ".5",
                                 "-.5",
                                 ".",
                                 "-",
                                 "--1",
                                 "+1",
                                 " 1",
                                 "1 ",
                                 "1x",
                                 "0x10",
                                 "-0X1p3",
                                 "00012",
                                 "1e5",
                                 "1e",
                                 "1e+",
                                 "1E-5",
                                 "1e+05",
                                 "1.5e3,",
                                 "1e400",
                                 "-1e400",
                                 "1e-400",
                                 "0e-400",
                                 "5e-324",
                                 "1e-310",
                                 "inf",
                                 "-inf",
                                 "Infinity",
                                 "nan",
                                 "-nan",
                                 "infx",
                                 "i",
                                 "one",
                                 "0.1",
                                 "123456789012345678901234567890",
                                 "2.2250738585072011e-308"}) {
    double expected = -7, read = -7;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
    const auto [own_end, own_error] = real_from_chars(text.data(), text.data() + text.size(), read);
    EXPECT_EQ(own_error, error) << text;
    EXPECT_EQ(own_end, end) << text;
    EXPECT_EQ(number_text(read), number_text(expected)) << text;
  }
}

TEST(Fixed, HasTheGivenNumberOfDecimals) {
  EXPECT_EQ(fixed(41.345, 2), "41.34") << "nearest to what the double holds";
  EXPECT_EQ(fixed(100, 1), "100.0");
  EXPECT_EQ(fixed(1e300, 0).size(), 301u);
  EXPECT_EQ(fixed(-0.001, 2), "0.00") << "no -0";
  EXPECT_EQ(fixed(std::numeric_limits<double>::infinity(), 2), "–");
}

TEST(Grouped, PutsCommasBetweenThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace dhyan
