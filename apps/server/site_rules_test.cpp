#include "server/site_rules.h"

#include <gtest/gtest.h>

namespace dhyan::server {
namespace {

TEST(SiteRules, OwnHostsAreAddressesAndNamesThatWereGiven) {
  const std::vector<std::string> names{"translate.example.org"};
  for (const char* host : {"localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "[::1]", "192.168.1.7",
                           "page.localhost", "Translate.Example.org:443"}) {
    EXPECT_TRUE(is_own_host(host, names)) << host;
  }
  for (const char* host : {"evil.example.org", "127.0.0.1.evil.org", "localhost.evil.org", "", "translate.example"}) {
    EXPECT_FALSE(is_own_host(host, names)) << host;
  }
}

TEST(SiteRules, APageOfTheServerItselfHasItsHostAsOrigin) {
  EXPECT_TRUE(is_same_origin("http://localhost:8080", "localhost:8080"));
  EXPECT_TRUE(is_same_origin("https://Translate.example", "translate.example"));
  EXPECT_FALSE(is_same_origin("http://localhost:8081", "localhost:8080"));
  EXPECT_FALSE(is_same_origin("null", "localhost:8080"));
}

TEST(SiteRules, OtherOriginsMustBeNamed) {
  EXPECT_FALSE(is_allowed_origin("https://a.org", {}));
  EXPECT_TRUE(is_allowed_origin("https://a.org", std::vector<std::string>{"https://a.org"}));
  EXPECT_FALSE(is_allowed_origin("https://b.org", std::vector<std::string>{"https://a.org"}));
  EXPECT_TRUE(is_allowed_origin("https://b.org", std::vector<std::string>{"*"}));
}

HttpRequest request_from(const std::string& peer, const std::string& forwarded) {
  HttpRequest request;
  request.peer = peer;
  request.headers = {{"x-forwarded-for", forwarded}};
  return request;
}

TEST(SiteRules, OnlyTrustedProxiesSayWhoSentARequest) {
  const std::vector<std::string> proxies{"10.0.0.1", "10.0.0.2", "unix"};
  EXPECT_EQ(address_of_client(request_from("8.8.8.8", "1.2.3.4"), proxies), "8.8.8.8");
  EXPECT_EQ(address_of_client(request_from("10.0.0.1", "1.2.3.4"), proxies), "1.2.3.4");
  EXPECT_EQ(address_of_client(request_from("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2"), proxies), "1.2.3.4");
  EXPECT_EQ(address_of_client(request_from("", "1.2.3.4"), proxies), "1.2.3.4");
  EXPECT_EQ(address_of_client(request_from("", "1.2.3.4"), {}), "");
  EXPECT_EQ(address_of_client(request_from("10.0.0.1", ""), proxies), "10.0.0.1");
  HttpRequest twice = request_from("10.0.0.1", "6.6.6.6");
  twice.headers.emplace_back("x-forwarded-for", "1.2.3.4");
  EXPECT_EQ(address_of_client(twice, proxies), "1.2.3.4") << "the proxy added a field to the client's";
}

}  // namespace
}  // namespace dhyan::server
