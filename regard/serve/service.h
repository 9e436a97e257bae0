#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "regard/serve/engine/task_queue.h"
#include "regard/serve/guard/api_keys.h"
#include "regard/serve/guard/rate_limit.h"
#include "regard/serve/http/message.h"
#include "regard/serve/metrics.h"
#include "regard/serve/model/model_registry.h"
#include "regard/serve/spec.h"
#include "regard/serve/text/detect.h"

namespace regard {

struct Route;
struct HttpError;

/// A request on its way to its answer.
struct Call {
  HttpRequest request;
  std::shared_ptr<CancelToken> cancel;
  Respond respond;
  std::string client;            ///< address
  mutable bool counted = false;  ///< towards the requests of a minute

  std::function<bool()> wanted() const {
    return [cancel = cancel] { return !cancel->cancelled(); };
  }
};

/// Where a line about each request goes: method, path, status, time, address; never its text.
using RequestLog = std::function<void(std::string_view line)>;

/// Translation over HTTP, whoever carries the bytes: a Handler. Requests that need a model are
/// answered from other threads.
class Service {
 public:
  /// Loads the models. Throws Error(input) for a broken one, or for a bad file of keys.
  Service(ServeSpec spec, const std::vector<std::string>& folders, RequestLog log = {});

  void operator()(HttpRequest request, std::shared_ptr<CancelToken> cancel, Respond respond);

  /// Finishes a response the server sends by itself: an OwnResponse.
  void own_response(const HttpRequest& request, double seconds, HttpResponse& response);

  /// Loads the models again; requests never notice. One that is broken stays as it was.
  void reload();

  const ServeSpec& spec() const { return spec_; }
  std::shared_ptr<const Models> models() const { return registry_.models(); }
  std::shared_ptr<const Detector> detector() const;
  Metrics& metrics() { return metrics_; }
  const ApiKeys& keys() const { return keys_; }

  /// Counts a request of the key, or of the address if it is none of ours. Refuses who asks too
  /// often.
  void count(const Call& call, std::string_view key);
  /// Counts the request; refuses who asks too often, who has a wrong key, and, with `no_key`, who
  /// has none.
  void admit(const Call& call, std::string_view key, const HttpError& no_key);
  /// The same, but what is not refused is not counted: for a page or a monitor that looks again and
  /// again, and takes no work of a model.
  void admit_reader(const Call& call, std::string_view key, const HttpError& no_key);

 private:
  void dispatch(const Route& route, Call call);
  HttpError counted(const Call& call, const HttpError& refusal);
  void answer(const Route& route, const Call& call);
  Respond with_headers_and_log(const HttpRequest& request, std::string_view route,
                               std::string_view client, std::shared_ptr<CancelToken> cancel,
                               Respond respond);
  Headers cors_headers(std::string_view origin) const;
  void finish(HttpResponse& response, const Headers& headers, std::string_view route,
              std::string_view line, double seconds);

  const ServeSpec spec_;
  const RequestLog log_;
  const ApiKeys keys_;
  RateLimit limit_;
  Metrics metrics_;
  ModelRegistry registry_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Detector> detector_;
  TaskQueue request_queue_,
      inspect_queue_;  // to read requests; to answer those that take a model for themselves
};

}  // namespace regard
