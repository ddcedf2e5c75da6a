// Traces of launches that end early.

#include "engine/simt/kernel_run.hpp"
#include "tests/simt/edited.hpp"
#include "tests/simt/traced.hpp"
#include "tests/support/check.hpp"

#include <bit>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

/// What lanes have copied is in the log, whatever ends the launch, and even where the copy has changed nothing.
TEST(a_copy_before_the_end_is_recorded) {
    for (const int last : {0, 5})
        for (const char* deed : {"__trap();", "atomicAdd(y + (1 << 28), 1.f);", "y[1 << 28] = 1;", "__shfl_sync(2, rank, 0);"}) {
            const std::string end = fmt::format("if (rank == {}) {}", last, deed);
            const Row row(end);
            const Edited edited(fmt::format("__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {{\n"
                                            "    struct Four {{ float a, b, c, d; }};\n    Four* to = reinterpret_cast<Four*>(y);\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                                            "    to[rank] = reinterpret_cast<const Four*>(x)[rank];\n"
                                            "    to[rank] = reinterpret_cast<const Four*>(x)[rank];\n    {}\n}}\n", end));
            KernelRequest request;
            std::tie(request.ladder, request.rung) = find_rung("transpose/1_naive");
            request.sizes = {{"rows", 64}, {"columns", 64}};
            request.source = edited.path.string();
            request.recording.wanted = true;
            const KernelRun run = run_kernel(request);
            REQUIRE(run.end.done && run.trace, run.end.why);
            CHECK(!run.findings.empty() && !run.answer.whole);
            std::int64_t lanes[2] = {};
            for (std::size_t step = 0; step < run.trace->steps(); ++step) {
                const std::uint32_t site = run.trace->log.site[step];
                if (run.trace->sites[site].place.line == 6) lanes[writes_memory(run.trace->log.sites[site].op)] += std::popcount(run.trace->log.mask[step]);
            }
            CHECK_EQUAL(lanes[0], last + 1);
            CHECK_EQUAL(lanes[1], last + 1);
            check_there_and_back(run.trace, end);
        }
}
