#include "regard/serve/reception.h"

#include "regard/serve/refusal.h"

namespace regard {

void Reception::operator()(HttpRequest request, std::shared_ptr<Waiting> waiting, Respond respond) {
  if (Service* service = service_)
    (*service)(std::move(request), std::move(waiting), std::move(respond));
  else
    respond(response_of(later("Loading model")));
}

void Reception::reload() {
  if (Service* service = service_) service->reload();
}

void Reception::own_answer(const HttpRequest& request, HttpResponse& response) {
  if (Service* service = service_) service->own_answer(request, response);
}

}  // namespace regard
