#include "regard/base/base64.h"

#include <gtest/gtest.h>

namespace regard {
namespace {

TEST(Base64, IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Base64, GivesTheBytesBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(bytes_of_base64(base64(bytes)), bytes);
    bytes.push_back(static_cast<char>(i * 37));
  }
}

TEST(Base64, IsReadOnlyAsItIsWritten) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zm9", "Z===", "====", "Zg==Zg==", "Zm9v\n", " Zm9v",
                           "Zm-_", "Zh==", "Zm9=", "Zm9v="})
    EXPECT_EQ(bytes_of_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace regard
