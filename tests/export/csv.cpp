#include "engine/core/text.hpp"
#include "tests/export/hand_run.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

using Table = std::vector<std::vector<std::string>>;

/// RFC 4180, strictly: rows end with CRLF, quotes only around a whole field. Throws where the text breaks a rule.
Table parse_csv(const std::string& text) {
    Table rows{{}};
    std::size_t i = 0;
    while (i < text.size()) {
        std::string field;
        if (text[i] == '"') {
            for (++i;; ++i) {
                if (i >= text.size()) throw std::runtime_error("a quoted field has no end");
                if (text[i] != '"') field += text[i];
                else if (i + 1 < text.size() && text[i + 1] == '"') field += text[++i];
                else break;
            }
            ++i;
        } else {
            while (i < text.size() && text[i] != ',' && text[i] != '\r') {
                if (text[i] == '"' || text[i] == '\n') throw std::runtime_error("a field needs quotes");
                field += text[i++];
            }
        }
        rows.back().push_back(field);
        if (i < text.size() && text[i] == ',') {
            ++i;
            if (text.compare(i, 2, "\r\n") == 0) rows.back().emplace_back();
        }
        if (text.compare(i, 2, "\r\n") != 0) continue;
        i += 2;
        rows.emplace_back();
    }
    if (!rows.back().empty()) throw std::runtime_error("the last row has no end");
    rows.pop_back();
    return rows;
}

bool same_number(double a, double b) {
    return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Every field of every series is the Run's number, bit for bit, or empty where the Run has none.
void check_numbers(const Table& table, const Run& run, StepIndex from, StepIndex until) {
    REQUIRE(table.size() == static_cast<std::size_t>(until - from) + 1);
    for (std::size_t row = 1; row < table.size(); ++row) {
        const Row name(fmt::format("row {}", row));
        REQUIRE(table[row].size() == table[0].size());
        const StepIndex iteration = from + static_cast<StepIndex>(row) - 1;
        CHECK_EQUAL(table[row][0], std::to_string(iteration));
        for (std::size_t column = 1; column < table[0].size(); ++column) {
            const std::string series = table[0][column].substr(0, table[0][column].find(" ["));
            if (series == "edits") continue;
            const auto wanted = run.value_at(series, iteration);
            const auto got = parse_number(table[row][column]);
            REQUIRE(wanted.has_value() == !table[row][column].empty() && got.has_value() == wanted.has_value());
            if (wanted) CHECK(same_number(*got, *wanted), series);
        }
    }
}

} // namespace

TEST(csv_of_a_known_run) {
    const TemporaryFolder folder;
    const std::string text = contents_of(exported(folder, *hand_run(), "csv", "a.csv"));
    CHECK_EQUAL(text, "iteration,loss,step_seconds [s],\"odd, \"\"series\"\" [s]\",edits\r\n"
                      "0,0.1,7e-07,2.5e-300,\r\n"
                      "1,nan,7e-07,,\r\n"
                      "2,-inf,7e-07,2.5e-300,\"lr = 0.05; W1[1, 0] = 3\"\r\n"
                      "3,0.3333333333333333,7e-07,,\r\n");
    CHECK_EQUAL(parse_csv(text)[0][3], "odd, \"series\" [s]");
}

TEST(csv_of_a_part_and_of_nothing) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const Table part = parse_csv(contents_of(exported(folder, *run, "csv", "a.csv", {1, 2})));
    REQUIRE(part.size() == 2);
    CHECK_EQUAL(part[0].back(), "odd, \"series\" [s]"); // no edits, no column
    CHECK_EQUAL(part[1][0], "1");
    CHECK_EQUAL(parse_csv(contents_of(exported(folder, *run, "csv", "a.csv", {3, {}}))).size(), 2u);
    CHECK_EQUAL(parse_csv(contents_of(exported(folder, *empty_run(), "csv", "a.csv"))).size(), 1u);
}

TEST(csv_of_a_fork_begins_with_its_parent) {
    const TemporaryFolder folder;
    const auto fork = hand_fork(hand_run());
    const Table table = parse_csv(contents_of(exported(folder, *fork, "csv", "a.csv")));
    check_numbers(table, *fork, 0, 5);
    CHECK_EQUAL(table[1][1], "0.1");
    CHECK_EQUAL(table[4][1], "3");
    CHECK_EQUAL(table[3].back(), "lr = 0.05; W1[1, 0] = 3");
    CHECK_EQUAL(table[4].back(), "lr = 0.5");
}

TEST(csv_of_trained_runs) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "spirals"}, {"layers", "2,16,2"}}, 200, 7);
    const Table table = parse_csv(contents_of(exported(folder, *run, "csv", "a.csv")));
    check_numbers(table, *run, 0, 200);
    CHECK_EQUAL(joined(table[0]), "iteration, loss, accuracy, step_seconds [s], gradient_norm, test_accuracy");
    CHECK(!table[200].back().empty());
}
