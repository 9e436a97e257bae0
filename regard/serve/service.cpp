#include "regard/serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "regard/base/check.h"
#include "regard/page/page.h"
#include "regard/serve/guard/client.h"
#include "regard/serve/guard/sha256.h"
#include "regard/serve/http/gzip.h"
#include "regard/serve/http_error.h"
#include "regard/serve/route.h"
#include "regard/serve/text/unknown_header.h"

namespace regard {
namespace {

std::shared_ptr<const Detector> detector_of(const Models& models) {
  std::map<std::string, std::vector<std::string>> languages;
  for (const std::string& language : source_languages(models)) {
    std::vector<std::string>& words = languages[language];
    for (const ServedModelPtr& model : models) {
      if (source_languages({model}) != std::vector{language}) continue;
      const Tokenizer& tokenizer = *model->info().source;
      for (Index id = kSpecials; id < tokenizer.size(); ++id)
        words.push_back(tokenizer.piece(static_cast<std::int32_t>(id)));
    }
  }
  return std::make_shared<const Detector>(languages);
}

HttpResponse error_of(const Route& route, const HttpError& refusal) {
  return shaped(route.path, response_of(refusal));
}

const PageFile* page_file(std::string_view path) {
  for (const PageFile& file : page_files())
    if (file.path == path) return &file;
  return nullptr;
}

HttpResponse page_response(const PageFile& file, bool packed) {
  HttpResponse response{.body = std::string(packed ? file.packed : file.bytes),
                        .type = std::string(file.type),
                        .headers = {{"Content-Security-Policy",
                                     "default-src 'self'; img-src 'self' data:; base-uri 'none'; "
                                     "form-action 'self'; "
                                     "frame-ancestors 'none'"},
                                    {"Vary", "Accept-Encoding"}}};
  if (packed) response.headers.emplace_back("Content-Encoding", "gzip");
  return response;
}

/// The methods a path knows, as in "GET, HEAD, POST"; empty: there is no such path.
std::string methods_of(std::string_view path) {
  if (path == "*") return "GET, HEAD, POST";
  std::string methods = page_file(path) ? "GET, HEAD" : "";
  for (const Route* route : all_routes())
    if (matches(*route, path) && methods.find(route->method) == methods.npos)
      methods += (methods.empty() ? "" : ", ") +
                 std::string(route->method == "GET" ? "GET, HEAD" : route->method);
  return methods;
}

std::string log_line(const HttpRequest& request, std::string_view client) {
  return fmt::format("method={} path={} client={}", quoted(request.method), quoted(request.path),
                     quoted(client));
}

}  // namespace

Service::Service(ServeSpec spec, const std::vector<std::string>& folders, RequestLog log)
    : spec_(std::move(spec)),
      log_(std::move(log)),
      keys_(spec_.key_file.empty() ? ApiKeys() : ApiKeys(spec_.key_file)),
      limit_(spec_.per_minute),
      registry_(folders, {.batch_tokens = spec_.batch_tokens, .queue = spec_.queue},
                {spec_.from, spec_.to, spec_.language_remedy}),
      detector_(detector_of(*registry_.models())),
      request_queue_(std::max<Index>(spec_.queue, 64)),
      inspect_queue_(std::max<Index>(spec_.queue / 4, 4)) {}

void Service::reload() {
  registry_.reload();
  std::shared_ptr<const Detector> fresh = detector_of(*models());
  const std::lock_guard lock(mutex_);
  detector_ = std::move(fresh);
}

std::shared_ptr<const Detector> Service::detector() const {
  const std::lock_guard lock(mutex_);
  return detector_;
}

void Service::operator()(HttpRequest request, std::shared_ptr<CancelToken> cancel,
                         Respond respond) {
  const Route* route = nullptr;
  for (const Route* each : all_routes())
    if (each->method == request.method && matches(*each, request.path)) route = each;
  const PageFile* file = request.method == "GET" ? page_file(request.path) : nullptr;
  const std::string client = client_address(request, spec_.proxies);
  respond = with_headers_and_log(request,
                                 route  ? route->path
                                 : file ? "page"
                                        : "none",
                                 client, cancel, std::move(respond));
  if (!host_allowed(request, spec_.host, spec_.hosts)) {
    constexpr const char* kWhy =
        "Host not allowed; use localhost or 127.0.0.1, or set serve.allow_host";
    return respond(shaped(request.path, error_response(403, kWhy)));
  }
  if (route)
    return dispatch(*route, {std::move(request), std::move(cancel), std::move(respond), client});
  if (file) return respond(page_response(*file, accepts_gzip(request.header("Accept-Encoding"))));
  const std::string methods = methods_of(request.path);
  if (methods.empty()) return respond(error_response(404, "Not found"));
  if (request.method == "OPTIONS")
    return respond({.status = 204, .type = "", .headers = {{"Allow", methods + ", OPTIONS"}}});
  HttpResponse refused = error_response(405, "Method not allowed; try " + methods);
  refused = shaped(request.path, std::move(refused));
  refused.headers = {{"Allow", methods + ", OPTIONS"}};
  respond(std::move(refused));
}

void Service::dispatch(const Route& route, Call call) {
  if (route.place == Route::Place::at_once) return answer(route, call);
  const Respond respond = call.respond;
  TaskQueue& queue = route.place == Route::Place::inspect_queue ? inspect_queue_ : request_queue_;
  const auto shared = std::make_shared<const Call>(std::move(call));
  const bool taken = queue.post([this, &route, shared] {
    if (!shared->cancel->cancelled()) answer(route, *shared);
  });
  if (!taken) respond(error_of(route, queue_full()));
}

void Service::answer(const Route& route, const Call& call) {
  try {
    route.answer(*this, call);
  } catch (const HttpError& refusal) {
    call.respond(error_of(route, counted(call, refusal)));
  } catch (const std::exception& error) {
    call.respond(shaped(route.path, internal_error(error.what())));
  } catch (...) {
    call.respond(shaped(route.path, internal_error("an exception of no known kind")));
  }
}

/// What is refused before it was counted, because it cannot be read, counts for its address.
HttpError Service::counted(const Call& call, const HttpError& refusal) {
  if (!call.counted) try {
      count(call, {});
    } catch (const HttpError& too_often) {
      return too_often;
    }
  return refusal;
}

Headers Service::cors_headers(std::string_view origin) const {
  if (spec_.cors.empty()) return {};
  if (spec_.cors != "*" && spec_.cors != origin) return {{"Vary", "Origin"}};
  return {{"Access-Control-Allow-Origin", spec_.cors},
          {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
          {"Access-Control-Allow-Methods", "GET, POST"},
          {"Access-Control-Expose-Headers", std::string(kUnknownHeader)},
          {"Access-Control-Max-Age", "1728000"},
          {"Vary", "Origin"}};
}

/// Adds the headers, and notes that the answer was given.
void Service::finish(HttpResponse& response, const Headers& headers, std::string_view route,
                     std::string_view line, double seconds) {
  response.headers.insert(response.headers.end(), headers.begin(), headers.end());
  metrics_.answered(route, response.status, seconds);
  if (log_) log_(fmt::format("{} status={} ms={:.1f}", line, response.status, seconds * 1e3));
}

void Service::own_response(const HttpRequest& request, double seconds, HttpResponse& response) {
  const Route* route = route_at(request.path);
  response = shaped(request.path, std::move(response));
  finish(response, cors_headers(request.header("Origin")), route ? route->path : "none",
         log_line(request, client_address(request, spec_.proxies)), seconds);
}

Respond Service::with_headers_and_log(const HttpRequest& request, std::string_view route,
                                      std::string_view client, std::shared_ptr<CancelToken> cancel,
                                      Respond respond) {
  const auto start = std::chrono::steady_clock::now();
  return [this, start, line = log_line(request, client), route = std::string(route),
          headers = cors_headers(request.header("Origin")), cancel = std::move(cancel),
          respond = std::move(respond)](HttpResponse response) {
    if (cancel->cancelled()) return;  // nobody gets it any more
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    finish(response, headers, route, line, passed.count());
    respond(std::move(response));
  };
}

void Service::count(const Call& call, std::string_view key) {
  call.counted = true;
  const auto hash = sha256(key);  // a key itself is kept nowhere
  const bool known = keys_.needed() && keys_.accepts(key);
  const Index wait =
      limit_.wait(known ? "key " + std::string(hash.begin(), hash.end()) : site_of(call.client));
  if (wait > 0)
    throw HttpError{.status = 429,
                    .text = fmt::format("Slowdown: {} per 1 minute", limit_.per_minute()),
                    .headers = {{"Retry-After", std::to_string(wait)}}};
}

void Service::admit(const Call& call, std::string_view key, const HttpError& no_key) {
  count(call, key);
  if (!keys_.needed() || keys_.accepts(key)) return;
  if (key.empty()) throw no_key;
  throw HttpError{.status = 403, .text = "Invalid API key"};
}

void Service::admit_reader(const Call& call, std::string_view key, const HttpError& no_key) {
  if (keys_.needed() && !keys_.accepts(key)) admit(call, key, no_key);
}

}  // namespace regard
