#include "engine/core/text.hpp"

#include "engine/core/philox.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

TEST(text_reads_integers_whole_or_not_at_all) {
    struct {
        std::string_view text;
        std::optional<std::int64_t> wanted;
    } const rows[] = {
        {"0", 0},   {"-7", -7},  {"9223372036854775807", INT64_MAX},  {"-9223372036854775808", INT64_MIN},
        {"007", 7}, {"", {}},    {"9223372036854775808", {}},         {"12 ", {}},
        {" 12", {}}, {"+1", {}}, {"1.0", {}},                         {"1e3", {}},
        {"0x10", {}}, {"-", {}}, {"--1", {}},                         {"１", {}},
    };
    for (const auto& row : rows) {
        const Row named{std::string(row.text)};
        CHECK(parse_integer(row.text) == row.wanted);
    }
    CHECK(!parse_integer(std::string_view()));
}

TEST(text_reads_numbers_whole_or_not_at_all) {
    struct {
        std::string_view text;
        std::optional<double> wanted;
    } const rows[] = {
        {"0", 0.0},     {"-0", -0.0},   {"0.1", 0.1},        {"1e3", 1000.0},  {".5", 0.5},     {"5.", 5.0},
        {"1E-3", 1e-3}, {"inf", INFINITY}, {"-inf", -INFINITY}, {"4.9e-324", 4.9e-324},
        {"", {}},       {"12 ", {}},    {" 1", {}},          {"1e999", {}},    {"-1e999", {}},  {"1,5", {}},
        {"0x10", {}},   {"1e", {}},     {"e5", {}},          {"+1", {}},       {"1..2", {}},    {"1 2", {}},
        {"\u22121.5e\u22123", -1.5e-3},    {"\u2212-1", {}},     {"1\u2212", {}},   {"\u2212", {}},   {"\xE2\x88", {}},
    };
    for (const auto& row : rows) {
        const Row named{std::string(row.text)};
        CHECK(parse_number(row.text) == row.wanted);
    }
    CHECK(parse_number("nan") && std::isnan(*parse_number("nan")));
    CHECK(std::signbit(*parse_number("-0")));
    CHECK(parse_integer("\u221212") == -12);
}

TEST(text_writes_numbers_that_read_back) {
    CHECK_EQUAL(number_text(0.1), "0.1");
    CHECK_EQUAL(number_text(-3), "-3");
    CHECK_EQUAL(number_text(1e100), "1e+100");
    CHECK_EQUAL(number_text(INFINITY), "inf");
    CHECK_EQUAL(number_text(-INFINITY), "-inf");
    CHECK(number_text(NAN).find("nan") != std::string::npos);
    const Philox random(1, 1);
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const auto words = random.block(i);
        const auto value = std::bit_cast<double>(std::uint64_t{words[0]} << 32 | words[1]);
        if (std::isnan(value)) continue;
        const auto again = parse_number(number_text(value));
        if (!again || std::bit_cast<std::uint64_t>(*again) != std::bit_cast<std::uint64_t>(value))
            CHECK(again && *again == value, number_text(value));
    }
    for (const double value : {5e-324, std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()})
        CHECK(parse_number(number_text(value)) == value);
}

TEST(text_splits_at_every_separator) {
    using Parts = std::vector<std::string_view>;
    CHECK_EQUAL(split("", ','), Parts{});
    CHECK_EQUAL(split("a", ','), Parts{"a"});
    CHECK_EQUAL(split("a,,b", ','), (Parts{"a", "", "b"}));
    CHECK_EQUAL(split("a,", ','), (Parts{"a", ""}));
    CHECK_EQUAL(split(",a", ','), (Parts{"", "a"}));
    CHECK_EQUAL(split(",", ','), (Parts{"", ""}));
    CHECK_EQUAL(split("784,256,10", ','), (Parts{"784", "256", "10"}));
}

TEST(text_trims_and_joins) {
    CHECK_EQUAL(trimmed(" \t a b \r\n"), "a b");
    CHECK_EQUAL(trimmed("   "), "");
    CHECK_EQUAL(trimmed(""), "");
    CHECK_EQUAL(joined({}), "");
    CHECK_EQUAL(joined({"a"}), "a");
    CHECK_EQUAL(joined({"a", "b", "c"}), "a, b, c");
    CHECK_EQUAL(joined({"a", "b"}, " and "), "a and b");
}

TEST(text_that_is_said_back_is_one_line_of_utf8) {
    struct {
        std::string_view text, wanted;
    } const rows[] = {
        {"", ""},
        {"a.gradus", "a.gradus"},
        {"손실 ≠ 0 𝛼", "손실 ≠ 0 𝛼"},
        {"two\nlines\tof\rwords", "two lines of?words"},
        {"\x1b[2J\x7f", "?[2J?"},
        {"\xc2\x9b", "?"},                   // a control character of two bytes
        {"a\xff.gradus", "a?.gradus"},
        {"\xc3", "?"},                       // cut short
        {"\xc0\xaf", "??"},                  // longer than it must be
        {"\xed\xa0\x80", "???"},             // half of a pair
        {"\xf4\x90\x80\x80", "????"},        // beyond the last character
        {"\xe2\x89\xa0\x80", "\xe2\x89\xa0?"}, // one too many
    };
    for (const auto& row : rows) CHECK_EQUAL(one_line(row.text), std::string(row.wanted));
}
