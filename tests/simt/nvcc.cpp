#include "engine/simt/nvcc.hpp"

#include "engine/core/hash.hpp"
#include "engine/core/worker_pool.hpp"
#include "engine/hardware/occupancy.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/tool_process.hpp"
#include "tests/kernels/problems.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/variable.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <thread>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

std::string write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    return folder.write(name, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::string text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string nvcc() {
    const auto found = find_nvcc();
    if (!found) skip("nvcc is not installed");
    return *found;
}

KernelResources named(const char* name) {
    KernelResources out;
    out.name = name;
    return out;
}

const KernelResources* find(const std::vector<KernelResources>& all, std::string_view expression) {
    for (const KernelResources& one : all)
        if (matches(one, expression)) return &one;
    return nullptr;
}

std::string file_of(const Ladder& ladder, const Rung& rung) { return fmt::format(GRADUS_SOURCE_FOLDER "/engine/kernels/{}/{}.cu", ladder.id, rung.id); }

/// The words of the command by which anybody can check it.
void check_cubin(const std::string& compiler, const std::string& file, int architecture, const TemporaryFolder& folder) {
    const Row row(fmt::format("{} for sm_{}", file, architecture));
    const fs::path own = fs::path(folder.path()) / hash_hex(hash_text(fmt::format("{} {}", file, architecture)));
    fs::create_directory(own);
    const std::string ours = own / "ours.cubin", theirs = own / "theirs.cubin";
    build_cubin(compiler, file, architecture, ours);
    const ToolEnd end = run_tool({compiler, "-fmad=false", fmt::format("-arch=sm_{}", architecture), "-cubin", file, "-o", theirs}, {std::chrono::seconds(300)});
    if (!CHECK(end.code == 0, end.output)) return;
    const std::string bytes = text_of(ours);
    CHECK(bytes.size() > 500 && bytes.starts_with("\x7f" "ELF"));
    CHECK(bytes == text_of(theirs));
    fs::remove_all(own);
}

/// Every rung for every architecture that it is for. It is the compiler that takes time: one for each processor.
void for_each_compiled(const std::function<void(const Ladder&, const Rung&, const Architecture&)>& callable) {
    struct Case {
        const Ladder& ladder;
        const Rung& rung;
        const Architecture& architecture;
    };
    std::vector<Case> cases;
    for (const Architecture& architecture : all_architectures())
        for (const Ladder& ladder : all_ladders())
            for (const Rung& rung : ladder.rungs)
                if (architecture.capability >= rung.lowest) cases.push_back({ladder, rung, architecture});
    WorkerPool pool(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16));
    pool.parallel_for(static_cast<int>(cases.size()), [&](int piece) {
        const Case& one = cases[static_cast<std::size_t>(piece)];
        const Row row(fmt::format("{}/{} for sm_{}", one.ladder.id, one.rung.id, one.architecture.capability));
        try {
            callable(one.ladder, one.rung, one.architecture);
        } catch (const std::exception& error) {
            CHECK(false, error.what());
        }
    });
}

} // namespace

TEST(launches_find_their_kernel) {
    const struct {
        const char *name, *launch;
        bool found;
    } rows[] = {
        {"plain", "plain", true},
        {"plain", "plai", false},
        {"plain", "plainer", false},
        {"tiled<32>", "tiled<32>", true},
        {"tiled<32>", "tiled", true},
        {"tiled<32>", "tiled<3>", false},
        {"tiled<32>", "tiled<>", false},
        {"tiled<32u>", "tiled<32>", true},
        {"tiled<32, 4>", "tiled<32,4>", true},
        {"tiled<32, 4>", "tiled< 32 >", true},
        {"tiled<32, 4>", "tiled<32, 40>", false},
        {"lab::tiled<float, true>", "lab::tiled<float, true>", true},
        {"lab::tiled<float, true>", "::lab::tiled<float>", true},
        {"lab::tiled<float, true>", "tiled<float>", false},
        {"sum<unsigned int>", "sum<unsigned>", true},
        {"sum<-1l>", "sum<-1>", true},
        {"layer2u", "layer2", false},
        {"plain", "", false},
    };
    for (const auto& row : rows) {
        const Row at(fmt::format("{} as {}", row.name, row.launch));
        CHECK_EQUAL(matches(named(row.name), row.launch), row.found);
    }
}

/// A stand-in says what nvcc says and counts how often it is asked. Of each architecture: 40 registers and a tenth of its number.
TEST(a_text_is_compiled_once) {
    const TemporaryFolder folder;
    const Variable cache("XDG_CACHE_HOME", folder.path().c_str());
    const std::string script = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo release 1\necho asked >>\"${0%/*}/log\"\n"
                               "case \"$*\" in *=sm_75*=sm_60*) echo 'nvcc fatal   : Unsupported gpu architecture' && exit 1;; esac\n"
                               "echo 'ptxas info    : 0 bytes gmem'\n"
                               "for sm in $(echo \"$*\" | grep -o '=sm_[0-9]*' | cut -c 5-); do cat <<END\n"
                               "ptxas info    : Compiling entry function '_Z5tiledILi32EEvPfi' for 'sm_$sm'\n"
                               "ptxas info    : Function properties for _Z6helperPfi\n"
                               "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                               "ptxas info    : Function properties for _Z5tiledILi32EEvPfi\n"
                               "    24 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
                               "ptxas info    : Used $((40 + sm / 10)) registers, used 1 barriers, 64 bytes cumulative stack size, 4096 bytes smem, 376 bytes cmem[0]\n"
                               "ptxas info    : Compiling entry function '_Z5otherPf' for 'sm_$sm'\n"
                               "END\ndone\n";
    const std::string compiler = write(folder, "nvcc", script);
    fs::permissions(compiler, fs::perms::owner_all);
    const auto asked = [&] {
        const std::string log = text_of(folder.path() + "/log");
        return std::count(log.begin(), log.end(), '\n');
    };
    const std::string kernel = write(folder, "kernel.cu", "#include \"part.cuh\"\n");
    write(folder, "part.cuh", "one text");
    for (int i = 0; i < 2; ++i) {
        const auto all = kernel_resources(compiler, kernel, 80);
        REQUIRE(all.size() == 2);
        CHECK_EQUAL(all[0].name, "tiled<32>");
        CHECK_EQUAL(all[0].registers, 48);
        CHECK_EQUAL(all[0].static_shared, 4096);
        CHECK_EQUAL(all[0].stack, 64);
        CHECK_EQUAL(all[0].spill_stores, 12);
        CHECK_EQUAL(all[0].spill_loads, 16);
        CHECK_EQUAL(all[1].name, "other");
    }
    CHECK_EQUAL(asked(), 1);
    for (const int architecture : {75, 80, 90, 120}) // one run for those that are missing
        CHECK_EQUAL(kernel_resources(compiler, kernel, architecture, {75, 80, 90, 120}).at(0).registers, 40 + architecture / 10);
    CHECK_EQUAL(asked(), 2);
    write(folder, "part.cuh", "another text");
    kernel_resources(compiler, kernel, 90);
    CHECK_EQUAL(asked(), 3);
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() + "/gradus")) // damage
        if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() - 1);
    CHECK_EQUAL(kernel_resources(compiler, kernel, 90).at(0).registers, 49);
    CHECK_EQUAL(asked(), 4);
    CHECK_EQUAL(kernel_resources(compiler, kernel, 75, {75, 60}).at(0).registers, 47); // 60, which it does not know, is no reason to refuse 75
    CHECK_EQUAL(asked(), 6);
    fs::create_directory(folder.path() + "/newer");
    const std::string newer = write(folder, "newer/nvcc", script);
    fs::permissions(newer, fs::perms::owner_all);
    kernel_resources(newer, kernel, 90);
    CHECK_EQUAL(text_of(folder.path() + "/newer/log"), "asked\n");

    const char* before = std::getenv("GRADUS_NVCC");
    const std::string kept = before ? before : "";
    setenv("GRADUS_NVCC", compiler.c_str(), 1);
    CHECK_EQUAL(find_nvcc().value_or("none"), compiler);
    setenv("GRADUS_NVCC", (folder.path() + "/no_such_file").c_str(), 1);
    CHECK_EQUAL(find_nvcc().value_or("none"), "none");
    if (before) setenv("GRADUS_NVCC", kept.c_str(), 1);
    else unsetenv("GRADUS_NVCC");
}

TEST(resources_of_kernels) {
    const std::string compiler = nvcc();
    const TemporaryFolder folder;
    const std::string file = write(folder, "several.cu", R"(
__device__ __noinline__ float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
namespace lab {
template <int side, typename T> __global__ void tiled(T* x) {
    __shared__ T tile[side];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[side - 1 - threadIdx.x];
}
template __global__ void tiled<32, float>(float*);
template __global__ void tiled<64, double>(double*);
}
__global__ void plain(float* x, int n) {
    float local[64];
    for (int i = 0; i < 64; ++i) local[i] = x[i * n];
    x[n] = sum(local, n);
}
extern "C" __global__ void in_c(float* x) { x[0] = 1; }
)");
    const Variable cache("XDG_CACHE_HOME", folder.path().c_str());
    for (const int architecture : {75, 80, 120}) {
        const Row row(std::to_string(architecture));
        const auto all = kernel_resources(compiler, file, architecture, {75, 80, 120});
        {
            const TemporaryFolder elsewhere;
            const Variable another("XDG_CACHE_HOME", elsewhere.path().c_str());
            CHECK(kernel_resources(compiler, file, architecture) == all, "one run for all says the same as one for each");
        }
        CHECK_EQUAL(all.size(), std::size_t{4});
        const auto *small = find(all, "lab::tiled<32, float>"), *large = find(all, "lab::tiled<64, double>"), *one = find(all, "plain"), *in_c = find(all, "in_c");
        REQUIRE(small && large && one && in_c);
        CHECK(find(all, "lab::tiled") && !find(all, "sum") && !find(all, "lab::tiled<32, double>"));
        CHECK_EQUAL(small->static_shared, 128);
        CHECK_EQUAL(large->static_shared, 512);
        CHECK(small->registers >= 4 && small->registers <= 32);
        CHECK(one->stack >= 256, "its array is in local memory");
        CHECK_EQUAL(small->stack, 0);
        CHECK_EQUAL(in_c->static_shared, 0);
        CHECK_EQUAL(in_c->spill_loads, 0);
    }
}

/// A rung that was copied elsewhere finds the headers of its folder, and those beside it first; what they say counts for the cache.
TEST(a_copied_rung_finds_its_headers) {
    const std::string compiler = nvcc();
    const TemporaryFolder folder;
    const Variable cache("XDG_CACHE_HOME", folder.path().c_str());
    const std::string rungs = GRADUS_SOURCE_FOLDER "/engine/kernels/matmul_half";
    const std::string copy = write(folder, "copy.cu", "#include \"own.cuh\"\n" + text_of(rungs + "/4_mma.cu"));
    write(folder, "own.cuh", "__global__ void own(float* x) { __shared__ float s[32]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[0] = s[31 - threadIdx.x]; }\n");
    for (const std::vector<int>& with : {std::vector<int>{}, {80, 90}}) { // alone, and with others
        const int architecture = with.empty() ? 80 : 90;
        auto all = kernel_resources(compiler, copy, architecture, with, rungs);
        CHECK(find(all, "own") && find(all, "own")->static_shared == 128);
        std::erase_if(all, [](const KernelResources& one) { return one.name == "own"; });
        CHECK(all == kernel_resources(compiler, rungs + "/4_mma.cu", architecture));
    }
    write(folder, "own.cuh", "__global__ void own(float* x) { __shared__ float s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[0] = s[31 - threadIdx.x]; }\n");
    CHECK_EQUAL(find(kernel_resources(compiler, copy, 80, {}, rungs), "own")->static_shared, 256);
    const fs::path theirs = fs::path(folder.path()) / "theirs";
    fs::create_directory(theirs);
    write(folder, "theirs/other.cuh", "__global__ void other(float* x) { x[0] = 1; }\n");
    const std::string user = write(folder, "user.cu", "#include \"other.cuh\"\n");
    CHECK(find(kernel_resources(compiler, user, 80, {}, theirs.string()), "other"));
    write(folder, "theirs/other.cuh", "__global__ void another(float* x) { x[0] = 1; }\n");
    CHECK(find(kernel_resources(compiler, user, 80, {}, theirs.string()), "another"), "the text of a header beside it counts");
}

TEST(what_does_not_compile) {
    const std::string compiler = nvcc();
    const TemporaryFolder folder;
    const std::string newer = write(folder, "newer.cu", "__global__ void f(float* x) { asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(3), \"l\"(x)); }\n");
    CHECK_THROWS(kernel_resources(compiler, newer, 75), CompileError, "newer.cu", "sm_75", "requires .target sm_80 or higher");
    CHECK_EQUAL(kernel_resources(compiler, newer, 80).size(), std::size_t{1});
    const std::string wrong = write(folder, "wrong.cu", "\n__global__ void f(float* x) { x[0] = y; }\n__global__ void g(float* x) { x[0] = 1 }\n");
    CHECK_THROWS(kernel_resources(compiler, wrong, 80), CompileError, "wrong.cu:2:", "identifier \"y\" is undefined");
    try {
        kernel_resources(compiler, wrong, 80);
    } catch (const CompileError& error) {
        CHECK_EQUAL(error.messages().size(), std::size_t{2});
        CHECK_EQUAL(error.messages().back().line, 3);
    }
    CHECK_THROWS(kernel_resources(compiler, newer, 20), UnavailableError, "sm_20");
    CHECK_THROWS(kernel_resources(compiler, folder.path() + "/none.cu", 80), FileError, "none.cu", "cannot be read");
    CHECK_THROWS(kernel_resources(folder.path() + "/no_nvcc", newer, 86), UnavailableError, "no_nvcc", "cannot be run");
    CHECK_THROWS(build_cubin(compiler, newer, 80, folder.path() + "/none/out.cubin"), FileError, "newer.cu", "none/out.cubin");
    CHECK_THROWS(build_cubin(compiler, folder.path() + "/none.cu", 80, folder.path() + "/out.cubin"), FileError, "none.cu");
}

TEST(cubins_are_what_nvcc_makes_by_itself) {
    const std::string compiler = nvcc();
    const TemporaryFolder folder;
    for (const char* rung : {"vector_add/1_naive", "transpose/3_padded", "reduction/7_shuffle", "matmul/7_warp_tiles"})
        check_cubin(compiler, fmt::format(GRADUS_SOURCE_FOLDER "/engine/kernels/{}.cu", rung), 80, folder);
}

SLOW_TEST(all_cubins_are_what_nvcc_makes_by_itself) {
    const std::string compiler = nvcc();
    const TemporaryFolder folder;
    for_each_compiled([&](const Ladder& ladder, const Rung& rung, const Architecture& architecture) { check_cubin(compiler, file_of(ladder, rung), architecture.capability, folder); });
}

/// No block that a rung calls legal has too many threads for its registers, or needs more shared memory than there is.
SLOW_TEST(every_legal_block_fits_on_an_sm) {
    const std::string compiler = nvcc();
    for_each_compiled([&](const Ladder& ladder, const Rung& rung, const Architecture& architecture) {
        const auto kernels = kernel_resources(compiler, file_of(ladder, rung), architecture.capability);
        for (const Problem& problem : problems_of(ladder))
            for (const Dim3& block : rung.blocks)
                for (const KernelStep& step : rung.plan(problem, block).steps) {
                    const KernelResources* found = find(kernels, step.kernel);
                    if (!CHECK(found, step.kernel)) continue;
                    const Occupancy fit = occupancy(
                        architecture, {.threads = static_cast<int>(step.block.count()), .registers = found->registers, .static_shared = found->static_shared, .dynamic_shared = step.shared_bytes});
                    CHECK(fit.blocks > 0, fmt::format("{} with {} threads and {} bytes: {}", step.kernel, step.block.count(), step.shared_bytes, fit.refusal));
                }
    });
}
