#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regard {

/// Names and values as they came, in their order.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// A whole request, checked for form and size.
struct HttpRequest {
  std::string method{}, path{}, query{};  ///< path decoded, without the query; query as it came
  Headers headers{};
  std::string body{};  ///< decoded from chunks and gzip
  std::string peer{};  ///< address of the client, without its port

  /// The value of the first header of that name, whatever its case; empty where there is none.
  std::string_view header(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::string body{};
  std::string type = "application/json";
  Headers headers{};
};

/// Whether anyone still waits for the answer: false once the client has left or its time is over.
class Waiting {
 public:
  bool operator()() const { return waiting_.load(std::memory_order_relaxed); }
  void end() { waiting_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> waiting_{true};
};

/// Answers a request, at once or later, from any thread, once; later answers are dropped.
using Respond = std::function<void(HttpResponse)>;
using Handler = std::function<void(HttpRequest request, std::shared_ptr<Waiting> waiting,
                                   Respond respond)>;

}  // namespace regard
