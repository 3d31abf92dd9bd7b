#include "server/socket_activation.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan::server {
namespace {

using Descriptors = std::vector<int>;

TEST(SocketActivation, GivesTheSocketsThatAreMeantForThisProcess) {
  EXPECT_EQ(activated_sockets({"7", "2"}, 7), (Descriptors{3, 4}));
  EXPECT_EQ(activated_sockets({"7", "0"}, 7), Descriptors());
  EXPECT_EQ(activated_sockets({"8", "2"}, 7), Descriptors()) << "they were our parent's";
  EXPECT_EQ(activated_sockets({"", ""}, 7), Descriptors());
}

TEST(SocketActivation, RefusesANumberThatIsNone) {
  for (const char* count : {"", "two", "-1", "65", "1x"}) {
    EXPECT_NE(thrown<UsageError>([&] {
                activated_sockets({"7", count}, 7);
              }).find("LISTEN_FDS is '"),
              std::string::npos);
  }
}

TEST(SocketActivation, TakesTheVariablesOutOfTheEnvironment) {
  ::setenv("LISTEN_PID", "7", 1);
  ::setenv("LISTEN_FDS", "1", 1);
  ::setenv("LISTEN_FDNAMES", "dhyan.socket", 1);
  const Activation activation = Activation::of_environment();
  EXPECT_EQ(activation.process, "7");
  EXPECT_EQ(activation.sockets, "1");
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) EXPECT_EQ(::getenv(name), nullptr) << name;
}

}  // namespace
}  // namespace dhyan::server
