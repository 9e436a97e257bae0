#include "regard/serve/text/detect.h"

#include <cmath>

#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// Every language once, likeliest first, of all together at most 100.
void try_detect(std::string_view bytes) {
  static const Detector detector({{"en", {}}, {"fr", {}}, {"xx", {"foo", "bar"}}});
  const std::vector<Detection> found = detector.detect(bytes);
  law(found.size() == 3, "languages are missing");
  double sum = 0, last = 100;
  for (const Detection& each : found) {
    law(each.confidence >= 0 && each.confidence <= last, "confidence ", each.confidence);
    sum += last = each.confidence;
  }
  law(sum <= 100.2, "together ", sum);  // each is rounded to a tenth
}

}  // namespace

extern const FuzzTarget detect{.name = "detect",
                               .about = "the language of a text",
                               .max_bytes = 64,
                               .attempt = try_detect,
                               .slow = true};

}  // namespace regard::targets
