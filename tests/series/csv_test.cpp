#include "regard/series/csv.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "regard/base/real.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using Fields = std::vector<std::string_view>;

TEST(Csv, IsSplitAtCommasOutsideOfQuotes) {
  EXPECT_EQ(split_csv("a,b,c").fields, (Fields{"a", "b", "c"}));
  EXPECT_EQ(split_csv(" a b ,\t,c\t").fields, (Fields{"a b", "", "c"}));
  EXPECT_EQ(split_csv("").fields, (Fields{""}));
  EXPECT_EQ(split_csv(",").fields, (Fields{"", ""}));
  EXPECT_EQ(split_csv("\"a,b\",\"\" , \" c \"").fields, (Fields{"a,b", "", " c "}));
  const CsvLine quotes = split_csv(R"("a ""b"" c","""",""",""","""""")");
  EXPECT_EQ(quotes.fields, (Fields{R"(a "b" c)", "\"", "\",\"", "\"\""}));
}

TEST(Csv, SaysWhichFieldIsWrong) {
  EXPECT_EQ(split_csv("a,b\"c").fault,
            "field 2 has a quote inside; put the field in quotes and write the quote twice");
  EXPECT_EQ(split_csv("a,b,\"c").fault, "field 3 has no closing quote in this line");
  EXPECT_EQ(split_csv("\"a\"\"").fault, "field 1 has no closing quote in this line");
  EXPECT_EQ(split_csv("\"a\" b,c").fault,
            "field 1 goes on after its closing quote; expected a comma");
}

TEST(Csv, FieldsOfAnyTextAreReadAsTheyWere) {
  law("split(join(fields)) = fields", 500, [](Draw& draw) {
    std::vector<std::string> fields(static_cast<std::size_t>(draw.integer(1, 5)));
    std::string line;
    for (std::string& field : fields) {
      for (Index i = draw.integer(0, 6); i > 0; --i)
        field += std::string_view("\", \ta")[static_cast<std::size_t>(draw.integer(0, 4))];
      line += (&field == fields.data() ? "" : ",") + csv_field(field);
    }
    const CsvLine read = split_csv(line);
    ASSERT_EQ(read.fault, "") << line;
    ASSERT_EQ(read.fields, Fields(fields.begin(), fields.end())) << line;
  });
}

TEST(Csv, NumbersAreShortAndReadAsTheyWere) {
  EXPECT_EQ(csv_number(0.1), "0.1");
  EXPECT_EQ(csv_number(-2), "-2");
  EXPECT_EQ(csv_number(5.827000141143799), "5.827000141143799");
  law("a number read again is the same", 500, [](Draw& draw) {
    const auto number = std::bit_cast<double>(draw.rng("bits").bits(0));
    if (!std::isfinite(number)) return;
    const std::string text = csv_number(number);
    double again = 0;
    std::from_chars(text.data(), text.data() + text.size(), again);
    ASSERT_EQ(again, number) << text;
  });
}

}  // namespace
}  // namespace regard
