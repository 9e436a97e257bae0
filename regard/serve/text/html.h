#pragma once

#include <string>
#include <string_view>

#include "regard/serve/text/document.h"

namespace regard {

/// The text of HTML as passages: what stands between the tags of blocks is cut into sentences, or
/// is one passage with its inline tags if it has any. Tags, comments, and the content of <script>,
/// <style>, <code>, <textarea>, <noscript> and their like and of elements with translate="no" or
/// class="notranslate" stay as they are, byte for byte. Takes any bytes; a '<' that begins no tag
/// is text. Tags are those that a browser sees (serve/html/scan.h).
Document html_document(std::string_view html, Splitting splitting = Splitting::sentences);

/// A passage's translation with its tags and with &, <, > escaped. An element goes around the words
/// that its own words became; elements may change places with their neighbours, as words do, but
/// none is added, lost or put into another. If tags have no partner, all keep their order.
std::string with_tags(const Passage& passage, const LineTranslation& translation);

}  // namespace regard
