#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "regard/serve/service.h"

namespace regard {

/// Stands at the door while the service still loads its models: until open(), everyone is told to
/// come back soon (503). A Handler and an OwnResponse.
class StartupGate {
 public:
  /// From now on the service answers.   REQUIRES that it outlives this
  void open(Service& service);

  void operator()(HttpRequest request, std::shared_ptr<CancelToken> cancel, Respond respond);
  void own_response(const HttpRequest& request, double seconds, HttpResponse& response);

  /// Loads the models again, now or, if they are being loaded, after that: what was read by then
  /// may be older.
  void reload();

 private:
  std::atomic<Service*> service_{nullptr};
  std::mutex mutex_;
  bool again_ = false;  // asked to reload before there was a service
};

}  // namespace regard
