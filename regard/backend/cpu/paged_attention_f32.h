#pragma once

#include "regard/backend/cpu/attention_f32.h"
#include "regard/backend/paged_attention.h"

namespace regard {

void attend_pages_f32(const AttentionChunk& chunk, const PagedKeys<f32>& pages, Heads<f32> y);

/// All heads of a sequence that has one query, where nothing stands in the way of the shortest
/// path: one head of keys a head, all keys seen and finite, and no more than one block of them.
/// Else false, and y may be written in part.
bool attend_one_query_f32(const AttentionProblem<f32>& problem, const PagedKeys<f32>& pages,
                          Index sequence, Heads<f32> y);

}  // namespace regard
