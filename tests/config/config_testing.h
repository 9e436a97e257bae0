#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "regard/base/check.h"
#include "regard/config/field_ref.h"
#include "regard/config/section.h"
#include "regard/config/toml.h"
#include "tests/support/law.h"

namespace regard::testing {

/// A group with a setting of every kind.
struct Example {
  bool fast = false;
  Index width = 8, count = 0;
  double rate = 0.1, free = 0;
  std::string kind = "cat", note = "";

  void each(auto&& visit) {
    visit(Field{"fast", "be fast"}, fast);
    visit(Field{"width", "how wide", 1, 65536}, width);
    visit(Field{"count", "how many"}, count);
    visit(Field{"rate", "how quickly", 0, 0.99}, rate);
    visit(Field{"free", "any number"}, free);
    visit(Field::choice("kind", "what kind", {"cat", "dog"}), kind);
    visit(Field{"note", "any text"}, note);
  }

  friend bool operator==(const Example& a, const Example& b) {
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    return a.fast == b.fast && a.width == b.width && a.count == b.count && a.kind == b.kind &&
           a.note == b.note && bits(a.rate) == bits(b.rate) && bits(a.free) == bits(b.free);
  }
};

/// One with any values: doubles of all sizes, texts that need escapes.
inline Example drawn_example(Draw& draw) {
  Example example;
  example.fast = draw.coin();
  example.width = draw.integer(1, 65536);
  example.count = static_cast<Index>(draw.rng("count").bits(0) << 32 | draw.rng("count").bits(1));
  example.rate = static_cast<double>(draw.integer(0, 990'000'000)) / 1e9;
  while (true) {
    const auto high = static_cast<std::uint64_t>(draw.integer(0, 0xffffffff));
    example.free =
        std::bit_cast<double>(high << 32 | static_cast<std::uint64_t>(draw.integer(0, 0xffffffff)));
    if (example.free - example.free == 0) break;  // finite
  }
  example.kind = draw.coin() ? "cat" : "dog";
  for (std::int64_t i = draw.integer(0, 12); i > 0; --i) {
    constexpr std::string_view pieces[] = {"a", " ", "\"", "\\",   "\n", "\x7f", "é",
                                           "😀", "#", "\t", "\x01", "=",  "'",    "]"};
    example.note += pieces[draw.integer(0, std::size(pieces) - 1)];
  }
  return example;
}

/// f must throw an Error of this fault that says just this.
template <class F>
void expect_fault(Fault fault, const std::string& says, const F& f) {
  try {
    f();
    ADD_FAILURE() << "no Error; expected one that says: " << says;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, fault) << error.what();
    EXPECT_EQ(std::string(error.what()), says);
  }
}

/// Two groups as the sections [model] and [train].
struct Settings {
  Example model, train;
  Origins origins;

  std::vector<Section> sections() {
    return {{"model", fields_of(model)}, {"train", fields_of(train)}};
  }
  void set(const std::string& assignment) { set_value(sections(), assignment, "--set", origins); }
  void read(const std::string& text) { read_toml_text(text, "c.toml", sections(), origins); }
};

}  // namespace regard::testing
