#include "engine/simt/kernel_run.hpp"
#include "tests/simt/edited.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

/// copy/1_naive with a body of one's own, n elements in blocks of 100: three warps and four lanes.
struct Copy {
    Edited edited;
    KernelRequest request;
    Copy(const std::string& body, std::int64_t n) : edited("__global__ void copy_naive(const float* x, float* y, int n) {\n"
                                                           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + body + "}\n") {
        std::tie(request.ladder, request.rung) = find_rung("copy/1_naive");
        request.sizes = {{"n", n}};
        request.block = {100, 1, 1};
        request.source = edited.path.string();
    }
    KernelValues plain() const { return run_plain(PreparedRun(*request.ladder, *request.rung, request.sizes, request.block, 1), request.source); }
};

} // namespace

/// A mask may name lanes that the block has not, or that have returned: a GPU does not wait for them.
TEST(lanes_that_are_not_there_are_not_waited_for) {
    const char* const uses[] = {
        "    if (i < n) y[i] = __shfl_xor_sync(0xffffffff, __shfl_xor_sync(0xffffffff, x[i], 1), 1);\n",
        "    const float mine = i < n ? x[i] : 0;\n    __syncwarp();\n    if (i < n && __any_sync(0xffffffff, 1)) y[i] = mine;\n",
        "    const unsigned lanes = __ballot_sync(0xffffffff, 1);\n    if (i < n) y[i] = lanes == (threadIdx.x < 96 ? 0xffffffff : 0xf) ? x[i] : 0;\n",
        "    if (i >= n) return;\n    __syncwarp();\n    y[i] = x[i];\n",
        "    if (i >= n) return;\n    y[i] = __all_sync(0xffffffff, 1) && !__any_sync(0xffffffff, i >= n) ? x[i] : 0;\n",
        "    if (i >= n) return;\n    const int lane = threadIdx.x % 32, left = min(n - i, (int)(blockDim.x - threadIdx.x)) + lane;\n"
        "    y[i] = __ballot_sync(0xffffffff, 1) == (left < 32 ? (1u << left) - 1 : 0xffffffff) ? x[i] : 0;\n",
        "    if (i >= n) return;\n    if (i % 2) __syncwarp();\n    else __syncwarp();\n    y[i] = __match_any_sync(0xffffffff, 7) ? x[i] : 0;\n",
        "    if (i >= n) return;\n    const int first = __shfl_sync(0xffffffff, i, 0);\n    y[i] = first == i - threadIdx.x % 32 ? x[i] : 0;\n", // it asks one that is there
        "    if (i % 2 && i >= n - 9) {\n        if (i < n) y[i] = x[i];\n        return;\n    }\n    __syncwarp();\n    if (i < n) y[i] = x[i];\n",
    };
    for (const char* body : uses)
        for (const std::int64_t n : {200, 190}) { // of 190 the second block has ten threads too many
            const Row named(fmt::format("{}n = {}", body, n));
            const Copy copy(body, n);
            const KernelRun run = run_kernel(copy.request);
            REQUIRE(run.end.done, run.end.why);
            for (const KernelFinding& finding : run.findings) CHECK(false, finding.sentence);
            CHECK(run.right());
            CHECK(copy.plain() == run.outputs());
        }
    const Copy returned("    if (i >= n) return;\n    y[i] = __shfl_xor_sync(0xffffffff, __shfl_xor_sync(0xffffffff, x[i], 1), 1);\n", 190);
    const KernelValues outputs = returned.plain();
    const PreparedRun prepared(*returned.request.ladder, *returned.request.rung, returned.request.sizes, returned.request.block, 1);
    for (const OutputError& output : compare(prepared, outputs)) CHECK(output.right, fmt::format("{} is off by {}", output.name, output.error));
}

/// Halves of a warp that come to one place at once are two meetings.
TEST(each_mask_is_a_meeting_of_its_own) {
    const char* const uses[] = {
        "    y[i] = __ballot_sync(half, 1) == half ? x[i] : 0;\n",
        "    y[i] = __all_sync(half, first) == first && __any_sync(half, !first) == !first ? x[i] : 0;\n",
        "    y[i] = __reduce_add_sync(half, 1u) == 16 && __match_any_sync(half, 7) == half ? x[i] : 0;\n",
        "    __syncwarp(half);\n    y[i] = __shfl_sync(half, i, first ? 0 : 16) == i / 16 * 16 ? x[i] : 0;\n",
    };
    for (const char* body : uses) {
        const Row named(body);
        Copy copy(std::string("    if (i >= n) return;\n    const int first = threadIdx.x % 32 < 16;\n    const unsigned half = first ? 0x0000ffffu : 0xffff0000u;\n") + body, 1024);
        copy.request.block = {256, 1, 1};
        const KernelRun run = run_kernel(copy.request);
        REQUIRE(run.end.done, run.end.why);
        for (const KernelFinding& finding : run.findings) CHECK(false, finding.sentence);
        CHECK(run.right());
        const PreparedRun prepared(*copy.request.ladder, *copy.request.rung, copy.request.sizes, copy.request.block, 1);
        CHECK(run_plain(prepared, copy.request.source) == run.outputs());
    }
}

/// And each orders its own lanes alone.
TEST(a_meeting_orders_its_own_lanes_alone) {
    for (const auto& [with, race] : {std::pair(1, false), std::pair(8, false), std::pair(16, true)}) {
        const Row named(fmt::format("lane ^ {}", with));
        Copy copy(fmt::format("    __shared__ float s[256];\n    const unsigned half = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u;\n    s[threadIdx.x] = x[i ^ {0}];\n"
                              "    __syncwarp(half);\n    y[i] = s[threadIdx.x ^ {0}];\n", with), 1024);
        copy.request.block = {256, 1, 1};
        const KernelRun run = run_kernel(copy.request);
        REQUIRE(run.end.done, run.end.why);
        CHECK_EQUAL(run.findings.empty(), !race);
        for (const KernelFinding& finding : run.findings) CHECK(finding.kind == Finding::Kind::race, finding.sentence);
    }
}

/// A value can be asked only of a lane that is there.
TEST(a_shuffle_waits_in_vain_for_a_lane_that_has_returned) {
    const Copy copy("    if (i >= n) return;\n    y[i] = __shfl_down_sync(0xffffffff, x[i], 1);\n", 189);
    const KernelRun run = run_kernel(copy.request);
    REQUIRE(run.findings.size() == 1, fmt::format("{} findings", run.findings.size()));
    CHECK(run.findings[0].kind == Finding::Kind::never_meets, run.findings[0].sentence);
    CHECK_EQUAL(run.findings[0].place.line, 4);
    CHECK(run.findings[0].sentence.find("thread (88, 0, 0) of block (1, 0, 0) waits in __shfl_down_sync for thread (89, 0, 0) of block (1, 0, 0)") != std::string::npos, run.findings[0].sentence);
}

TEST(lanes_that_never_come_end_a_run_without_hooks) {
    for (const char* body : {"    if (threadIdx.x % 2) y[i] = __shfl_sync(0xffffffff, x[i], 0);\n    else __syncthreads();\n",
                             "    y[i] = __shfl_sync(0x0000ffff, x[i], 0);\n    __syncthreads();\n"}) {
        const Row named(body);
        CHECK_THROWS(Copy(body, 200).plain(), Error, "lanes wait in __shfl_sync for others that never come");
    }
}

/// Threads that have returned are not waited for at a barrier, either: that is how a kernel ends threads early. Who has gone round the
/// barrier is told.
TEST(an_early_return_is_no_divergent_barrier) {
    const struct {
        const char *name, *body;
        int line; ///< 0: nothing is found
    } rows[] = {
        {"before it", "    if (i >= n) return;\n    __syncthreads();\n    y[i] = x[i];\n", 0},
        {"before it, with a write", "    if (i >= n / 2) {\n        if (i < n) y[i] = x[i];\n        return;\n    }\n    __syncthreads();\n    y[i] = x[i];\n", 0},
        {"behind another", "    __syncthreads();\n    if (i >= n) return;\n    __syncthreads();\n    y[i] = x[i];\n", 0},
        {"round it", "    if (threadIdx.x < 50) __syncthreads();\n    if (i < n) y[i] = x[i];\n", 3},
        {"out of a loop", "    for (int k = 0; k < threadIdx.x % 3; ++k) __syncthreads();\n    if (i < n) y[i] = x[i];\n", 3},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const KernelRun run = run_kernel(Copy(row.body, 190).request);
        REQUIRE(run.end.done, run.end.why);
        CHECK_EQUAL(run.findings.empty(), row.line == 0);
        CHECK_EQUAL(run.right(), row.line == 0);
        for (const KernelFinding& finding : run.findings) {
            CHECK(finding.kind == Finding::Kind::mismatched_barrier, finding.sentence);
            CHECK_EQUAL(finding.place.line, row.line);
        }
    }
}
