#include "regard/serve/startup_gate.h"

#include <utility>

#include "regard/serve/http_error.h"
#include "regard/serve/route.h"

namespace regard {

void StartupGate::open(Service& service) {
  {
    const std::lock_guard lock(mutex_);
    service_ = &service;
    if (!std::exchange(again_, false)) return;
  }
  service.reload();
}

void StartupGate::reload() {
  {
    const std::lock_guard lock(mutex_);
    again_ = !service_;
    if (again_) return;
  }
  service_.load()->reload();
}

void StartupGate::operator()(HttpRequest request, std::shared_ptr<CancelToken> cancel,
                             Respond respond) {
  if (Service* service = service_)
    (*service)(std::move(request), std::move(cancel), std::move(respond));
  else
    respond(shaped(request.path, response_of(later("Loading model"))));
}

void StartupGate::own_response(const HttpRequest& request, double seconds, HttpResponse& response) {
  if (Service* service = service_) service->own_response(request, seconds, response);
}

}  // namespace regard
