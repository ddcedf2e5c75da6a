// What lessons ask of kernels, against the same counted here by hand from blocks and threads.
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace gradus;
using namespace gradus::test;

namespace {

Answer asked(const char* question, Parameters parameters, const Arguments& arguments = {}) { return ask("run_kernel", question, parameters, arguments); }

using Index = int (*)(int block, int thread, int blocks, int threads);
int right_one(int block, int thread, int, int threads) { return block * threads + thread; }
int no_size(int block, int thread, int, int) { return block + thread; }
int grid_size(int block, int thread, int blocks, int) { return block * blocks + thread; }
int one_short(int block, int thread, int, int threads) { return block * (threads - 1) + thread; }

} // namespace

TEST(who_writes_what_is_counted) {
    const struct {
        const char* rung;
        Index index;
        int n, blocks, threads;
    } rows[] = {
        {"1_block_and_thread", right_one, 16384, 64, 256}, {"2_no_block_size", no_size, 16384, 64, 256},  {"3_grid_size", grid_size, 16384, 64, 256},
        {"4_one_short", one_short, 16384, 64, 256},        {"1_block_and_thread", right_one, 5000, 7, 512}, {"3_grid_size", grid_size, 700, 9, 64},
        {"1_block_and_thread", right_one, 1000000, 3906, 256},
    };
    for (const auto& row : rows) {
        const Row named(fmt::format("{} {}", row.rung, row.n));
        std::vector<int> writes(static_cast<std::size_t>(row.n));
        for (int block = 0; block < row.blocks; ++block)
            for (int thread = 0; thread < row.threads; ++thread)
                if (const int i = row.index(block, thread, row.blocks, row.threads); i < row.n) ++writes[static_cast<std::size_t>(i)];
        const auto untouched = static_cast<double>(std::count(writes.begin(), writes.end(), 0));
        const int most = *std::max_element(writes.begin(), writes.end());
        const Parameters parameters{{"ladder", "faulty/thread_index"}, {"rung", row.rung}, {"sizes", fmt::format("n={},blocks={}", row.n, row.blocks)}, {"block", std::to_string(row.threads)}};
        CHECK_EQUAL(asked("untouched", parameters).number(), untouched);
        if (row.n > 100000) continue;
        CHECK_EQUAL(asked("written", parameters).number(), row.n - untouched);
        CHECK_ERROR(std::abs(asked("untouched_share", parameters).number() - 100 * untouched / row.n), 1e-9, "share");
        CHECK_EQUAL(asked("most_writers", parameters).number(), static_cast<double>(most));
        std::vector<std::string> names;
        for (int i = 0; i < row.n; ++i)
            if (writes[static_cast<std::size_t>(i)] == most) names.push_back(fmt::format("y[{}]", i));
        const Answer found = asked("most_written", parameters);
        CHECK(std::get<std::vector<std::string>>(found.value) == names);
        CHECK_EQUAL(found.found.at("y[0]"), static_cast<double>(writes[0]));
        CHECK(found.provenance == Provenance::counted);
    }
    CHECK_THROWS(asked("written", {{"ladder", "faulty/thread_index"}}, {{"buffer", "z"}}), ArgumentError, "'z'");
}

TEST(a_warps_elements_and_lines_follow_from_the_blocks_shape) {
    const struct {
        const char* block;
        int warp;
        const char* elements;
        double lines, unfilled;
    } rows[] = {
        {"32x8", 0, "y[0:1,0:32]", 1, 0},  {"32x8", 3, "y[3:4,0:32]", 1, 0},    {"64x4", 1, "y[0:1,32:64]", 1, 0},
        {"16x16", 1, "y[2:4,0:16]", 2, 0}, {"8x32", 2, "y[8:12,0:8]", 4, 0}, {"10x10", 3, "y[9:10,6:10]", -1, 100 * 28 / 128.0},
    };
    for (const auto& row : rows) {
        const Row named(row.block);
        const Parameters parameters{{"ladder", "copy_2d"}, {"block", row.block}, {"sizes", "rows=64,columns=512"}};
        CHECK_EQUAL(asked("warp_elements", parameters, {{"warp", std::to_string(row.warp)}}).text(), std::string(row.elements));
        CHECK_EQUAL(asked("unfilled_lanes", parameters).number(), row.unfilled);
        if (row.lines > 0) CHECK_EQUAL(asked("lines_per_request", parameters, {{"buffer", "x"}, {"access", "load"}}).number(), row.lines);
    }
    CHECK_THROWS(asked("warp_elements", {{"ladder", "copy_2d"}}, {{"warp", "32"}}), ArgumentError, "0 to 31");
}

TEST(sectors_follow_from_stride_and_start) {
    for (const int stride : {1, 2, 3, 4, 8, 16, 33})
        for (const int offset : {0, 1, 8}) {
            const Row named(fmt::format("stride {}, offset {}", stride, offset));
            std::map<int, int> sectors;
            for (int lane = 0; lane < 32; ++lane) ++sectors[(lane * stride + offset) / 8];
            const Parameters parameters{{"ladder", "strided_read"}, {"sizes", fmt::format("n=32,stride={},offset={}", stride, offset)}, {"block", "32"}};
            const Arguments loads{{"buffer", "x"}, {"access", "load"}};
            CHECK_EQUAL(asked("sectors_per_request", parameters, loads).number(), static_cast<double>(sectors.size()));
            CHECK_ERROR(std::abs(asked("useful_share", parameters, loads).number() - 100 * 4.0 / static_cast<double>(sectors.size())), 1e-9, "share");
        }
}

TEST(padding_of_a_tile_sets_the_turns_of_a_column) {
    const int turns[] = {32, 1, 2, 1, 4};
    for (int padding = 0; padding <= 4; ++padding) {
        const Row named(std::to_string(padding));
        const Parameters parameters{{"rung", "transpose_padding/1_tile"}, {"sizes", fmt::format("rows=64,columns=64,padding={}", padding)}};
        CHECK_EQUAL(asked("wavefronts_per_request", parameters, {{"buffer", "tile"}, {"access", "load"}}).number(), static_cast<double>(turns[padding]));
        if (padding == 0) CHECK_EQUAL(asked("dearest_access", parameters).text(), "tile_load");
    }
    const Answer naive = asked("dearest_access", {{"rung", "transpose/1_naive"}, {"sizes", "rows=64,columns=64"}});
    CHECK_EQUAL(naive.text(), "y_store");
    CHECK_EQUAL(naive.found.at("y_store"), 8.0);
    CHECK_EQUAL(naive.found.at("x_load"), 1.0);
}

TEST(turns_of_a_warp_are_told) {
    const Arguments loop{{"at", "fmaf(v"}};
    const auto loops = [](int usual, int longest, const char* rung = "1_by_thread") {
        return Parameters{{"ladder", "one_long_loop"}, {"rung", rung}, {"sizes", fmt::format("n=1024,usual={},longest={}", usual, longest)}};
    };
    for (const auto& [usual, longest] : {std::pair(10, 100), std::pair(3, 5), std::pair(7, 7)}) {
        const Row named(fmt::format("{} and {}", usual, longest));
        CHECK_EQUAL(asked("turns", loops(usual, longest), loop).number(), static_cast<double>(longest));
        CHECK_ERROR(std::abs(asked("working_share", loops(usual, longest), loop).number() - 100.0 * (31 * usual + longest) / (32 * longest)), 1e-9, "share");
        CHECK_EQUAL(asked("warp_takes", loops(usual, longest), loop).text(), "longest");
    }
    CHECK_EQUAL(asked("working_share", loops(10, 100, "2_by_warp"), loop).number(), 100.0);
    const Arguments places{{"among", "load: float v = x[i] | loop: fmaf(v | store: y[i] = v"}};
    CHECK_EQUAL(asked("meeting", loops(10, 100), places).text(), "store");
    CHECK_THROWS(asked("meeting", loops(7, 7), places), UnavailableError, "do not part");
    CHECK_THROWS(asked("meeting", loops(10, 100), {{"among", "load: float v = x[i]"}}), ArgumentError, "not among these");
    CHECK_EQUAL(asked("block_accesses", {{"rung", "stencil/2_shared"}, {"sizes", "n=1024"}, {"record_block", "1"}}, {{"buffer", "x"}}).number(), 264.0);
    CHECK_EQUAL(asked("block_accesses", {{"rung", "stencil/1_global"}, {"sizes", "n=1024"}, {"record_block", "1"}}, {{"buffer", "x"}}).number(), 9 * 256.0);
    CHECK_THROWS(asked("turns", loops(1, 2), {{"at", "nowhere"}}), ArgumentError, "'nowhere'");
    CHECK_EQUAL(asked("turns", {{"rung", "reduction/7_shuffle"}, {"sizes", "n=1024"}}, {{"at", "__shfl_down_sync"}, {"warp", "1"}, {"kind", "collective"}}).number(), 5.0);
}

TEST(kernels_are_compared) {
    const Parameters any{{"ladder", "transpose"}, {"sizes", "rows=64,columns=64"}};
    const Arguments loads{{"measure", "sectors_per_request"}, {"buffer", "x"}, {"access", "load"}, {"vary", "sizes"}, {"among", "late: stride=1,offset=1 | second: stride=2 | plain: n=64"}};
    const Answer largest = asked("largest", {{"ladder", "strided_read"}}, loads), order = asked("ascending", {{"ladder", "strided_read"}}, loads);
    CHECK_EQUAL(largest.text(), "second");
    CHECK(largest.found.at("late") == 5 && largest.found.at("second") == 8 && largest.found.at("plain") == 4 && largest.found_unit == "sectors");
    CHECK((std::get<std::vector<std::string>>(order.value) == std::vector<std::string>{"plain", "late", "second"}));
    CHECK_THROWS(asked("largest", any, {{"measure", "sectors"}}), ArgumentError, "nothing in");
    CHECK_THROWS(asked("largest", any, {{"measure", "largest"}, {"among", "a: transpose/1_naive"}}), ArgumentError, "measure");
    CHECK_THROWS(asked("largest", any, {{"measure", "sectors"}, {"among", "transpose/1_naive"}}), ArgumentError, "a: value");

    const Parameters square{{"ladder", "faulty/product_index"}, {"sizes", "M=96,N=96"}}, wide{{"ladder", "faulty/product_index"}};
    const auto effect = [](Parameters parameters, const char* rung, const char* against) {
        parameters["rung"] = rung;
        return asked("effect", parameters, {{"against", against}}).text();
    };
    CHECK_EQUAL(effect(square, "2_row_from_x", "1_column_from_x"), "slower");
    CHECK_EQUAL(effect(square, "1_column_from_x", "2_row_from_x"), "neither");
    CHECK_EQUAL(effect(square, "3_sides_swapped", "1_column_from_x"), "neither"); // a square hides it
    CHECK_EQUAL(effect(wide, "3_sides_swapped", "1_column_from_x"), "wrong");
    CHECK_EQUAL(asked("untouched", {{"ladder", "faulty/product_index"}, {"rung", "3_sides_swapped"}}).number(), 64.0 * 96);

    const Arguments near{{"reach", "8"}};
    CHECK_EQUAL(asked("wrong_at", {{"rung", "faulty/stencil_barrier/1_no_barrier"}, {"sizes", "n=4096"}}, near).text(), "warps");
    CHECK_EQUAL(asked("wrong_at", {{"rung", "stencil/2_shared"}, {"sizes", "n=4096"}}, near).text(), "nowhere");
    CHECK_EQUAL(asked("wrong_at", {{"rung", "faulty/thread_index/4_one_short"}}, near).text(), "everywhere"); // its last elements

    const Answer clean = asked("clean", any, {{"among", "add: vector_add/1_naive | sum: faulty/running_sum/1_thread_each | reverse: reverse/1_naive | place: faulty/reverse_in_place/1_thread_each"}});
    CHECK((std::get<std::vector<std::string>>(clean.value) == std::vector<std::string>{"add", "reverse"}));
    const Answer same = asked("repeats", any, {{"among", "tree: reduction/3_sequential | atomic: reduction/10_warp_atomic"}, {"schedules", "6"}, {"sizes", "n=8192"}});
    CHECK((std::get<std::vector<std::string>>(same.value) == std::vector<std::string>{"tree"}));
}

TEST(a_rung_with_its_ladders_name_is_that_ladders) {
    const Experiment& experiment = find_experiment("run_kernel");
    Parameters parameters = experiment.complete({{"ladder", "transpose"}, {"rung", "2_tiled"}, {"sizes", "rows=5"}, {"block", "32x4"}});
    parameters = experiment.with(parameters, "rung", "3_padded");
    CHECK(parameters.at("sizes") == "rows=5" && parameters.at("block") == "usual"); // the same ladder's
    parameters = experiment.with(parameters, "rung", "copy/1_naive");
    CHECK(parameters.at("sizes") == "usual" && parameters.at("ladder") == "transpose");
    CHECK_EQUAL(ask("run_kernel", "bytes", parameters).number(), 2.0 * 4 * 65536);
    CHECK_THROWS(find_experiment("run_kernel").start(setup_of("run_kernel", {{"rung", "copy/9_best"}})), ArgumentError, "no rung '9_best'");
    CHECK_THROWS(find_experiment("run_kernel").start(setup_of("run_kernel", {{"rung", "nothing/1"}})), ArgumentError, "no kernel 'nothing/1'");
}
