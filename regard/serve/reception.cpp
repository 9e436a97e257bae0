#include "regard/serve/reception.h"

#include <utility>

#include "regard/serve/refusal.h"
#include "regard/serve/route.h"

namespace regard {

void Reception::open(Service& service) {
  {
    const std::lock_guard lock(mutex_);
    service_ = &service;
    if (!std::exchange(again_, false)) return;
  }
  service.reload();
}

void Reception::reload() {
  {
    const std::lock_guard lock(mutex_);
    again_ = !service_;
    if (again_) return;
  }
  service_.load()->reload();
}

void Reception::operator()(HttpRequest request, std::shared_ptr<Waiting> waiting, Respond respond) {
  if (Service* service = service_)
    (*service)(std::move(request), std::move(waiting), std::move(respond));
  else
    respond(shaped(request.path, response_of(later("Loading model"))));
}

void Reception::own_answer(const HttpRequest& request, double seconds, HttpResponse& response) {
  if (Service* service = service_) service->own_answer(request, seconds, response);
}

}  // namespace regard
