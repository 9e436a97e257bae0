// The page as it is sent: packed for who reads gzip, else plain, and the same content both ways.
#include "regard/page/page.h"
#include "regard/serve/http/gzip.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::get;
using testing::header_of;

class PageFiles : public testing::ServeTest {};

TEST_F(PageFiles, AreThePlainOnesOnceUnpacked) {
  for (const PageFile& file : page_files()) {
    HttpRequest request = get(std::string(file.path));
    const HttpResponse plain = ask(service(), request);
    EXPECT_EQ(plain.body, file.bytes);
    EXPECT_EQ(header_of(plain, "Content-Encoding"), "");
    EXPECT_EQ(header_of(plain, "Vary"), "Accept-Encoding");
    request.headers.emplace_back("Accept-Encoding", "br, gzip;q=0.5");
    const HttpResponse packed = ask(service(), request);
    EXPECT_EQ(header_of(packed, "Content-Encoding"), "gzip");
    EXPECT_EQ(packed.type, plain.type);
    EXPECT_EQ(std::get<std::string>(unpacked(packed.body, 1 << 20)), plain.body) << file.path;
  }
}

TEST(AcceptEncoding, NamesGzip) {
  for (const char* accepted : {"gzip", "gzip, deflate, br, zstd", "br ,\tgzip", "gzip;q=0.001",
                               "deflate, gzip; q=1.0, *;q=0"})
    EXPECT_TRUE(accepts_gzip(accepted)) << accepted;
  for (const char* refused :
       {"", "br", "gzip;q=0", "gzip;q=0.000", "x-gzip", "gzip2", "br, gzip; q=0"})
    EXPECT_FALSE(accepts_gzip(refused)) << refused;
}

}  // namespace
}  // namespace regard
