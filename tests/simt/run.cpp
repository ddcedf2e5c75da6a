#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/runtime/print_words.hpp"
#include "tests/simt/edited.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

KernelRequest request_of(const char* name, const fs::path& source = {}) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung(name);
    request.sizes = {{"rows", 64}, {"columns", 64}};
    request.source = source.string();
    request.at_most = std::chrono::milliseconds(20'000);
    return request;
}

/// The naive transpose, with a body of one's own.
std::string body(const std::string& text, const std::string& before = {}) {
    return before + "\n__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {\n" // line 2
                    "    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;\n" // line 3
                    "    if (row >= rows || column >= columns) return;\n" + text + "\n}\n"; // line 5
}

const std::string tiled_without_barrier = R"(
__global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += blockDim.y) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * columns + column];
    column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += blockDim.y) y[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
}
)";

} // namespace

TEST(faults_are_found_at_their_line) {
    const struct {
        const char* name;
        std::string text;
        Finding::Kind kind;
        int line;
        const char* buffer;
    } rows[] = {
        {"past the end", body("    y[column * rows + row + 4096] = x[row * columns + column];"), Finding::Kind::out_of_bounds, 5, "y"},
        {"before the beginning", body("    y[column * rows + row] = x[row * columns + column - 1];"), Finding::Kind::out_of_bounds, 5, "x"},
        {"misaligned", body("    const float4 four = *reinterpret_cast<const float4*>(x + 1);\n    y[column * rows + row] = four.x;"), Finding::Kind::misaligned, 5, "x"},
        {"all to one place", body("    y[0] = x[row * columns + column];"), Finding::Kind::race, 5, "y"},
        {"neighbour's place", body("    y[column * rows + row] = x[row * columns + column];\n    y[column * rows + (row + 1) % rows] = 0;"), Finding::Kind::race, 6, "y"},
        {"never written", body("    __shared__ float s[64];\n    y[column * rows + row] = s[threadIdx.x];"), Finding::Kind::uninitialised, 6, "s"},
        {"outside its array", body("    __shared__ float s[8];\n    s[threadIdx.x] = 1;\n    y[column * rows + row] = 1;"), Finding::Kind::out_of_bounds, 6, ""},
        {"two barriers", body("    if (threadIdx.x < 16) __syncthreads();\n    else __syncthreads();\n    y[column * rows + row] = x[row * columns + column];"),
         Finding::Kind::mismatched_barrier, 6, ""},
        {"a shuffle alone", body("    if (threadIdx.x == 3) y[0] = __shfl_sync(0xffffffff, x[0], 0);"), Finding::Kind::never_meets, 5, ""},
        {"a failed assert", body("    assert(column < 3);\n    y[column * rows + row] = x[row * columns + column];"), Finding::Kind::trap, 5, ""},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Edited edited(row.text);
        const KernelRun run = run_kernel(request_of("transpose/1_naive", edited.path));
        REQUIRE(run.end.done, run.end.why);
        CHECK(!run.right());
        bool found = false;
        std::string all;
        for (const KernelFinding& finding : run.findings) {
            all += finding.sentence + "; ";
            found |= finding.kind == row.kind && finding.place.line == row.line && finding.place.file.ends_with(".cu") && (!*row.buffer || finding.buffer == row.buffer);
        }
        CHECK(found, all);
    }
}

TEST(a_missing_barrier_is_a_race_and_two_outputs) {
    const Edited edited(tiled_without_barrier);
    KernelRequest request = request_of("transpose/2_tiled", edited.path);
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done, run.end.why);
    bool race = false;
    for (const KernelFinding& finding : run.findings)
        if (finding.kind == Finding::Kind::race) {
            race = true;
            CHECK_EQUAL(finding.buffer, "tile");
            CHECK(finding.place.line + finding.other.line == 5 + 7, finding.sentence);
            CHECK(finding.thread != finding.second, finding.sentence);
        }
    CHECK(race);
    CHECK(run.answer.lockstep);
    int different = 0;
    request.options.schedule = 1;
    const KernelRun first = run_kernel(request);
    for (const std::uint64_t schedule : {2u, 3u, 4u}) {
        request.options.schedule = schedule;
        different += run_kernel(request).outputs() != first.outputs();
    }
    CHECK(different > 0);
}

TEST(schedules_do_not_change_what_is_right) {
    KernelRequest request = request_of("transpose/2_tiled");
    const KernelRun plain = run_kernel(request);
    for (const std::uint64_t schedule : {1u, 2u, 99u}) {
        request.options.schedule = schedule;
        const KernelRun run = run_kernel(request);
        CHECK(run.right());
        CHECK(run.outputs() == plain.outputs());
    }
}

TEST(misdeeds_end_with_a_sentence) {
    const struct {
        const char* name;
        std::string text;
        const char* says;
    } rows[] = {
        {"system()", body("    y[0] = system(\"touch /tmp/gradus-was-here\");", "extern \"C\" int system(const char*);"), "start a process"},
        {"fork", body("    for (;;) fork();", "extern \"C\" int fork();"), "tried to start a process"},
        {"a file", body("    y[0] = open(\"/tmp/gradus-was-here\", 66, 384);", "extern \"C\" int open(const char*, int, ...);"), "tried to change a file"},
        {"abort", body("    abort();", "extern \"C\" void abort();"), "gave up"},
        {"a null pointer behind the interpreter's back", body("    memset(nullptr, 1, 100);"), "touched memory"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Edited edited(row.text);
        KernelRequest request = request_of("transpose/1_naive", edited.path);
        request.at_most = std::chrono::milliseconds(2000);
        request.options.budget = std::int64_t{1} << 60;
        const KernelRun run = run_kernel(request);
        CHECK(!run.end.done);
        CHECK(run.end.why.find(row.says) != std::string::npos, run.end.why);
        CHECK(!fs::exists("/tmp/gradus-was-here"));
    }
    const Edited hungry(body("    static char* all = static_cast<char*>(malloc(100ull << 30));\n    if (all) all[0] = 1;\n    else __trap();"));
    const KernelRun run = run_kernel(request_of("transpose/1_naive", hungry.path));
    CHECK(!run.right());
    const Edited null(body("    float* nothing = reinterpret_cast<float*>(rows & 1);\n    nothing[column] = 1;"));
    const KernelRun nowhere = run_kernel(request_of("transpose/1_naive", null.path));
    REQUIRE(nowhere.end.done && !nowhere.findings.empty(), nowhere.end.why);
    CHECK(nowhere.findings[0].sentence.find("writes 4 bytes at address 0x") != std::string::npos, nowhere.findings[0].sentence);
    CHECK(nowhere.findings[0].buffer.empty() && nowhere.findings[0].sentence.ends_with(", where no buffer is"), nowhere.findings[0].sentence);
    const Edited loop(body("    for (float sum = 0;; sum += x[0]) y[column * rows + row] = sum;"));
    KernelRequest request = request_of("transpose/1_naive", loop.path);
    request.options.budget = 1'000'000;
    const KernelRun endless = run_kernel(request);
    REQUIRE(endless.end.done, endless.end.why);
    REQUIRE(!endless.findings.empty());
    CHECK(endless.findings.front().kind == Finding::Kind::endless);
    CHECK_EQUAL(endless.findings.front().place.line, 5);
}

TEST(more_shared_memory_than_there_is_does_not_compile) {
    for (const char* bytes : {"49153", "1 << 30"}) {
        const Row named(bytes);
        const Edited edited(body(fmt::format("    __shared__ char big[{}];\n    big[threadIdx.x] = 1;\n    y[0] = big[0];", bytes)));
        try {
            run_kernel(request_of("transpose/1_naive", edited.path));
            CHECK(false, "it has run");
        } catch (const CompileError& error) {
            const std::string said = error.what();
            CHECK(said.find(":5: 'big' takes ") != std::string::npos && said.ends_with(" bytes of shared memory; a kernel's arrays may take 49152"), said);
            CHECK_EQUAL(error.messages().front().line, 5);
        }
    }
    const Edited edited(body("    __shared__ char all[49152];\n    all[threadIdx.y * blockDim.x + threadIdx.x] = 1;\n    y[column * rows + row] = x[row * columns + column];"));
    const KernelRun run = run_kernel(request_of("transpose/1_naive", edited.path));
    CHECK(run.right(), run.end.why);
}

/// What is endless is a block: a grid of many may take as long as it takes.
TEST(a_large_grid_is_not_taken_for_endless) {
    KernelRequest request = request_of("matmul/1_naive");
    request.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
    request.options.budget = 100'000; // a block does half of it, the grid of sixteen eight times as much
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done, run.end.why);
    CHECK(run.findings.empty() && run.right());
    CHECK(run.answer.steps.front().lane_steps > 4 * request.options.budget);

    // By the clock, too: the first thread of each of sixteen blocks waits for a fifth of a second.
    const Edited slow(body("    timespec begin, now;\n    clock_gettime(1, &begin);\n"
                           "    do clock_gettime(1, &now);\n"
                           "    while (!threadIdx.x && !threadIdx.y && (now.tv_sec - begin.tv_sec) * 1e9 + double(now.tv_nsec - begin.tv_nsec) < 2e8);\n"
                           "    y[column * rows + row] = x[row * columns + column];",
                           "#include <time.h>"));
    request = request_of("transpose/1_naive", slow.path);
    request.at_most = std::chrono::milliseconds(2000);
    request.options.budget = std::int64_t{1} << 60;
    const KernelRun waited = run_kernel(request);
    REQUIRE(waited.end.done, waited.end.why);
    CHECK(waited.right(), waited.findings.empty() ? "" : waited.findings.front().sentence);
}

TEST(work_without_end_is_found_by_the_clock_where_no_step_is_counted) {
    const struct {
        const char* name;
        std::string text;
        int line;
    } rows[] = {
        {"nothing in it", body("    for (;;) {}"), 5},
        {"a flag", body("    volatile int go = 1;\n    while (go) {}"), 6},
        {"barriers alone", body("    for (;;) __syncthreads();"), 5},
        {"a lock that nobody opens", "__device__ int lock = 1;\n" + body("    while (atomicCAS(&lock, 0, 1) != 0) {}"), 6},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Edited edited(row.text);
        KernelRequest request = request_of("transpose/1_naive", edited.path);
        request.at_most = std::chrono::milliseconds(2000);
        request.options.budget = std::int64_t{1} << 60;
        const KernelRun run = run_kernel(request);
        REQUIRE(run.end.done && !run.findings.empty(), run.end.why);
        CHECK(run.findings.front().kind == Finding::Kind::endless, run.findings.front().sentence);
        CHECK_EQUAL(run.findings.front().place.line, row.line);
        CHECK(run.findings.front().sentence.ends_with("is still at work after 1 s"), run.findings.front().sentence);
    }
}

/// Warps of a block run at a time on a GPU: one may wait for what another does.
TEST(a_warp_may_wait_for_another) {
    const Edited edited(R"(
__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ int open;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) open = 0;
    __syncthreads();
    if (threadIdx.x == 200) atomicExch(&open, 1);
    if (threadIdx.x < 32) while (atomicAdd(&open, 0) == 0) {}
    if (i < n) y[i] = x[i];
}
)");
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung("copy/1_naive");
    request.sizes = {{"n", 256}};
    request.source = edited.path.string();
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done, run.end.why);
    CHECK(run.right(), run.findings.empty() ? "" : run.findings.front().sentence);
}

TEST(variables_of_the_kernel_itself_are_named_and_watched) {
    const Edited edited("__device__ int before[3], count, l[4];\n" + body("    count = count + 1;\n    l[2] = column;\n    y[column * rows + row] = x[row * columns + column];"));
    const KernelRun run = run_kernel(request_of("transpose/1_naive", edited.path));
    REQUIRE(run.end.done, run.end.why);
    const auto found = [&](const char* name, int line) {
        return std::any_of(run.findings.begin(), run.findings.end(), [&](const KernelFinding& each) {
            return each.kind == Finding::Kind::race && each.buffer == name && each.place.line == line;
        });
    };
    CHECK(found("count", 6) && found("l", 7));
    CHECK(std::any_of(run.findings.begin(), run.findings.end(), [](const KernelFinding& each) { return each.sentence.find(" writes l[2], ") != std::string::npos; }));
    // neighbours of one byte are each their own
    const Edited bytes("__device__ unsigned char flags[64];\n" + body("    if (blockIdx.x + blockIdx.y == 0 && threadIdx.y == 0) flags[threadIdx.x] = 1;\n    y[column * rows + row] = x[row * columns + column];"));
    const KernelRun clean = run_kernel(request_of("transpose/1_naive", bytes.path));
    REQUIRE(clean.end.done, clean.end.why);
    CHECK(clean.right(), clean.findings.empty() ? "" : clean.findings.front().sentence);
    // one letter alone is no type
    const Edited dynamic(body("    extern __shared__ float s[];\n    s[0] = 1;\n    y[column * rows + row] = x[row * columns + column];"));
    const KernelRun far = run_kernel(request_of("transpose/1_naive", dynamic.path));
    REQUIRE(far.end.done && !far.findings.empty(), far.end.why);
    CHECK_EQUAL(far.findings.front().buffer, "s");
    // an index outside of an array is said with the array
    const Edited index(body("    float four[4];\n    four[threadIdx.x] = 1;\n    y[column * rows + row] = four[0];"));
    const KernelRun outside = run_kernel(request_of("transpose/1_naive", index.path));
    REQUIRE(outside.end.done && !outside.findings.empty(), outside.end.why);
    CHECK(outside.findings.front().sentence.ends_with("uses index 4 of an array float [4]"), outside.findings.front().sentence);
}

TEST(compile_errors_name_their_line) {
    const struct {
        const char* name;
        std::string text;
        const char* says;
    } rows[] = {
        {"syntax", body("    y[column * rows + row] = x[row * columns + column"), ".cu:"},
        {"no such name", body("    y[column * rows + row] = z[0];"), ".cu:5:30: "},
        {"missing header", body("    y[0] = 0;", "#include <no_such_header.h>"), ".cu:1:10: no_such_header.h"},
        {"other kernel", "__global__ void another() {}\n", "transpose_naive"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Edited edited(row.text);
        const KernelRequest request = request_of("transpose/1_naive", edited.path);
        CHECK_THROWS(run_kernel(request), CompileError, row.says);
    }
    CHECK_THROWS(run_kernel(request_of("transpose/1_naive", "/no/such/file.cu")), FileError, "/no/such/file.cu");
}

/// Every write of the recorded block, undone from the last to the first and done again: the memory there was, and the memory there is.
TEST(steps_are_undone_and_done_again) {
    for (const char* name : {"transpose/2_tiled", "transpose/1_naive"}) {
        const Row named(name);
        KernelRequest request = request_of(name);
        request.sizes = {{"rows", 32}, {"columns", 32}};
        request.block = {32, 32, 1}; // one block is all of the launch
        request.watched = {.step = 0, .block = 0};
        const KernelRun run = run_kernel(request);
        REQUIRE(run.end.done && run.answer.record.has_value(), run.end.why);
        const StepRecord& record = *run.answer.record;
        std::vector<std::byte> memory(run.memory().begin(), run.memory().end()), wanted(memory.size());
        run.prepared.fill(wanted.data());
        const std::uint64_t base = run.answer.base;
        const auto write = [&](const StepRecord::Step& step, const std::vector<Word>& values) {
            if (step.op != Op::write) return;
            for (std::uint64_t i = step.first; i < step.first + static_cast<std::uint64_t>(std::popcount(step.mask)); ++i)
                if (record.addresses[i] >= base && record.addresses[i] + step.bytes <= base + memory.size()) std::memcpy(memory.data() + (record.addresses[i] - base), &values[i], step.bytes);
        };
        for (auto step = record.steps.rbegin(); step != record.steps.rend(); ++step) write(*step, record.before);
        CHECK(memory == wanted);
        for (const StepRecord::Step& step : record.steps) write(step, record.after);
        CHECK(std::ranges::equal(memory, run.memory()));
    }
}

TEST(it_tells_how_far_it_is) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung("matmul/1_naive");
    request.sizes = {{"M", 64}, {"N", 64}, {"K", 1024}};
    std::vector<std::pair<std::int64_t, std::int64_t>> told;
    request.progress = [&](std::int64_t done, std::int64_t of) { told.emplace_back(done, of); };
    REQUIRE(run_kernel(request).end.done);
    REQUIRE(told.size() > 1);
    const std::int64_t blocks = told.front().second;
    CHECK(blocks > 1);
    CHECK(std::ranges::all_of(told, [&](const auto& one) { return one.second == blocks && one.first >= 0 && one.first <= blocks; }));
    CHECK(std::ranges::is_sorted(told));
    CHECK(std::ranges::any_of(told, [&](const auto& one) { return one.first > 0 && one.first < blocks; }));
    // Of one block, whose length nobody knows before, its steps.
    told.clear();
    request.recording.wanted = request.recording.alone = true;
    request.recording.launch = 0, request.recording.block = 0;
    request.sizes["K"] = 4096;
    REQUIRE(run_kernel(request).end.done);
    CHECK(std::ranges::all_of(told, [](const auto& one) { return one.second == 0; }));
    CHECK(std::ranges::is_sorted(told));
    CHECK(std::ranges::any_of(told, [](const auto& one) { return one.first > 0; }));
}

TEST(sizes_and_blocks_are_checked) {
    KernelRequest request = request_of("transpose/1_naive");
    request.sizes["depth"] = 3;
    CHECK_THROWS(run_kernel(request), ArgumentError, "no size \"depth\"", "rows");
    request = request_of("transpose/1_naive");
    request.sizes["rows"] = 0;
    CHECK_THROWS(run_kernel(request), ArgumentError, "rows is 0");
    request = request_of("transpose/2_tiled");
    request.block = {16, 16, 1};
    CHECK_THROWS(run_kernel(request), ArgumentError, "16x16x1", "32x8");
    CHECK_THROWS(find_rung("transposed"), ArgumentError, "transposed", "transpose");
    CHECK_THROWS(find_rung("transpose/9_fast"), ArgumentError, "9_fast", "2_tiled");
}

/// Of a flood whole lines are kept, and nothing of what follows them.
TEST(what_a_kernel_prints_is_kept_in_whole_lines) {
    PrintedText printed;
    const std::string line = "thread 123 was here\n";
    std::uint64_t all = 0;
    while (all < 2 * PrintedText::most) printed.add(line), all += line.size();
    CHECK_EQUAL(printed.text.size(), PrintedText::most / line.size() * line.size());
    CHECK(printed.text.ends_with(line));
    CHECK_EQUAL(printed.text.size() + printed.left_out, all);
    PrintedText exact;
    exact.add(std::string(PrintedText::most - 1, 'x') + "\n");
    CHECK_EQUAL(exact.left_out, 0u);
    exact.add("more");
    CHECK_EQUAL(exact.text.size(), PrintedText::most);
    CHECK_EQUAL(exact.left_out, 4u);
    PrintedText endless; // no end of a line is near: cut where it is full, but not within a letter
    endless.add("a\n");
    while (!endless.left_out) endless.add("\xea\xb0\x80");
    CHECK(endless.text.size() > PrintedText::most - 3);
    CHECK_EQUAL((endless.text.size() - 2) % 3, 0u);
}
