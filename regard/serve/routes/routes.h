#pragma once

#include "regard/serve/route.h"

/// The routes, each in the file of its name.
namespace regard::routes {

extern const Route translate, detect, languages, health, settings, spec, translate_file,
    download_file, suggest, metrics;
extern const Route deepl_translate, deepl_languages, deepl_usage;
extern const Route sentences, inspect, alternatives, score, tokenize, model, positional, weights,
    heads, runs, run_metrics, caption;

}  // namespace regard::routes
