#include "engine/trace/derive/source_diff.hpp"

#include "tests/support/check.hpp"

#include <string>

using namespace gradus;
using namespace gradus::test;

namespace {

using Lines = std::vector<std::string_view>;

/// "=0/0 ~1/1 -2 +2": kinds with the lines of both.
std::string written(const std::vector<SourceRow>& rows) {
    std::string out;
    for (const SourceRow& row : rows) {
        if (!out.empty()) out += ' ';
        out += "=~-+"[static_cast<int>(row.kind)];
        if (row.left >= 0) out += std::to_string(row.left);
        if (row.left >= 0 && row.right >= 0) out += '/';
        if (row.right >= 0) out += std::to_string(row.right);
    }
    return out;
}

std::string words(std::string_view line, const std::vector<TextSpan>& spans) {
    std::string out;
    for (const TextSpan& span : spans) out += (out.empty() ? "" : "|") + std::string(line.substr(span.begin, span.end - span.begin));
    return out;
}

} // namespace

TEST(a_source_becomes_another_line_by_line) {
    const struct {
        const char* what;
        Lines left, right;
        std::string rows;
    } rows[] = {
        {"nothing", {}, {}, ""},
        {"the same", {"int a;", "int b;"}, {"int a;", "int b;"}, "=0/0 =1/1"},
        {"but for blanks", {"  int  a ;", "if (x) {"}, {"int a;", "    if(x){\t"}, "=0/0 =1/1"},
        {"a blank between two names counts", {"int a"}, {"inta"}, "-0 +0"},
        {"one more", {"load();", "store();"}, {"load();", "wait();", "store();"}, "=0/0 +1 =1/2"},
        {"one less", {"load();", "wait();", "store();"}, {"load();", "store();"}, "=0/0 -1 =2/1"},
        {"all of it is new", {}, {"a", "b"}, "+0 +1"},
        {"all of it is gone", {"a", "b"}, {}, "-0 -1"},
        {"a changed line", {"float tile[side][side];"}, {"float tile[side][side + 1];"}, "~0/0"},
        {"nothing in common", {"float sum = 0;"}, {"__syncthreads();"}, "-0 +0"},
        {"a brace holds nothing together", {"}", "long_call(first, second);"}, {"long_call(first, second);", "}"}, "-0 =1/0 +1"},
        {"nor against a line that has changed", {"}", "first = sum;"}, {"first = sum * 2;", "}"}, "-0 ~1/0 +1"},
        {"moved: what is heavier stays", {"int a;", "int longer_name = 4;"}, {"int longer_name = 4;", "int a;"}, "-0 =1/0 +1"},
        {"changed in the middle of what is new", {"y[i] = x[i];"}, {"wait();", "y[i] = x[i + 1];", "done();"}, "+0 ~0/1 +2"},
        {"the one that is more alike has changed", {"y[column * rows + row] = x[row * columns + column];"},
         {"y[column] = 0;", "y[column * rows + row] = tile[row * columns + column];"}, "+0 ~0/1"},
    };
    for (const auto& row : rows) {
        const Row named(row.what);
        CHECK_EQUAL(written(diff_sources(row.left, row.right)), row.rows);
    }
}

TEST(the_words_that_differ_are_named) {
    const struct {
        std::string_view left, right;
        std::string in_left, in_right;
    } rows[] = {
        {"float tile[side][side];", "float tile[side][side + 1];", "", "+ 1"},
        {"sum = fmaf(A, b, sum);", "sum = fmaf(a_tile, b[k], sum);", "A", "a_tile|[k]"},
        {"if (i < n)", "if (i <= n)", "<", "<="},
        {"read4(&a_tile[k][my_row], a);", "read4(&a_tile[half][k][my_row], a);", "", "[half]"},
        {"x += 1;", "x -= 1;", "+=", "-="},
        {"same", "  same", "", ""},
        {"all", "other", "all", "other"},
    };
    for (const auto& row : rows) {
        const Row named{std::string(row.left)};
        const LineDiff diff = diff_lines(row.left, row.right), back = diff_lines(row.right, row.left);
        CHECK_EQUAL(words(row.left, diff.left), row.in_left);
        CHECK_EQUAL(words(row.right, diff.right), row.in_right);
        CHECK_EQUAL(diff.alike, back.alike);
        CHECK(diff.alike >= 0 && diff.alike <= 1);
        CHECK_EQUAL(diff.alike == 1, row.in_left.empty() && row.in_right.empty());
    }
}

TEST(every_line_stands_once_in_its_order) {
    const Lines left{"a", "", "b", "c", "}", "", "d = e;", "}"}, right{"", "b", "x", "}", "d = f;", "", "}", "c"};
    int at_left = 0, at_right = 0;
    for (const SourceRow& row : diff_sources(left, right)) {
        if (row.left >= 0) CHECK_EQUAL(row.left, at_left++);
        if (row.right >= 0) CHECK_EQUAL(row.right, at_right++);
        CHECK_EQUAL(row.left >= 0 && row.right >= 0, row.kind == SourceRow::Kind::same || row.kind == SourceRow::Kind::changed);
    }
    CHECK_EQUAL(at_left, static_cast<int>(left.size()));
    CHECK_EQUAL(at_right, static_cast<int>(right.size()));
}
