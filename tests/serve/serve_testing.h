#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "regard/serve/service.h"
#include "tests/cli/support/small_model.h"

namespace regard::testing {

using Json = nlohmann::json;

inline HttpRequest get(std::string path, std::string query = "") {
  return {.method = "GET",
          .path = std::move(path),
          .query = std::move(query),
          .headers = {{"Host", "127.0.0.1:5000"}},
          .peer = "127.0.0.1"};
}

inline HttpRequest post(std::string path, std::string type, std::string body) {
  return {.method = "POST",
          .path = std::move(path),
          .headers = {{"Host", "localhost"}, {"Content-Type", std::move(type)}},
          .body = std::move(body),
          .peer = "127.0.0.1"};
}

inline HttpRequest post_json(std::string path, const Json& body) {
  return post(std::move(path), "application/json", body.dump());
}

inline HttpRequest post_form(std::string path, std::string body) {
  return post(std::move(path), "application/x-www-form-urlencoded", std::move(body));
}

/// An answer that may come later.
class Asked {
 public:
  Asked(Service& service, HttpRequest request) {
    future_ = promise_->get_future();
    service(
        std::move(request), cancel,
        [promise = promise_, done = std::make_shared<std::atomic<bool>>()](HttpResponse response) {
          if (!done->exchange(true)) promise->set_value(std::move(response));
        });
  }

  bool ready(std::chrono::milliseconds within = std::chrono::milliseconds(0)) {
    return future_.wait_for(within) == std::future_status::ready;
  }
  HttpResponse get() {
    if (!ready(std::chrono::seconds(60))) throw std::runtime_error("no answer within a minute");
    return future_.get();
  }

  std::shared_ptr<CancelToken> cancel = std::make_shared<CancelToken>();

 private:
  std::shared_ptr<std::promise<HttpResponse>> promise_ =
      std::make_shared<std::promise<HttpResponse>>();
  std::future<HttpResponse> future_;
};

inline HttpResponse ask(Service& service, HttpRequest request) {
  return Asked(service, std::move(request)).get();
}

inline Json body_of(const HttpResponse& response) {
  return Json::parse(response.body);
}

inline std::string header_of(const HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (same_word(key, name)) return value;
  return "";
}

/// A service with a small model from en to fr that nobody trained, at folder()/m.
class ServeTest : public ::testing::Test {
 protected:
  Service& service() {
    if (!service_) service_ = std::make_unique<Service>(spec, models(), log);
    return *service_;
  }
  std::vector<std::string> models() {
    if (models_.empty()) models_.push_back(write_small_model(folder_));
    return models_;
  }
  const Folder& folder() const { return folder_; }

  HttpResponse translate(const Json& body) { return ask(service(), post_json("/translate", body)); }
  /// The status and the text of the error of a POST with that JSON.
  std::pair<int, std::string> refused(const std::string& path, const std::string& json) {
    const HttpResponse response = ask(service(), post(path, "application/json", json));
    const Json body = body_of(response);
    return {response.status, body.value("error", body.value("message", ""))};
  }

  ServeSpec spec{};
  RequestLog log{};
  std::vector<std::string> models_;

 private:
  Folder folder_;
  std::unique_ptr<Service> service_;
};

}  // namespace regard::testing
