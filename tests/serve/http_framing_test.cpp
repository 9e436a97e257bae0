// What is a request and what is none: sizes, framing, encodings, paths. Raw bytes over loopback.
#include <zlib.h>

#include "tests/serve/http_testing.h"

namespace regard::testing {
namespace {

std::string gzip(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string head(std::string_view lines, std::string_view line = "POST /p HTTP/1.1") {
  return fmt::format("{}\r\nHost: localhost\r\n{}\r\n", line, lines);
}

std::string in_chunks(std::string_view rest) {
  return head("Transfer-Encoding: chunked\r\n") + std::string(rest);
}

class HttpFraming : public ::testing::Test {
 protected:
  /// The bytes get that status, an error text, and the end of the connection, without a reset.
  void refuses(int status, const std::string& bytes, const std::string& what) {
    Client client(server_.port());
    client.send(bytes);
    const Reply reply = client.reply();
    EXPECT_EQ(reply.status, status) << what << "\n" << reply.head << reply.body;
    EXPECT_TRUE(reply.body.starts_with("{\"error\":\"")) << what << reply.body;
    EXPECT_TRUE(reply.says_close()) << what;
    EXPECT_TRUE(client.ends()) << what;
  }
  Reply ask(std::string_view bytes) { return testing::ask(server_.port(), bytes); }

  LocalServer server_{echo, {.body_bytes = 1000}};
};

TEST_F(HttpFraming, BodyAboveTheLimitIsRefusedBeforeItComes) {  // covers SV1
  refuses(413, head("Content-Length: 1001\r\n"), "only the head was sent");
  refuses(413, head("Content-Length: 99999999999999999999999\r\n"), "beyond 64 bits");
  refuses(413, in_chunks("3e9\r\n"), "a chunk above the limit");
  refuses(413, in_chunks(std::string("3e8\r\n") + std::string(1000, 'x') + "\r\n1\r\n"),
          "the sum of chunks");
  refuses(413, in_chunks("ffffffffffffffff\r\n"), "2^64 - 1");
  EXPECT_EQ(ask(post_bytes(std::string(1000, 'x'))).body,
            std::string("POST /p?|") + std::string(1000, 'x'));
}

TEST_F(HttpFraming, ClientThatSendsAllFirstStillSeesThe413) {  // covers SV1
  const std::string body(8 << 20, 'x');
  refuses(413, post_bytes(body), "8 MB by length");
  refuses(413, in_chunks("800000\r\n" + body), "8 MB in a chunk");
}

TEST_F(HttpFraming, LengthThatLiesIsRefused) {  // covers SV1
  Client shorter(server_.port());
  shorter.send(head("Content-Length: 10\r\n") + "12345");
  shorter.end();
  EXPECT_EQ(shorter.reply().status, 400);
  Client longer(server_.port());
  longer.send(head("Content-Length: 3\r\n") + "12345\r\n\r\n");
  EXPECT_EQ(longer.reply().body, "POST /p?|123");
  EXPECT_EQ(longer.reply().status, 400) << "what follows is no request";
  EXPECT_TRUE(longer.ends());
  Client without(server_.port());
  without.send(head("") + "q=12345");
  EXPECT_EQ(without.reply().body, "POST /p?|") << "no length is no body";
  without.send("\r\n\r\n");
  EXPECT_EQ(without.reply().status, 400);
}

TEST_F(HttpFraming, GzipIsUnpackedWithinTheLimit) {  // covers SV2
  const std::string gzipped = "Content-Encoding: gzip\r\n";
  EXPECT_EQ(ask(post_bytes(gzip("hello"), gzipped)).body, "POST /p?|hello");
  EXPECT_EQ(ask(post_bytes(gzip("two ") + gzip("members"), gzipped)).body, "POST /p?|two members");
  EXPECT_EQ(ask(post_bytes("", gzipped)).body, "POST /p?|");
  EXPECT_EQ(ask(post_bytes("plain", "Content-Encoding: identity\r\n")).body, "POST /p?|plain");
  EXPECT_EQ(ask(post_bytes(gzip(std::string(1000, 'x')), gzipped)).status, 200);
  refuses(413, post_bytes(gzip(std::string(1001, 'x')), gzipped), "one byte over once unpacked");
  refuses(413, post_bytes(gzip(std::string(500'000, 'x')), gzipped), "a bomb");
  refuses(400, post_bytes("not gzip", gzipped), "not gzip");
  refuses(400, post_bytes(gzip("hello").substr(0, 20), gzipped), "cut");
  refuses(400, post_bytes(gzip("hello") + "tail", gzipped), "followed by something");
  for (const std::string encoding : {"br", "zstd", "gzip, gzip", "deflate", "x", ""})
    refuses(415, post_bytes("abc", "Content-Encoding: " + encoding + "\r\n"), encoding);
  refuses(415, post_bytes("abc", gzipped + gzipped), "two headers");
}

TEST_F(HttpFraming, HeadersAreBounded) {  // covers SV3
  const auto many = [](int count) {
    std::string lines;
    for (int i = 1; i < count; ++i) lines += std::string("X-") + std::to_string(i) + ": y\r\n";
    return head(lines, "GET / HTTP/1.1");
  };
  const auto long_one = [](std::size_t bytes) {
    return head(std::string("X: ") + std::string(bytes - 3, 'y') + "\r\n", "GET / HTTP/1.1");
  };
  EXPECT_EQ(ask(many(100)).status, 200);
  refuses(431, many(101), "101 headers");
  EXPECT_EQ(ask(long_one(8192)).status, 200);
  refuses(431, long_one(8193), "a header of 8,193 bytes");
  std::string lines;
  for (int i = 0; i < 5; ++i) lines += std::string("X: ") + std::string(7000, 'y') + "\r\n";
  refuses(431, head(lines, "GET / HTTP/1.1"), "35 KB of headers");
  refuses(431, std::string("GET / HTTP/1.1\r\nX: ") + std::string(33'000, 'y'),
          "33 KB without a line end");
}

TEST_F(HttpFraming, TargetsAreBounded) {  // covers SV3
  EXPECT_EQ(ask(get_bytes(std::string("/") + std::string(8191, 'a'))).status, 200);
  refuses(414, get_bytes(std::string("/") + std::string(8192, 'a')), "8,193 bytes");
  refuses(414, std::string("GET /") + std::string(1 << 20, 'a'), "a megabyte without an end");
}

TEST_F(HttpFraming, EndlessHeadersAreCutWithoutBeingKept) {  // covers SV3
  Client client(server_.port());
  client.send("GET / HTTP/1.1\r\n");
  for (int i = 0; i < 1000 && client.send(std::string("X: ") + std::string(997, 'y') + "\r\n"); ++i)
    continue;
  EXPECT_EQ(client.reply().status, 431);
}

TEST_F(HttpFraming, PathsThatCouldMeanAnotherAreRefused) {  // covers SV5 SV6
  for (const char* path : {"/../etc/passwd", "/a/../b", "/%2e%2e/x", "/.%2E/x", "/..%5cx", "/a\\b",
                           "//x", "/a//b", "/./a", "/a/.", "/a/..", "/a%2fb", "/a%2Fb", "/%2e"})
    refuses(404, get_bytes(path), path);
  for (const char* path : {"/%00", "/a%00.js", "/%0d%0aX:y", "/%0a", "/%7f", "/%", "/%4", "/%zz",
                           "/%ff", "/%c0%ae%c0%ae/", "x", "http://elsewhere/", "/a#b", "?x"})
    refuses(400, get_bytes(path), path);
  EXPECT_EQ(ask(get_bytes("/caf%C3%A9%20au/l%61it?a=%0d%0a&b")).body,
            "GET /caf\xC3\xA9 au/lait?a=%0d%0a&b|");
  EXPECT_EQ(ask(get_bytes("http://localhost/x?y")).body, "GET /x?y|");
  EXPECT_EQ(ask(get_bytes("/a/")).body, "GET /a/?|");
  EXPECT_EQ(ask(get_bytes("/..a/b..")).body, "GET /..a/b..?|");
}

TEST_F(HttpFraming, BodiesOfGetAreConsumed) {
  Client client(server_.port());
  const std::string hidden = get_bytes("/hidden");
  client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
              std::to_string(hidden.size()) + "\r\n\r\n" + hidden + get_bytes("/b"));
  EXPECT_EQ(client.reply().body, "GET /a?|" + hidden);
  EXPECT_EQ(client.reply().body, "GET /b?|");
}

}  // namespace
}  // namespace regard::testing
