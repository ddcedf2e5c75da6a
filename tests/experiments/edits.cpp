// Kernels that a learner completes: what is accepted, what is refused, and what is said of it.
#include "engine/core/error.hpp"
#include "lessons/runtime/edit.hpp"
#include "tests/support/check.hpp"

#include <chrono>
#include <fmt/format.h>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {

const Library& written() {
    static const Library library = load_library(GRADUS_SOURCE_FOLDER "/lessons");
    return library;
}

const CheckEdit& edit_of(const std::string& card) {
    const Card* found = written().find(card);
    REQUIRE(found != nullptr, card);
    for (const Check& check : found->checks)
        if (check.edit) return *check.edit;
    throw ArgumentError(card + " asks for no kernel");
}

/// A small one: y is twice x, by threads that go on in steps of the grid; no demand but the result.
CheckEdit doubling() {
    CheckEdit edit;
    edit.kernel = "faulty/thread_index/5_grid_stride";
    edit.tries = {{"n=100,blocks=2", "64", 0}, {"n=33,blocks=1", "64", 0}};
    return edit;
}

std::string kernel(const std::string& body) { return "__global__ void thread_index_grid_stride(const float* x, float* y, int n) {\n" + body + "\n}\n"; }
const char* const right = "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos, from);
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    return text;
}

bool says(const EditVerdict& verdict, const std::string& part) {
    return verdict.engine.find(part) != std::string::npos || verdict.words.en.find(part) != std::string::npos;
}

std::string all_of(const EditVerdict& verdict) { return fmt::format("{} | {} | {}", verdict.engine, verdict.words.en, verdict.words.ko); }

} // namespace

TEST(every_kernel_of_the_cards_has_a_solution_and_a_beginning) {
    int edits = 0;
    for (const Card& card : written().cards)
        for (const Check& check : card.checks) {
            if (!check.edit) continue;
            ++edits;
            const Row named(card.id + " " + check.id);
            const EditVerdict solved = grade_edit(*check.edit, solution_of(*check.edit)), begun = grade_edit(*check.edit, check.edit->text);
            CHECK(solved.right, all_of(solved));
            CHECK(!begun.right, "nothing has to be written");
            CHECK(begun.words.en.find("compile") == std::string::npos, all_of(begun)); // it can be run and stepped
            CHECK(begun.engine.find("still at work") == std::string::npos, all_of(begun));
            CHECK(check.edit->text.find("// Yours") != std::string::npos, "nobody says where");
        }
    CHECK_EQUAL(edits, 10);
}

TEST(what_counts_is_the_result_and_the_counters) {
    const CheckEdit& transpose = edit_of("transpose-and-bank-conflicts");
    const std::string start = transpose.text, solution = solution_of(transpose);
    // Another XOR is as good; padding, or no tile, is not what is asked for.
    CHECK(grade_edit(transpose, replaced(replaced(solution, "threadIdx.x ^ (threadIdx.y + i)", "31 - threadIdx.x ^ (threadIdx.y + i)"), "(threadIdx.y + i) ^ threadIdx.x", "31 - (threadIdx.y + i) ^ threadIdx.x")).right);
    const EditVerdict padded = grade_edit(transpose, replaced(start, "tile[side][side]", "tile[side][side + 1]"));
    CHECK(!padded.right && says(padded, "shared memory of 4096 bytes: here 4\u2009224"), all_of(padded));
    CHECK(padded.words.ko.find("4\u2009224") != std::string::npos, padded.words.ko);
    const EditVerdict begun = grade_edit(transpose, start);
    CHECK(!begun.right && says(begun, "every read of shared memory takes 1 turn: here 32 (rows = 64, columns = 64, block 32 × 8)."), all_of(begun));
    CHECK(begun.words.ko.find("블록 32 × 8") != std::string::npos, begun.words.ko);
    const EditVerdict direct = grade_edit(transpose, "__global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {\n"
                                                     "    for (int k = 0; k < 32; k += blockDim.y) {\n"
                                                     "        const int row = blockIdx.y * 32 + threadIdx.y + k, column = blockIdx.x * 32 + threadIdx.x;\n"
                                                     "        if (row < rows && column < columns) y[column * rows + row] = x[row * columns + column];\n    }\n}\n");
    CHECK(!direct.right && says(direct, "every read of shared memory takes 1 turn: here 0"), all_of(direct));

    const CheckEdit& halo = edit_of("shared-memory-basics");
    const std::string no_barrier = replaced(solution_of(halo), "__syncthreads();", "");
    const EditVerdict race = grade_edit(halo, no_barrier);
    CHECK(!race.right && says(race, "nothing orders the two") && says(race, "n = 1\u2009000, radius = 4, block 256"), all_of(race));
}

TEST(a_wrong_kernel_is_told_the_first_thing_that_is_wrong) {
    const CheckEdit edit = doubling();
    CHECK(grade_edit(edit, kernel(right)).right);
    struct WrongRow {
        const char* name;
        std::string text;
        const char* said;
    };
    const WrongRow rows[] = {
        {"a slip of the pen", kernel("    int q = ;"), "It does not compile: line 2: "},
        {"a missing brace", "__global__ void thread_index_grid_stride(const float* x, float* y, int n) {", "It does not compile: line 1: "},
        {"another name", "__global__ void twice(const float* x, float* y, int n) {}\n", "It does not compile"},
        {"nothing", "", "It does not compile"},
        {"the word that stands for the rung's own", "own", "It does not compile"},
        {"a half", kernel("    const int i = threadIdx.x;\n    if (i < n && blockIdx.x == 0) y[i] = 2 * x[i];"), "y is not what the reference gives: its error is NaN (n = 100, blocks = 2, block 64)."},
        {"a wrong number", kernel("    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 3 * x[i];"), "its error is 0.5"},
        {"not a number", kernel("    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];\n    if (blockIdx.x + threadIdx.x == 0) y[0] = NAN;"), "its error is NaN"},
        {"right at one size alone", kernel("    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (n == 100 ? 2 : 1) * x[i];"), "(n = 33, blocks = 1, block 64)"},
        {"a race", kernel("    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = 2 * x[i];"), "nothing orders the two"},
        {"beyond the end", kernel("    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];"), "which has 400"},
        {"system()", "#include <cstdlib>\n" + kernel("    system(\"true\");"), "tried to start a process"},
        {"a loop without an end", kernel("    volatile int z = 0;\n    while (true) z = z + 1;"), "still at work after"},
    };
    for (const WrongRow& row : rows) {
        const Row named(row.name);
        const auto begun = std::chrono::steady_clock::now();
        const EditVerdict verdict = grade_edit(edit, row.text);
        CHECK(!verdict.right);
        CHECK(says(verdict, row.said), all_of(verdict));
        CHECK(all_of(verdict).find('\n') == std::string::npos, all_of(verdict)); // one sentence
        CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(60));
    }
}

TEST(a_demand_that_is_no_number_is_not_met) {
    CheckEdit edit = doubling();
    const auto demand = [&](const char* question, std::optional<double> least, std::optional<double> most, Arguments arguments = {}, const char* sizes = "") {
        edit.demands = {{{"so", "그렇게"}, question, std::move(arguments), least, most, sizes}};
        return grade_edit(edit, kernel(right));
    };
    CHECK(demand("most_writers", 1, 1).right);
    CHECK(!demand("most_writers", 2, {}).right);
    CHECK(!demand("dearest_access", 0, {}).right); // words are no number
    CHECK(says(demand("sectors", {}, 1, {{"buffer", "nowhere"}}), "there is no buffer 'nowhere'"));
    CHECK(demand("written", 100, 100, {}, "n=100,blocks=2").right); // of one size alone
    CHECK(says(demand("written", 100, 100), "so: here 33 (n = 33"));
}

TEST(grading_is_given_up_when_it_is_not_wanted) {
    std::stop_source stop;
    const std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        stop.request_stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    bool interrupted = false;
    try {
        grade_edit(doubling(), kernel("    volatile int z = 0;\n    while (true) z = z + 1;"), stop.get_token());
    } catch (const Interrupted&) {
        interrupted = true;
    }
    CHECK(interrupted);
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
}
