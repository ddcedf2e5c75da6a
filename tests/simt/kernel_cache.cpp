// The user's cache of compiled kernels.

#include "engine/core/error.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_cache.hpp"
#include "engine/simt/kernel_text.hpp"
#include "tests/simt/compiled.hpp"

#include <chrono>
#include <mutex>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
namespace fs = std::filesystem;

TEST(what_was_compiled_is_found_again) {
    const Scratch scratch;
    const std::string file = scratch.write("found.cu", twice);
    const auto began = std::chrono::steady_clock::now();
    const std::string library = compile_kernel({file, {"twice"}}, KernelBuild::plain), bytes = text_of(library);
    const auto compiled = std::chrono::steady_clock::now();
    {
        const Variable no_programs("PATH", scratch.path().c_str());
        CHECK_EQUAL(compile_kernel({file, {"twice"}}, KernelBuild::plain), library);
    }
    CHECK(std::chrono::steady_clock::now() - compiled < compiled - began);
    CHECK(text_of(library) == bytes && is_twice(library));

    std::set<std::string> all{library};
    all.insert(compile_kernel({file, {"twice"}}, KernelBuild::hooked));
    all.insert(compile_kernel({file, {"twice", "twice"}}, KernelBuild::plain));
    all.insert(compile_kernel({scratch.write("elsewhere/found.cu", twice), {"twice"}}, KernelBuild::plain)); // its messages and places bear its path
    all.insert(compile_kernel({scratch.write("found.cu", twice + "// another\n"), {"twice"}}, KernelBuild::plain));
    scratch.write("part.cuh", "constexpr int factor = 3;\n");
    const std::string with_part = scratch.write("with_part.cu", "#include \"part.cuh\"\n__global__ void k(int* x) { x[0] = factor; }\n");
    for (const int factor : {3, 4}) { // what it includes is its text, too
        scratch.write("part.cuh", fmt::format("constexpr int factor = {};\n", factor));
        int x = 0;
        const std::string path = compile_kernel({with_part, {"k"}}, KernelBuild::plain);
        launch(path, 1, &x);
        CHECK_EQUAL(x, factor);
        all.insert(path);
    }
    CHECK_EQUAL(all.size(), 7u);
    for (const auto& entry : fs::recursive_directory_iterator(shared_cache())) CHECK(!entry.path().filename().string().starts_with('.'), entry.path().string());
}

TEST(what_is_damaged_in_the_cache_is_made_anew) {
    const Scratch scratch;
    const Variable cache("XDG_CACHE_HOME", (scratch.path() / "cache").c_str());
    const std::string file = scratch.write("damaged.cu", twice), library = compile_kernel({file, {"twice"}}, KernelBuild::plain);
    std::string header;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path() / "cache"))
        if (entry.path().extension() == ".gch") header = entry.path().string();
    REQUIRE(!header.empty());
    for (const std::string& whole : {library, header}) {
        const std::string bytes = text_of(whole);
        const auto flipped = [&](std::size_t at) {
            std::string out = bytes;
            out[at] ^= 0x10;
            return out;
        };
        std::vector<std::string> damages{bytes.substr(0, bytes.size() / 2), flipped(bytes.size() / 2)};
        if (whole == library) damages.insert(damages.end(), {bytes.substr(0, bytes.size() - 1), "", "no library", flipped(0), flipped(bytes.size() - 1)});
        for (const std::string& damaged : damages) {
            const Row named(fmt::format("{} of {} bytes", damaged.size(), bytes.size()));
            if (whole == header) fs::remove(library); // so that the header is asked for
            fs::remove(whole);                        // who has it open keeps what it had
            std::ofstream(whole, std::ios::binary) << damaged;
            CHECK(!is_kept(whole));
            CHECK_EQUAL(compile_kernel({file, {"twice"}}, KernelBuild::plain), library);
            CHECK(is_kept(whole) && is_twice(library));
        }
    }
}

TEST(several_may_compile_the_same_at_once) {
    const Scratch scratch;
    const Variable cache("XDG_CACHE_HOME", (scratch.path() / "cache").c_str());
    const std::string file = scratch.write("at_once.cu", twice);
    std::mutex protects_paths;
    std::set<std::string> paths;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] {
                std::string path;
                try {
                    path = compile_kernel({file, {"twice"}}, KernelBuild::plain);
                } catch (const Error& error) {
                    CHECK(false, error.what());
                    return;
                }
                CHECK(is_kept(path) && is_twice(path));
                const std::lock_guard lock(protects_paths);
                paths.insert(path);
            });
    }
    CHECK_EQUAL(paths.size(), 1u);
}

/// What lies in the cache is run: it must be nobody else's.
TEST(a_cache_that_cannot_be_used_is_replaced) {
    const Scratch scratch;
    const Variable temporary("TMPDIR", scratch.path().c_str());
    const fs::path instead = scratch.path() / fmt::format("gradus-kernels-{}", geteuid());
    const std::string file = scratch.write("twice.cu", twice);
    {
        const Variable cache("XDG_CACHE_HOME", "/proc/self");
        const std::string library = compile_kernel({file, {"twice"}}, KernelBuild::plain);
        CHECK_EQUAL(fs::path(library).parent_path().string(), instead.string());
        CHECK(is_twice(library));
    }
    const fs::path own = scratch.path() / "cache";
    const Variable cache("XDG_CACHE_HOME", own.c_str());
    CHECK_EQUAL(kernel_cache().string(), (own / "gradus" / "kernels").string());
    chmod((own / "gradus" / "kernels").c_str(), 0777);
    CHECK_EQUAL(kernel_cache().string(), instead.string());
    fs::remove_all(own / "gradus" / "kernels");
    std::ofstream(own / "gradus" / "kernels") << "a file";
    CHECK_EQUAL(kernel_cache().string(), instead.string());
    chmod(instead.c_str(), 0755);
    CHECK_THROWS(kernel_cache(), FileError, "can be kept neither", instead.string());
    fs::remove_all(instead);
    fs::create_directory(scratch.path() / "elsewhere");
    chmod((scratch.path() / "elsewhere").c_str(), 0700);
    fs::create_symlink(scratch.path() / "elsewhere", instead);
    CHECK_THROWS(compile_kernel({file, {"twice"}}, KernelBuild::plain), FileError, "can be kept neither", instead.string());
    fs::remove(instead);
    CHECK_EQUAL(kernel_cache().string(), instead.string());
    if (geteuid() != 0) return; // who else may give it away?
    CHECK_EQUAL(lchown(instead.c_str(), 12345, 12345), 0);
    CHECK_THROWS(kernel_cache(), FileError, "can be kept neither");
    fs::remove_all(own / "gradus");
    CHECK_EQUAL(kernel_cache().string(), (own / "gradus" / "kernels").string());
    CHECK_EQUAL(lchown((own / "gradus").c_str(), 12345, 12345), 0); // whoever has it can exchange what is in it
    CHECK_THROWS(kernel_cache(), FileError, "can be kept neither");
}

TEST(what_a_killed_compilation_left_goes) {
    const Scratch scratch;
    const Variable cache("XDG_CACHE_HOME", (scratch.path() / "cache").c_str());
    const std::string file = scratch.write("twice.cu", twice);
    pid_t gone = fork();
    if (gone == 0) _exit(0);
    waitpid(gone, nullptr, 0);
    const fs::path old = kernel_cache() / fmt::format(".twice.so.gradus-{}-0.part", gone), own = kernel_cache() / fmt::format(".twice.so.gradus-{}-99.part", getpid());
    for (const fs::path& left : {old, own}) {
        fs::create_directory(left);
        std::ofstream(left / "kernel.o") << "half";
        fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    compile_kernel({file, {"twice"}}, KernelBuild::plain);
    CHECK(!fs::exists(old) && fs::exists(own));
}

/// Its text is what the compiler would read without it.
TEST(the_shim_is_read_as_it_was_compiled) {
    const Scratch scratch;
    const Variable cache("XDG_CACHE_HOME", (scratch.path() / "cache").c_str());
    for (const KernelBuild build : {KernelBuild::plain, KernelBuild::hooked}) {
        compile_kernel({scratch.write("twice.cu", twice), {"twice"}}, build);
        std::size_t headers = 0;
        for (const auto& entry : fs::recursive_directory_iterator(kernel_cache()))
            if (entry.path().extension() == ".h") std::ofstream(entry.path()) << "#error not as it was compiled\n", ++headers;
        CHECK_EQUAL(headers, build == KernelBuild::plain ? 1u : 2u);
        CHECK(fs::exists(compile_kernel({scratch.write("twice.cu", twice + "// another\n"), {"twice"}}, build)));
    }
}

/// mma.h takes longer to read than all the rest: for kernels that ask for it, it is compiled beforehand, too. Others have no name of its.
TEST(the_matrix_header_is_compiled_once) {
    const Scratch scratch;
    const Variable cache("XDG_CACHE_HOME", (scratch.path() / "cache").c_str());
    const std::string matrices = "#include <mma.h>\n__global__ void twice(const float* x, float* y) { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f; y[0] = f.num_elements; }\n";
    const auto headers = [] {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(kernel_cache())) count += entry.path().extension() == ".gch";
        return count;
    };
    compile_kernel({scratch.write("twice.cu", twice), {"twice"}}, KernelBuild::plain);
    CHECK_EQUAL(headers(), 1u);
    compile_kernel({scratch.write("twice.cu", matrices), {"twice"}}, KernelBuild::plain);
    CHECK_EQUAL(headers(), 2u);
    for (const auto& entry : fs::recursive_directory_iterator(kernel_cache())) // who reads it as text does not get through
        if (entry.path().extension() == ".h") std::ofstream(entry.path()) << "#error not as it was compiled\n";
    CHECK(fs::exists(compile_kernel({scratch.write("twice.cu", matrices + "// another\n"), {"twice"}}, KernelBuild::plain)));
    CHECK_EQUAL(headers(), 2u);
    CHECK_THROWS(compile_kernel({scratch.write("twice.cu", matrices.substr(matrices.find('\n'))), {"twice"}}, KernelBuild::plain), CompileError, "nvcuda");
}

TEST(another_processor_is_another_key) {
    const auto of = [](const std::string& text) {
        std::istringstream in(text);
        return processor_of(in);
    };
    const std::string one = "processor\t: 0\nvendor_id\t: A\nmodel name\t: B\ncpu MHz\t: 1000\nflags\t: sse avx\n";
    CHECK(of(one) == of(one + "\nprocessor\t: 1\nvendor_id\t: A\n"));
    CHECK(of(one) == of("processor\t: 0\nvendor_id\t: A\nmodel name\t: B\ncpu MHz\t: 2000\nflags\t: sse avx\n"));
    CHECK(of(one) != of("processor\t: 0\nvendor_id\t: A\nmodel name\t: B\ncpu MHz\t: 1000\nflags\t: sse avx avx2\n"));
    CHECK(of(one) != of("processor\t: 0\nvendor_id\t: A\nmodel name\t: C\ncpu MHz\t: 1000\nflags\t: sse avx\n"));
}

TEST(the_cache_keeps_what_was_used_last) {
    const Folder folder;
    const auto now = fs::file_time_type::clock::now();
    const char* names[] = {"oldest.so", "older/shim.gch", "newer.so", "newest.so", ".at_work.part"};
    for (int i = 0; i < 5; ++i) fs::last_write_time(folder.write(names[i], std::string(1000, 'x')), i == 4 ? now - std::chrono::hours(9) : now - std::chrono::hours(4 - i));
    const auto left = [&] {
        std::string out;
        for (const char* name : names) out += fs::exists(folder.path() / name) ? '1' : '0';
        return out;
    };
    thin_out(folder.path(), 4000);
    CHECK_EQUAL(left(), "11111");
    thin_out(folder.path(), 3000);
    CHECK_EQUAL(left(), "01111");
    thin_out(folder.path(), 2999);
    CHECK_EQUAL(left(), "00111");
    CHECK(!fs::exists(folder.path() / "older"));
    thin_out(folder.path(), 0);
    CHECK_EQUAL(left(), "00001");
    thin_out(folder.path() / "missing", 0);
}
