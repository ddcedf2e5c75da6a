#include "engine/trace/edit.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::test;

TEST(edit_reads_what_it_writes) {
    struct {
        const char* written;
        Edit wanted;
        const char* text;
    } const rows[] = {
        {"lr = 0.05", {Edit::Kind::setting, "lr", {}, {0.05}, ""}, "lr = 0.05"},
        {"  lr=1e-3 ", {Edit::Kind::setting, "lr", {}, {0.001}, ""}, "lr = 0.001"},
        {"lr = -inf", {Edit::Kind::setting, "lr", {}, {-INFINITY}, ""}, "lr = -inf"},
        {"activation = tanh", {Edit::Kind::setting, "activation", {}, {}, "tanh"}, "activation = tanh"},
        {"layers = 2,8,1", {Edit::Kind::setting, "layers", {}, {}, "2,8,1"}, "layers = 2,8,1"},
        {"W2[86, 7] = 3", {Edit::Kind::element, "W2", {86, 7}, {3}, ""}, "W2[86, 7] = 3"},
        {"b1[0]=-0.5", {Edit::Kind::element, "b1", {0}, {-0.5}, ""}, "b1[0] = -0.5"},
        {"W1 [ 1 , 2 ] = 0.1", {Edit::Kind::element, "W1", {1, 2}, {0.1}, ""}, "W1[1, 2] = 0.1"},
        {"point 3 = 0.5, -1", {Edit::Kind::point, "point", {3}, {0.5, -1}, ""}, "point 3 = 0.5, -1"},
        {"break nan", {Edit::Kind::breakpoint, "nan", {}, {}, ""}, "break nan"},
        {"break iteration 100", {Edit::Kind::breakpoint, "iteration", {}, {100}, ""}, "break iteration 100"},
        {"break nan off", {Edit::Kind::breakpoint, "nan", {}, {}, "off"}, "break nan off"},
        {"break iteration 100 off", {Edit::Kind::breakpoint, "iteration", {}, {100}, "off"}, "break iteration 100 off"},
        {"break gradient_norm 10.5", {Edit::Kind::breakpoint, "gradient_norm", {}, {10.5}, ""}, "break gradient_norm 10.5"},
    };
    for (const auto& row : rows) {
        const Row named(row.written);
        const Edit edit = Edit::parse(row.written);
        CHECK(edit == row.wanted);
        CHECK_EQUAL(edit.text(), row.text);
        CHECK(Edit::parse(edit.text()) == edit);
    }
}

TEST(a_breakpoint_is_set_once_and_taken_away) {
    std::vector<Edit> breakpoints;
    for (const char* text : {"break nan", "break iteration 7", "break nan", "break iteration 70"}) CHECK(change_breakpoints(breakpoints, Edit::parse(text)));
    CHECK_EQUAL(breakpoints.size(), std::size_t{3});
    CHECK(change_breakpoints(breakpoints, Edit::parse("break iteration 7 off")));
    CHECK(!change_breakpoints(breakpoints, Edit::parse("break iteration 7 off")));
    CHECK_EQUAL(breakpoints.size(), std::size_t{2});
    CHECK(breakpoints[0] == Edit::parse("break nan") && breakpoints[1] == Edit::parse("break iteration 70"));
}

TEST(edit_refuses_everything_else) {
    for (const char* text : {"", " ", "lr", "= 3", "lr =", "lr = ", "=", "W1[] = 3", "W1[1 = 3", "W1]1[ = 3", "[1] = 3",
                             "W1[1.5] = 3", "W1[1,] = 3", "W1[1] = x", "W1[1] = 1, 2", "W1[99999999999999999999] = 1",
                             "point = 1, 2[", "point 3 = 1", "point 3 = 1, 2, 3", "point x = 1, 2",
                             "point 1, 2 = 3, 4", "point 3 = 1,, 2", "break", "break ", "break dance", "break iteration",
                             "break iteration x", "break iteration 1 2", "break off", "break iteration off",
                             "break nan off off", "break nan of", "break nan 1", "break gradient_norm", "break gradient_norm 1e999",
                             "break = 3", "break=3", "point=3"}) {
        const Row row(text);
        CHECK_THROWS(Edit::parse(text), ArgumentError, "is no edit", "NAME = VALUE", text);
    }
    for (const char* text : {"W1[-1] = 3", "W1[0, -1] = 3", "point -1 = 1, 2"}) {
        const Row row(text);
        CHECK_THROWS(Edit::parse(text), ArgumentError, "indices count from 0, not -1", text);
    }
}

TEST(edit_of_any_text_is_read_or_refused) {
    const std::string alphabet = "lrW12[],= .-e0pointbreak nanx";
    std::uint64_t state = 7;
    int read = 0;
    for (int i = 0; i < 30'000; ++i) {
        std::string text;
        state = hash_bytes(&state, sizeof state);
        std::uint64_t letters = state;
        for (std::uint64_t length = state >> 60; length > 0; --length, letters /= 29) text += alphabet[letters % alphabet.size()];
        if (i % 3 == 0) text = "W1[" + text + "] = 3";
        if (i % 5 == 0) text = "point " + text;
        if (i % 7 == 0) text = "break " + text;
        try {
            const Edit edit = Edit::parse(text);
            ++read;
            bool number = true;
            for (const double value : edit.values) number &= value == value;
            if (number) CHECK(Edit::parse(edit.text()) == edit, text);
        } catch (const ArgumentError&) {
        }
        count_check();
    }
    CHECK(read > 100, std::to_string(read));
}

TEST(edit_that_writes_a_nan_equals_itself) { // else a Run with one would never be re-computed as equal
    CHECK(Edit::parse("W1[0, 0] = nan") == Edit::parse("W1[0, 0] = nan"));
    CHECK(!(Edit::parse("W1[0, 0] = nan") == Edit::parse("W1[0, 0] = 1")));
    CHECK(!(Edit::parse("W1[0, 0] = nan") == Edit::parse("W1[0, 1] = nan")));
}
