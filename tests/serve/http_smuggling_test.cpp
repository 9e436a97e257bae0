// Shapes that two readers could understand differently: each is refused, and the connection ends.
#include "regard/serve/http/reader.h"
#include "regard/serve/http/response_bytes.h"
#include "tests/serve/http_testing.h"
#include "tests/support/law.h"

namespace regard::testing {
namespace {

constexpr Index kBodyBytes = 4 << 20;

std::string with(std::string_view lines, std::string_view rest = "") {
  return fmt::format("POST /p HTTP/1.1\r\nHost: h\r\n{}\r\n{}", lines, rest);
}

std::string chunked(std::string_view rest) {
  return with("Transfer-Encoding: chunked\r\n", rest);
}

/// Every shape is followed by a request that must not be run.
std::vector<std::string> shapes() {
  using namespace std::string_literals;
  std::vector<std::string> all = {
      with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
      with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
      with("Content-Length: 5\r\nContent-Length: 6\r\n", "123456"),
      with("Content-Length: 5\r\nContent-Length: 5\r\n", "12345"),
      with("Content-Length: 5\r\ncontent-length: 5\r\n", "12345"),
      with("X: a\rContent-Length: 5\r\n", "12345"),
      with("X: a\nContent-Length: 5\r\n", "12345"),
      with("Content-Length : 5\r\n", "12345"),
      with("Content-Length\t: 5\r\n", "12345"),
      with("Content-Length: 5\r\n folded: x\r\n", "12345"),
      with("X: y\r\n\tfolded\r\n"),
      with(" X: y\r\n"),
      with("X\r\n"),
      with(": y\r\n"),
      with("X Y: z\r\n"),
      with("X(: z\r\n"),
      with("X\xC3\xA9: z\r\n"),
      with("X: a\0b\r\n"s),
      with("X\0: b\r\n"s),
      with("X: a\x01"
           "b\r\n"),
      with("X: a\x7f\r\n"),
      with("Host: second\r\n"),
      with("X: y\n\r\n"),
      "GET / HTTP/1.1\nHost: h\n\n",
      "GET / HTTP/1.1\r\nHost: h\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\n\n",
      "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /  HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
      " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / a HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /\r\nHost: h\r\n\r\n",
      "GET /\r\n\r\n",
      "GET / HTTP/1.1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1\r\nHost: h\r\n\r\n",
      "GET / http/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/+1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\n Host: h\r\n\r\n",
      "GET /\xC3\xA9 HTTP/1.1\r\nHost: h\r\n\r\n",
      "G\"T / HTTP/1.1\r\nHost: h\r\n\r\n",
      "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s,
      "POST /p HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  };
  for (const char* length : {"+5", "-1", "5, 5", "5,5", "0x10", "5 5", "", "5.0", "5e1", "five",
                             "\"5\"", "5;", "05 06", "\xEF\xBC\x95"})
    all.push_back(with(fmt::format("Content-Length: {}\r\n", length), "12345"));
  for (const char* coding :
       {"xchunked", "chunked, chunked", "identity", "gzip, chunked", "chunked;q", "", "chunked,",
        "\"chunked\"", "chunked\x0b", "chunked identity", "cow"})
    all.push_back(with(fmt::format("Transfer-Encoding: {}\r\n", coding), "0\r\n\r\n"));
  all.push_back(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
  all.push_back(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n", "0\r\n\r\n"));
  all.push_back(with("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"));
  all.push_back(with("X: y\r\n Transfer-Encoding: chunked\r\n", "0\r\n\r\n"));
  for (const char* size : {"+5", "-1", "0x5", " 5", "5 ", "10000000000000000", "g", "", ";x", "5\t",
                           "00000000000000005", "5.", "5\n", "5\r", "5 ;x"})
    all.push_back(chunked(fmt::format("{}\r\nabcde\r\n0\r\n\r\n", size)));
  all.push_back(chunked("5\nabcde\r\n0\r\n\r\n"));
  all.push_back(chunked("5\r\nabcde\n0\r\n\r\n"));
  all.push_back(chunked("5\r\nabcdef\r\n0\r\n\r\n"));
  all.push_back(chunked("5\r\nabcd\r\n0\r\n\r\n"));
  all.push_back(chunked("5;\x01\r\nabcde\r\n0\r\n\r\n"));
  all.push_back(chunked("0\r\nX y\r\n\r\n"));
  all.push_back(chunked("0\r\n X: y\r\n\r\n"));
  all.push_back(chunked("0\r\n\n"));
  all.push_back(chunked(fmt::format("5;{}\r\nabcde\r\n0\r\n\r\n", std::string(1 << 20, 'x'))));
  all.push_back(chunked(fmt::format("0\r\nX: {}\r\n\r\n", std::string(1 << 20, 'x'))));
  std::string small;
  while (small.size() < 3'000'000) small += "1\r\nx\r\n";
  all.push_back(chunked(small));
  return all;
}

TEST(HttpSmuggling, EveryShapeIs400AndTheEnd) {  // covers SV4
  std::atomic<int> secrets{0};
  const LocalServer server(
      [&](const HttpRequest& request, const auto& cancel, const Respond& respond) {
        if (request.path == "/secret") ++secrets;
        echo(request, cancel, respond);
      },
      {.body_bytes = kBodyBytes});
  EXPECT_GE(shapes().size(), 90u);
  for (const std::string& shape : shapes()) {
    Client client(server.port());
    client.send(shape);
    client.send(get_bytes("/secret"));
    const Reply reply = client.reply();
    EXPECT_EQ(reply.status, 400) << shape.substr(0, 200) << "\n" << reply.head;
    EXPECT_TRUE(reply.says_close() && client.ends()) << shape.substr(0, 200);
  }
  EXPECT_EQ(secrets, 0);
  EXPECT_EQ(ask(server.port(), get_bytes("/secret")).status, 200);
}

/// What a reader makes of the bytes, given to it in pieces as `cut` says.
std::string outcome(const std::string& bytes, const std::function<std::size_t()>& cut) {
  std::string result, inbox;
  RequestReader reader(kBodyBytes);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t count = std::min(bytes.size() - at, cut());
    inbox.append(bytes, at, count);
    at += count;
    while (reader.feed(inbox) == RequestReader::At::whole) {
      const HttpRequest request = reader.take();
      result += request.method + request.path + "?" + request.query + "|" + request.body + "\n";
      reader = RequestReader(kBodyBytes);
    }
    if (reader.at() == RequestReader::At::refused)
      return result + fmt::format("{} {}", reader.refusal().status, reader.refusal().text);
  }
  reader.end();
  return result + fmt::format("{} {}", reader.refusal().status, reader.refusal().text);
}

std::vector<std::string> good() {
  return {get_bytes("/a?b"),
          post_bytes("12345"),
          post_bytes("1234567") + get_bytes("/c"),
          "\r\n" + get_bytes("/after-a-line"),
          chunked("5\r\nabcde\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n") + get_bytes("/d"),
          "GET / HTTP/1.0\r\n\r\n",
          with("X:\r\nY: \t z \t\r\nZ:\xFF\r\n")};
}

TEST(HttpSmuggling, WhatIsReadDoesNotDependOnHowItArrives) {
  std::vector<std::string> all = good();
  for (const std::string& shape : shapes())
    if (shape.size() < 10'000) all.push_back(shape + get_bytes("/secret"));
  law("any cut of the bytes gives the same requests and refusal", 1000, [&](Draw& draw) {
    const std::string& bytes = all[static_cast<std::size_t>(draw.number()) % all.size()];
    const int longest = draw.coin() ? 1 : 20;
    const std::string whole = outcome(bytes, [&] { return bytes.size(); });
    const std::string cut =
        outcome(bytes, [&] { return static_cast<std::size_t>(draw.integer(1, longest)); });
    ASSERT_EQ(cut, whole) << bytes;
  });
}

TEST(HttpSmuggling, AnyBytesAreReadOrRefused) {
  const std::vector<std::string> seeds = good();
  law("changed requests end in requests or a 4xx/5xx, with clean paths", 3000, [&](Draw& draw) {
    std::string bytes = seeds[static_cast<std::size_t>(draw.number()) % seeds.size()];
    for (int i = 0; i < draw.integer(1, 6); ++i) {
      const auto at =
          static_cast<std::size_t>(draw.integer(0, static_cast<Index>(bytes.size()) - 1));
      if (draw.coin())
        bytes[at] = static_cast<char>(draw.integer(0, 255));
      else
        bytes.insert(at, 1, "\r\n :;0,\t/%."[draw.integer(0, 10)]);
    }
    const std::string result = outcome(bytes, [&] { return bytes.size(); });
    EXPECT_EQ(result.find("/.."), result.npos) << result;
    const int status = std::stoi(result.substr(result.rfind('\n') + 1));
    EXPECT_TRUE(status == 0 || (status >= 400 && status <= 505)) << result;
  });
}

TEST(HttpSmuggling, NoLineEndEverReachesAResponseHeader) {  // covers SV5
  using namespace std::string_literals;
  for (const std::string& value :
       {"a\r\nSet-Cookie: x"s, "a\nb"s, "a\rb"s, "a\0b"s, "a\x7f"s, "a\tb"s}) {
    const ResponseBytes answer = response_bytes({.headers = {{"X-Echo", value}}}, {});
    EXPECT_TRUE(answer.head.starts_with("HTTP/1.1 500 ")) << answer.head;
    EXPECT_EQ(answer.head.find("X-Echo"), answer.head.npos);
  }
  for (const char* name : {"X\r\nY", "X:", "", "X Y"})
    EXPECT_TRUE(response_bytes({.headers = {{name, "v"}}}, {}).head.starts_with("HTTP/1.1 500 "));
  EXPECT_TRUE(response_bytes({.type = "text/html\r\nX: y"}, {}).head.starts_with("HTTP/1.1 500 "));
  const ResponseBytes ours = response_bytes(
      {.body = "abc", .headers = {{"content-length", "9"}, {"Connection", "x"}, {"X-A", "b"}}}, {});
  EXPECT_EQ(ours.head,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n"
            "X-A: b\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
            "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\r\n");
}

}  // namespace
}  // namespace regard::testing
