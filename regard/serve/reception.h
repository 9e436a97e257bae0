#pragma once

#include <atomic>
#include <memory>

#include "regard/serve/service.h"

namespace regard {

/// Stands at the door while the service still loads its models: until open(), everyone is told to
/// come back soon (503). A Handler and an OwnAnswer.
class Reception {
 public:
  /// From now on the service answers.   REQUIRES that it outlives the server
  void open(Service& service) { service_ = &service; }

  void operator()(HttpRequest request, std::shared_ptr<Waiting> waiting, Respond respond);
  void reload();  ///< while it loads, there is nothing to load again
  void own_answer(const HttpRequest& request, HttpResponse& response);

 private:
  std::atomic<Service*> service_{nullptr};
};

}  // namespace regard
