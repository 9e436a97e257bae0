#pragma once

#include "regard/backend/cpu/attention_f32.h"
#include "regard/backend/paged_attention.h"

namespace regard {

void attend_pages_f32(const AttentionChunk& chunk, const PagedKeys<f32>& pages, Heads<f32> y);

}  // namespace regard
