#include "engine/simt/served_kernel.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/compile.hpp"
#include "tests/simt/compiled.hpp"

#include <csignal>
#include <cstring>
#include <fmt/format.h>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
using namespace std::chrono_literals;

namespace {

/// x (32) and y (32), one launch of one warp.
struct Served {
    Scratch scratch;
    ServedKernel kernel;
    LaunchRequest request;

    explicit Served(const std::string& text, const char* entry = "f")
        : kernel(compile_kernel({scratch.write("f.cu", text), {entry}, {}, {{"void*", "void*"}}}, KernelBuild::plain)) {
        request.buffers = {{"x", 0, 128, 4}, {"y", 4096, 128, 4}};
        request.steps = {{0, {{}, {32}, 0}, {{0, 0}, {1, 0}}}};
    }
    std::vector<float> run(float first, std::chrono::milliseconds at_most = 20s) {
        std::byte* memory = kernel.buffers();
        std::vector<float> x(32), y(32, -1.f);
        std::iota(x.begin(), x.end(), first);
        std::memcpy(memory, x.data(), 128);
        std::memcpy(memory + 4096, y.data(), 128);
        kernel.run(request, at_most);
        std::memcpy(y.data(), memory + 4096, 128);
        return y;
    }
    std::string trouble(float first = 0, std::chrono::milliseconds at_most = 20s) {
        try {
            run(first, at_most);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
};

std::string kernel(const std::string& body) { return fmt::format("__global__ void f(const float* x, float* y) {{ {} }}\n", body); }

} // namespace

TEST(a_served_kernel_computes_call_after_call) {
    Served served(kernel("y[threadIdx.x] = 2 * x[threadIdx.x];"));
    for (int call = 0; call < 200; ++call) {
        const std::vector<float> y = served.run(static_cast<float>(call));
        for (int i = 0; i < 32; ++i) CHECK_EQUAL(y[static_cast<std::size_t>(i)], 2.f * static_cast<float>(call + i));
    }
}

TEST(a_served_kernel_finds_nothing_of_the_call_before_in_shared_memory) {
    Served served(kernel("__shared__ float s[32]; y[threadIdx.x] = s[threadIdx.x]; __syncthreads(); s[threadIdx.x] = x[threadIdx.x] + 1;"));
    for (int call = 0; call < 3; ++call)
        for (const float y : served.run(5)) CHECK_EQUAL(y, 0.f);
}

TEST(whatever_a_served_kernel_does_is_said_and_the_next_call_is_served) {
    const struct {
        const char *body, *why;
    } rows[] = {
        {"if (x[0] > 0) while (true) {}; y[threadIdx.x] = 1;", "was still at work after 0.3 s"},
        {"if (x[0] > 0) *(volatile float*)8 = 1; y[threadIdx.x] = 1;", "touched memory that is not its own"},
        {"if (x[0] > 0) __trap(); y[threadIdx.x] = 1;", "__trap"},
        {"if (x[0] > 0 && threadIdx.x) { __shared__ int s; s = 1; while (s) __syncwarp(); } y[threadIdx.x] = 1;", "was still at work after 0.3 s"},
    };
    for (const auto& row : rows) {
        const Row named(row.why);
        Served served(kernel(row.body));
        CHECK_EQUAL(served.run(0)[3], 1.f);
        const std::string why = served.trouble(1, 300ms);
        CHECK(has(why, row.why), why);
        CHECK_EQUAL(served.run(0)[3], 1.f);
    }
}

TEST(a_served_kernel_may_no_more_than_any_other) {
    Served opens("#include <fcntl.h>\n#include <unistd.h>\n" + kernel("if (threadIdx.x == 0) open(\"/etc/passwd\", 0); y[threadIdx.x] = 1;"));
    CHECK_EQUAL(opens.trouble(), "tried to open a file");
    Served starts("#include <unistd.h>\n" + kernel("if (threadIdx.x == 0) fork(); y[threadIdx.x] = 1;"));
    CHECK(has(starts.trouble(), "tried to start a process"));
}

TEST(a_served_kernel_that_was_ended_from_outside_is_begun_anew) {
    Served served("#include <unistd.h>\n" + kernel("y[threadIdx.x] = (float)getpid();"));
    const float process = served.run(0)[0];
    kill(static_cast<pid_t>(process), SIGKILL);
    std::string why = served.trouble(); // it may still have been there
    CHECK(why.empty() || has(why, "was ended by the system"), why);
    CHECK(served.run(0)[0] != process);
}
