// Accesses as the source has them: each one once, at the line in which it is written, with all of its bytes.

#include "engine/simt/kernel_run.hpp"
#include "tests/simt/edited.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

KernelRequest request_of(const char* name, const Edited& edited, const Problem& sizes) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung(name);
    request.sizes = sizes;
    request.source = edited.path.string();
    return request;
}

/// Warp instructions at a line that touch a buffer in that way.
std::int64_t requests(const KernelRun& run, int line, Op op, const std::string& buffer) {
    std::int64_t sum = 0;
    for (const StepReport& step : run.steps)
        for (const LineCount& count : step.lines)
            if (count.place.line == line && count.op == op && count.buffer == buffer) sum += count.steps;
    return sum;
}

} // namespace

/// What the shim's headers touch for the kernel they touch in its line.
TEST(accesses_in_headers_have_the_kernels_line) {
    const Edited edited(R"(
#include <cuda_fp16.h>
__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ __half h[256];
    __shared__ __half2 pairs[256];
    __shared__ float sines[256], cosines[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    h[t] = __float2half(x[i]);                                 // 8
    h[t] += __float2half(1);                                   // 9
    pairs[t] = __floats2half2_rn(x[i], 1);                     // 10
    pairs[t] *= pairs[t];                                      // 11
    sincosf(x[i],                                              // 12
            &sines[t], &cosines[t]);
    float whole = h[t];                                        // 14
    ++h[t];                                                    // 15
    y[i] = x[i] + 0 * (whole + sines[t] + cosines[t] + __low2float(pairs[t])); // 16
}
)");
    const KernelRun run = run_kernel(request_of("copy/1_naive", edited, {{"n", 256}}));
    REQUIRE(run.end.done, run.end.why);
    CHECK(run.right());
    for (const StepReport& step : run.steps)
        for (const LineCount& count : step.lines) CHECK(count.place.file == edited.path.string(), fmt::format("{}:{}", count.place.file, count.place.line));
    const struct {
        int line;
        Op op;
        const char* buffer;
    } rows[] = {{8, Op::write, "h"}, {9, Op::read, "h"}, {9, Op::write, "h"}, {10, Op::write, "pairs"}, {11, Op::write, "pairs"},
                {12, Op::write, "sines"}, {12, Op::write, "cosines"}, {14, Op::read, "h"}, {15, Op::write, "h"}};
    for (const auto& row : rows) {
        const std::int64_t found = requests(run, row.line, row.op, row.buffer);
        CHECK(found == 256 / 32, fmt::format("line {}, {}: {}", row.line, row.buffer, found));
    }
}

/// An index is looked at before it is used, which reads it twice; it counts, and is stepped through, once.
TEST(an_index_that_is_checked_is_read_once) {
    const Edited edited(R"(
__global__ void histogram_shared_clear(unsigned* bins) { bins[threadIdx.x] = 0; }
__global__ void histogram_shared(const unsigned char* x, unsigned* bins, int n) {
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int i = threadIdx.x;
    atomicAdd(&counts[x[i]], 1u);
    __syncthreads();
    if (counts[x[i] * x[i] / 256] > 1000) bins[0] = 7; // two reads, each of its own
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
)");
    KernelRequest request = request_of("histogram/2_shared", edited, {{"n", 256}});
    request.watched = {.step = 1, .block = 0};
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done && run.answer.record.has_value(), run.end.why);
    CHECK(run.right());
    CHECK_EQUAL(requests(run, 8, Op::read, "x"), 256 / 32);
    CHECK_EQUAL(requests(run, 10, Op::read, "x"), 2 * 256 / 32);
    CHECK_EQUAL(requests(run, 10, Op::read, "counts"), 256 / 32);
    std::int64_t steps = 0;
    for (const StepRecord::Step& step : run.answer.record->steps) steps += step.op == Op::read && step.bytes == 1;
    CHECK_EQUAL(steps, 3 * 256 / 32);
}

/// A buffer that is read and then written makes the launch begin again, with each of its reads remembered: from what stood in memory and in the
/// kernel's own variables before, so that what is counted there is counted once.
TEST(a_launch_that_begins_again_begins_from_the_start) {
    const Edited edited(R"(
__device__ int turns = 0;
__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* in = const_cast<float*>(x);
    y[i] = in[i];
    in[i] += 1;
    const int before = atomicAdd(&turns, 1);
    if (i == n - 1) printf("%d before", before);
}
)");
    const KernelRun run = run_kernel(request_of("copy/1_naive", edited, {{"n", 1024}}));
    REQUIRE(run.end.done, run.end.why);
    CHECK(run.right());
    CHECK_EQUAL(run.answer.printed.text, "1023 before");
}

/// Which of two threads reads before the other writes is a race, also where nothing was written before.
TEST(a_write_after_reads_of_a_buffer_races_with_them) {
    const Edited edited(R"(
__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float* in = const_cast<float*>(x);
    if (i < n) y[i] = in[i];
    if (i == 200) in[7] = in[7];
    if (i == 3) y[3] = in[7]; // 7
}
)");
    const KernelRun run = run_kernel(request_of("copy/1_naive", edited, {{"n", 256}}));
    REQUIRE(run.end.done, run.end.why);
    REQUIRE(!run.findings.empty());
    CHECK(run.findings.front().kind == Finding::Kind::race, run.findings.front().sentence);
}

/// No GPU moves 12 bytes at once.
TEST(a_struct_of_three_is_three_accesses) {
    const Edited edited(R"(
struct Three { float a, b, c; };
__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (3 * i + 2 < n) reinterpret_cast<Three*>(y)[i] = reinterpret_cast<const Three*>(x)[i]; // 5
}
)");
    const KernelRun run = run_kernel(request_of("copy/1_naive", edited, {{"n", 96 * 3}}));
    REQUIRE(run.end.done, run.end.why);
    CHECK(run.right());
    CHECK_EQUAL(requests(run, 5, Op::read, "x"), 3 * 3);
    CHECK_EQUAL(requests(run, 5, Op::write, "y"), 3 * 3);
    for (const StepReport& step : run.steps)
        for (const LineCount& count : step.lines)
            if (touches_memory(count.op)) CHECK_EQUAL(count.bytes, 4);
}

/// A struct of more than 16 bytes is written in pieces, and every one can be undone; in lockstep, too, where lanes stop at each.
TEST(wide_accesses_are_undone_whole) {
    const Edited edited(R"(
struct Wide { float of[10]; };
struct alignas(16) Wider { float of[12]; };
__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 8) reinterpret_cast<Wide*>(y)[i] = reinterpret_cast<const Wide*>(x)[i];
    else if (i < 24) reinterpret_cast<Wider*>(y + 80)[i - 8] = reinterpret_cast<const Wider*>(x + 80)[i - 8];
    else if (i < 88) reinterpret_cast<float4*>(y + 272)[i - 24] = reinterpret_cast<const float4*>(x + 272)[i - 24];
    if (i >= 528) y[i] = x[i];
}
)");
    for (const int log_length : {1024, 1, 7}) {
        const Row named(fmt::format("log length {}", log_length));
        KernelRequest request = request_of("copy/1_naive", edited, {{"n", 1024}});
        request.block = {1024, 1, 1};
        request.options.log_length = log_length;
        request.watched = {.step = 0, .block = 0};
        const KernelRun run = run_kernel(request);
        REQUIRE(run.end.done && run.answer.record.has_value(), run.end.why);
        REQUIRE(run.right(), run.findings.empty() ? "" : run.findings.front().sentence);
        const StepRecord& record = *run.answer.record;
        std::vector<std::byte> memory(run.memory().begin(), run.memory().end()), wanted(memory.size());
        run.prepared.fill(wanted.data());
        const auto write = [&](const StepRecord::Step& step, const std::vector<Word>& values) {
            if (step.op != Op::write) return;
            for (std::uint64_t i = step.first; i < step.first + static_cast<std::uint64_t>(std::popcount(step.mask)); ++i)
                if (record.addresses[i] >= run.answer.base && record.addresses[i] + step.bytes <= run.answer.base + memory.size())
                    std::memcpy(memory.data() + (record.addresses[i] - run.answer.base), &values[i], step.bytes);
        };
        for (auto step = record.steps.rbegin(); step != record.steps.rend(); ++step) write(*step, record.before);
        CHECK(memory == wanted);
        for (const StepRecord::Step& step : record.steps) write(step, record.after);
        CHECK(std::ranges::equal(memory, run.memory()));
        for (const StepRecord::Step& step : record.steps) CHECK(step.bytes <= sizeof(Word), fmt::format("{} bytes", step.bytes));
    }
}
