#include "engine/simt/compile.hpp"
#include "engine/simt/inline_hooks.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/kernel_folder.hpp"
#include "engine/simt/tool_process.hpp"
#include "tests/simt/compiled.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <numeric>
#include <set>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

/// What the compiler says of it, with hooks.
CompileError error_of(const KernelSource& source) {
    try {
        compile_kernel(source, KernelBuild::hooked);
    } catch (const CompileError& error) {
        return error;
    }
    CHECK(false, "it compiles");
    throw Ended{};
}

std::string trimmed_text(const fs::path& file) { return std::string(trimmed(text_of(file))); }

} // namespace

TEST(a_shipped_kernel_is_compiled_and_runs) {
    const Scratch scratch;
    const std::string library = compile_kernel({kernel_folder() + "/kernels/transpose/2_tiled.cu", {"transpose_tiled"}}, KernelBuild::plain);
    std::vector<float> x(32 * 32), y(32 * 32);
    std::iota(x.begin(), x.end(), 0.f);
    launch(library, 32, const_cast<const float*>(x.data()), y.data(), 32, 32);
    for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c) CHECK_EQUAL(y[c * 32 + r], x[r * 32 + c]);
}

/// What is special of an access calls a function of ours, none a sanitizer's; the rest is found when it is linked. Places are those of the kernel's file.
TEST(with_hooks_a_kernel_calls_the_interpreter) {
    const Scratch scratch;
    const std::string file = scratch.write("twice.cu", "\n\n" + twice), library = compile_kernel({file, {"twice"}}, KernelBuild::hooked);
    const std::string wanted = run_tool({"nm", "-D", "--undefined-only", library}, {std::chrono::seconds(30)}).output;
    for (const char* hook : {"simt_read4", "simt_write4", "simt_func_entry", "simt_func_exit", "simt_step_back"}) CHECK(has(wanted, std::string("w ") + hook), wanted);
    for (const char* theirs : {"__tsan", "__sanitizer", "__ubsan"}) CHECK(!has(wanted, theirs), wanted);
    const std::string lines = run_tool({"readelf", "--debug-dump=decodedline", library}, {std::chrono::seconds(30)}).output;
    CHECK(has(lines, "twice.cu") && has(lines, " 3 "), lines);
}

TEST(calls_of_hooks_are_done_in_place) {
    const struct {
        const char *theirs, *ours;
    } rows[] = {
        {"\tcall\t*__tsan_read4@GOTPCREL(%rip)", "\tsimt_access simt_read4, 3"},
        {"\tcall\t*__tsan_unaligned_write8@GOTPCREL(%rip)", "\tsimt_access simt_unaligned_write8, 0"},
        {"\tcall\t*__tsan_volatile_read16@GOTPCREL(%rip)", "\tsimt_access simt_volatile_read16, 15"},
        {"\tcall\t*__tsan_write1@GOTPCREL(%rip)", "\tsimt_access simt_write1, 0"},
        {"\tcall\t*__sanitizer_cov_trace_pc@GOTPCREL(%rip)", "\tsimt_block simt_step_back"},
        {"\tcall\t*__tsan_read_range@GOTPCREL(%rip)", "\tcall\t*simt_read_range@GOTPCREL(%rip)"},
        {"\tcall\t*__tsan_atomic32_load@GOTPCREL(%rip)", "\tcall\t*__tsan_atomic32_load@GOTPCREL(%rip)"}, // the linker says that there is none
        {"\tcall\t*expf@GOTPCREL(%rip)", "\tcall\t*expf@GOTPCREL(%rip)"},
        {"\t.string\t\"__tsan_read4\"", "\t.string\t\"__tsan_read4\""},
        {"\tcall\t__tsan_read4", "\tcall\t__tsan_read4"},
        {"", ""},
    };
    for (const auto& row : rows) CHECK_EQUAL(with_inline_hooks(row.theirs + std::string("\n.L1:\n")), row.ours + std::string("\n.L1:\n"));
    CHECK_EQUAL(with_inline_hooks("\tret"), "\tret\n");
    CHECK_EQUAL(with_inline_hooks(""), "");
}

/// Kernels read floats as float4 and halves as uint4.
TEST(one_type_may_be_read_as_another) {
    const Scratch scratch;
    const std::string file = scratch.write("alias.cu", "__noinline__ __device__ float both(float* x, int* y) { *x = 1; *y = 0; return *x; }\n"
                                                       "__global__ void k(float* x) { x[1] = both(x, (int*)x); }\n");
    float x[2] = {5, 5};
    launch(compile_kernel({file, {"k"}}, KernelBuild::plain), 1, static_cast<float*>(x));
    CHECK_EQUAL(x[1], 0.f);
}

/// A library that stays loaded for ever would pile up with every edit.
TEST(a_library_goes_when_it_is_done_with) {
    const Scratch scratch;
    const std::string file = scratch.write("unique.cu", "template <class T> struct Count { static inline int n = 0; };\n"
                                                        "template <class T> __host__ int next() { static int n = 0; return ++n; }\n"
                                                        "__global__ void k(int* x) { x[0] = ++Count<float>::n + next<int>(); }\n");
    int x = 0;
    const std::string library = compile_kernel({file, {"k"}}, KernelBuild::plain);
    for (int i = 0; i < 2; ++i) { // from the start again
        launch(library, 1, &x);
        CHECK_EQUAL(x, 2);
        CHECK(!dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD));
    }
}

/// All `extern __shared__` names begin at one place, behind what is static, and have 227 KiB.
TEST(dynamic_shared_memory_lies_behind_static) {
    const Scratch scratch;
    const std::string file = scratch.write("dynamic.cu", R"(
__global__ void where(long long* out) {
    __shared__ float fixed[33];
    extern __shared__ float floats[];
    extern __shared__ long long longs[];
    fixed[threadIdx.x % 33] = 1;
    ((char*)floats)[227 * 1024 - 1] = 1;
    out[0] = (char*)floats - (char*)longs;
    out[1] = (long long)floats % 64;
    out[2] = (char*)floats - (char*)fixed;
}
)");
    for (const KernelBuild build : {KernelBuild::plain, KernelBuild::hooked}) {
        const std::string library = compile_kernel({file, {"where"}}, build);
        if (build == KernelBuild::hooked) break; // it links: that it runs is the child's business
        long long out[3] = {-1, -1, -1};
        launch(library, 1, static_cast<long long*>(out));
        CHECK_EQUAL(out[0], 0);
        CHECK_EQUAL(out[1], 0);
        CHECK(out[2] >= 33 * 4 && out[2] < 1024, std::to_string(out[2]));
    }
}

TEST(an_error_is_told_at_its_place) {
    const Scratch scratch;
    const struct {
        const char *name, *text, *launch;
        int line, column; ///< 0: any
        const char* words;
    } rows[] = {
        {"no semicolon", "__global__ void k(float* x) {\n    x[0] = 1\n}\n", "k", 2, 13, "expected"},
        {"no such header", "#include \"nothing.h\"\n__global__ void k(float* x) {}\n", "k", 1, 10, "nothing.h: No such file"},
        {"another type", "__global__ void k(float* x) {\n\n    int* y = x;\n}\n", "k", 3, 14, "cannot convert"},
        {"no such name", "__global__ void k(float* x) {\n    x[thread] = 1;\n}\n", "k", 2, 7, "was not declared"},
        {"no such kernel", "__global__ void k(float* x) {}\n", "tiled<32>", 0, 0, "the launch tiled<32>: "},
        {"no such instance", "template <int n> __global__ void k(float* x) {}\n", "k<float>", 0, 0, "the launch k<float>: "},
        {"in an instance", "template <int n> __global__ void k(float* x) {\n    static_assert(n > 8, \"too few\");\n}\n", "k<4>", 2, 0, "too few"},
        {"not of this file", "extern \"C\" float elsewhere(float);\n__global__ void k(float* x) {\n    x[0] = elsewhere(1);\n}\n", "k", 3, 0,
         "nothing that a kernel can call is named 'elsewhere'"},
        {"not there, in a template", "template <class T> __host__ T nowhere(T);\ntemplate <class T> __device__ T f(T x) {\n    return nowhere(x);\n}\n__global__ void k(float* x) {\n    x[0] = f(x[0]);\n}\n", "k", 3, 0,
         "nothing that a kernel can call is named 'float nowhere<float>(float)'"},
        {"C++ atomics", "#include <atomic>\n__global__ void k(std::atomic<int>* x) {\n    x->fetch_add(1);\n}\n", "k", 0, 0, "C++ atomics are not for kernels"},
        {"no instruction", "__global__ void k(float* x) {\n    asm(\"no.such.instruction\");\n}\n", "k", 0, 0, "its inline assembly: no such instruction"},
        {"deep in a header of CUDA's", "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(float* x) {\n    auto tile = cg::tiled_partition<33>(cg::this_thread_block());\n"
                                       "    x[tile.thread_rank()] = 0;\n}\n", "k", 4, 0, "1, 2, 4, 8, 16 or 32 threads"},
        {"deep in a header of C++'s", "#include <tuple>\n__global__ void k(float* x) {\n    std::tuple<float> t;\n    x[0] = std::get<3>(t);\n}\n", "k", 4, 0, ""},
        {"too many arguments for it", "__device__ float f(float x) { return x; }\n__global__ void k(float* x) {\n    x[0] = f(x[0], 1);\n}\n", "k", 3, 13, "too many arguments"},
        {"no body", "__device__ float f(float);\n__global__ void k(float* x) {\n    x[0] = f(1);\n}\n", "k", 0, 0, "body not available"},
        {"calls itself", "__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n__global__ void k(int* x) {\n    x[0] = f(x[1]);\n}\n", "k", 1, 0, "does it call itself?"},
        {"without end", "template <int n> struct Next { static constexpr int value = Next<n + 1>::value; };\n__global__ void k(int* x) { x[0] = Next<0>::value; }\n", "k", 1, 0,
         "template instantiation depth"},
        {"itself", "#include \"itself.cu\"\n__global__ void k(int* x) {}\n", "k", 1, 0, "nested"},
        {"an #error", "#error not for this card\n__global__ void k(int* x) {}\n", "k", 1, 2, "not for this card"},
        {"nothing at all", "", "k", 0, 0, "the launch k: "},
        {"no text", "\x7f" "ELF\x01\x02\xff\xfe", "k", 0, 0, ""},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const std::string file = scratch.write(fmt::format("{}.cu", row.name), row.text);
        const CompileError error = error_of({file, {row.launch}});
        const std::string sentence = error.what();
        CHECK(has(sentence, fmt::format("{}.cu", row.name)) && has(sentence, row.words) && !has(sentence, "\n"), sentence);
        if (row.line) CHECK(has(sentence, fmt::format("{}.cu:{}:", row.name, row.line)), sentence);
        const auto first = std::find_if(error.messages().begin(), error.messages().end(), [](const CompilerMessage& one) { return has(one.severity, "error"); });
        REQUIRE(first != error.messages().end());
        CHECK_EQUAL(first->file, file);
        if (row.line) CHECK_EQUAL(first->line, row.line);
        if (row.column) CHECK_EQUAL(first->column, row.column);
    }
    const std::string file = scratch.write("two.cu", "__device__ void f(int*, int) {}\n__global__ void k(float* x) {\n    f(x, 1);\n    g(x);\n}\n");
    std::string found;
    const CompileError error = error_of({file, {"k"}});
    for (const CompilerMessage& message : error.messages())
        if (message.severity != "warning") found += fmt::format("{} {}, ", message.severity, message.line);
    CHECK_EQUAL(found, "error 3, note 1, error 4, ");
    CHECK_THROWS(compile_kernel({(scratch.path() / "missing.cu").string(), {"k"}}, KernelBuild::plain), FileError, "missing.cu", "cannot be read");
}

/// A launch hands over what its kernel takes, or is named.
TEST(a_launch_is_held_against_the_kernel_s_parameters) {
    const Scratch scratch;
    const std::string file = scratch.write("takes.cu", "template <class T> __global__ void takes(const T* x, float* y, int n, float a, unsigned long long b) {}\n");
    const struct {
        std::vector<std::string> arguments;
        bool fits;
    } rows[] = {
        {{"void*", "void*", "int", "float", "long long"}, true},
        {{"void*", "void*", "unsigned", "float", "long long"}, true},
        {{"void*", "void*", "int", "float"}, false},
        {{"void*", "void*", "int", "float", "long long", "int"}, false},
        {{"void*", "int", "int", "float", "long long"}, false},
        {{"void*", "void*", "float", "float", "long long"}, false},
        {{"void*", "void*", "int", "double", "long long"}, false},
        {{"void*", "void*", "int", "float", "int"}, false},
        {{"void*", "void*", "int", "float", "void*"}, false},
        {{}, false},
    };
    for (const auto& row : rows) {
        const Row named(joined(row.arguments));
        const KernelSource source{file, {"takes<float>"}, {}, {row.arguments}};
        if (row.fits) CHECK(fs::exists(compile_kernel(source, KernelBuild::hooked)));
        else
            CHECK_EQUAL(std::string(error_of(source).what()),
                        fmt::format("takes.cu: the launch takes<float>: it hands over ({}), and the kernel takes something else", joined(row.arguments)));
    }
}

TEST(a_kernel_may_lie_anywhere) {
    const Scratch scratch;
    for (const char* name : {"with blanks/my kernel.cu", "그라두스/전치 ü.cu", "it's \"quoted\"/a.cu", "back\\slash\\n.cu", "-o/-I.cu", "%s/$HOME/`id`/;&.cu", "no_suffix"}) {
        const Row named(name);
        CHECK(is_twice(compile_kernel({scratch.write(name, twice), {"twice"}}, KernelBuild::plain)));
        CHECK(fs::exists(compile_kernel({scratch.write(name, twice), {"twice"}}, KernelBuild::hooked)));
    }
    const std::string wrong = scratch.write("it's \"quoted\"/wrong.cu", "__global__ void k() { x }\n");
    CHECK_EQUAL(error_of({wrong, {"k"}}).messages().at(0).file, wrong);
    const Variable cache("XDG_CACHE_HOME", (scratch.path() / "caché \"of mine\"").c_str());
    CHECK(is_twice(compile_kernel({scratch.write("twice.cu", twice), {"twice"}}, KernelBuild::plain)));
    const fs::path before = fs::current_path();
    fs::create_directory(scratch.path() / "here");
    fs::current_path(scratch.path() / "here");
    CHECK(is_twice(compile_kernel({"../twice.cu", {"twice"}}, KernelBuild::plain)));
    fs::current_path(before);
}

/// An edited copy finds what stands beside the rung, and is compiled anew when that changes.
TEST(an_edited_kernel_includes_what_its_rung_does) {
    const Scratch scratch;
    const std::string file = scratch.write("edited.cu", "#include \"ptx.cuh\"\n#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n" + twice);
    CHECK(is_twice(compile_kernel({file, {"twice"}, kernel_folder() + "/kernels/matmul_half"}, KernelBuild::plain)));
    std::set<std::string> all;
    for (const char* text : {"", "// another\n"}) {
        scratch.write("rung's/ptx.cuh", text);
        all.insert(compile_kernel({file, {"twice"}, (scratch.path() / "rung's").string()}, KernelBuild::plain));
    }
    CHECK_EQUAL(all.size(), 2u);
}

TEST(without_a_compiler_it_says_which_package_has_it) {
    const Scratch scratch;
    const Variable no_programs("PATH", scratch.path().c_str());
    CHECK_THROWS(compile_kernel({scratch.write("twice.cu", twice), {"twice"}}, KernelBuild::plain), UnavailableError, "no g++ is here", "install the package g++");
}

TEST(a_compiler_that_gives_up_is_quoted) {
    const Scratch scratch;
    const Variable path("PATH", (scratch.path().string() + ":/usr/bin:/bin").c_str());
    fs::permissions(scratch.write("g++", "#!/bin/sh\necho 'g++: no space left'\necho more\necho $TMPDIR >\"${0%/*}/told\"\nexit 4\n"), fs::perms::owner_all);
    CHECK_EQUAL(std::string(error_of({scratch.write("twice.cu", twice), {"twice"}}).what()), "twice.cu: the compiler gave up: g++: no space left");
    const std::string temporary = trimmed_text(scratch.path() / "told"); // what a compiler that is killed leaves goes with it
    CHECK(temporary.starts_with(shared_cache().string()) && !fs::exists(temporary), temporary);
}

/// As short as they are greedy.
TEST(what_is_too_large_compiled_is_refused_in_a_sentence) {
    const Scratch scratch;
    const std::string file = scratch.write("array.cu", "__device__ char large[100'000'000'000ull] = {1};\n__global__ void k(char* x) { x[0] = large[5]; }\n");
    CHECK_THROWS(compile_kernel({file, {"k"}}, KernelBuild::plain), UnavailableError, "array.cu: compiled it would have more than 512 MiB");
    for (const auto& entry : fs::recursive_directory_iterator(shared_cache())) CHECK(!entry.path().filename().string().starts_with('.'), entry.path().string());
}
SLOW_TEST(what_takes_too_much_to_compile_is_refused_in_a_sentence) {
    const Scratch scratch;
    const std::string file = scratch.write("constexpr.cu", "struct All { char all[100'000'000'000ull] = {}; };\nconstexpr All make() { All a; for (char& c : a.all) c = 1; return a; }\n"
                                                           "constexpr All all = make();\n__global__ void k(char* x) { x[0] = all.all[threadIdx.x]; }\n");
    CHECK_THROWS(compile_kernel({file, {"k"}}, KernelBuild::plain), CompileError, "constexpr.cu:2:31: ‘constexpr’ loop iteration count exceeds limit");
    const std::string names = scratch.write("names.cu", "template <int n> struct T { template <class... U> struct V : T<n - 1>::template V<U..., U..., U*...> {}; };\n"
                                                        "template <> struct T<0> { template <class... U> struct V {}; };\n__global__ void k(int* x) { x[0] = sizeof(T<24>::V<int, char>); }\n");
    CHECK_THROWS(compile_kernel({names, {"k"}}, KernelBuild::plain), UnavailableError, "names.cu: the compiler "); // out of memory, or of time
}

/// A compiler that never stops talking.
TEST(a_compiler_that_says_too_much_is_stopped) {
    const Scratch scratch;
    const Variable path("PATH", (scratch.path().string() + ":/usr/bin:/bin").c_str());
    fs::permissions(scratch.write("g++", "#!/bin/sh\nexec yes 'cc1plus: and on it goes'\n"), fs::perms::owner_all);
    CHECK_EQUAL(std::string(error_of({scratch.write("twice.cu", twice), {"twice"}}).what()), "twice.cu: the compiler has too much to say of it");
}

SLOW_TEST(a_compiler_that_hangs_is_stopped) {
    const Scratch scratch;
    const std::string file = scratch.write("twice.cu", twice);
    compile_kernel({file, {"twice"}}, KernelBuild::plain);
    const Variable path("PATH", (scratch.path().string() + ":/usr/bin:/bin").c_str());
    fs::permissions(scratch.write("g++", "#!/bin/sh\nsleep 600 & sleep 600\n"), fs::perms::owner_all);
    CHECK_THROWS(compile_kernel({scratch.write("hangs.cu", twice), {"twice"}}, KernelBuild::plain), UnavailableError, "hangs.cu", "did not come to an end within 30 s");
}
