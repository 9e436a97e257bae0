#include "regard/base/base64.h"
#include "regard/base/check.h"
#include "regard/image/fit.h"
#include "regard/image/png_reader.h"
#include "regard/image/source.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/trace/caption_json.h"
#include "regard/trace/picture_looks.h"

namespace regard::routes {
namespace {

constexpr const char* kPng = "image/png";
constexpr Index kMostPixels = Index{1} << 24;  // a few kB of PNG can be as many; each takes 4 bytes

/// A picture as it came, and what else is asked.
struct Asked {
  std::string png;
  Fields fields;
};

/// The picture is the body itself, and the query has the rest; or it is a field in base64.
Asked read(Service& service, const Call& call) {
  const HttpRequest& request = call.request;
  const std::string type = media_type(request.header("Content-Type"));
  if (type == kPng) {
    admit_counted_reader(service, call);
    return {request.body, Fields::of_query(request.query)};
  }
  if (type.starts_with("image/"))
    throw HttpError{.status = 415,
                    .text = "Content-Type is " + quoted(type) + "; expected " + kPng +
                            ", or application/json with a PNG in base64"};
  Fields fields = admitted(service, call);
  std::optional<std::string> png = bytes_of_base64(fields.needed("image"));
  if (!png) refuse("Invalid request: image parameter is not base64");
  return {std::move(*png), std::move(fields)};
}

Image square_of(const std::string& png, const ModelSpec& model) {
  try {
    return fit_to_square(parse_png(png, "image", kMostPixels), model.image_size);
  } catch (const Error& error) {
    if (error.fault != Fault::usage && error.fault != Fault::input) throw;
    refuse("Invalid request: ", error.what());
  }
}

/// As wide as the server's own, or what its limit of work allows.
Index asked_beam(const Fields& fields, const ServeSpec& spec, const PatchGrid& grid) {
  const Index beam = asked_whole(fields, "beam", spec.beam, 1, kMaxBeam);
  if (beam > spec.beam && beam * grid.count() > kMaxWork)
    refuse("Invalid request: beam parameter (", beam, ") times patches of a picture (",
           grid.count(), ") exceeds limit (", kMaxWork, ")");
  return beam;
}

HttpResponse response_of(const ServedModel& model, const Image& square,
                         const std::vector<Hypothesis>& best) {
  nlohmann::ordered_json body{{"schema", 1}, {"model", model.name()}};
  body.update(caption_json(model.loaded(), square, best));
  return json_response(body);
}

void answer(Service& service, const Call& call) {
  const Asked asked = read(service, call);
  const ServedModelPtr model = asked_captioner(*service.models(), asked.fields);
  const ModelSpec& spec = model->info().spec;
  DecodeSpec decode =
      serve_decode_spec(spec, asked_beam(asked.fields, service.spec(), grid_of(spec)), 1);
  decode.length_penalty = asked_length_penalty(asked.fields, decode.length_penalty);
  const Image square = square_of(asked.png, spec);
  const bool taken = model->engine().submit(
      {.sentences = {{.source = source_of(square, grid_of(spec)), .spec = decode}},
       .wanted = call.wanted(),
       .done = [model, square, wanted = call.wanted(), respond = call.respond](
                   const std::vector<std::vector<Hypothesis>>& best, std::exception_ptr error) {
         if (!wanted()) return;  // to find out where it looked takes the model once more
         try {
           if (!error) return respond(response_of(*model, square, best.front()));
         } catch (...) {
           error = std::current_exception();
         }
         respond(failure("Cannot caption the picture", error));
       }});
  if (!taken) throw queue_full();
}

}  // namespace

extern const Route caption{.method = "POST", .path = "/v1/caption", .answer = answer};

}  // namespace regard::routes
