#pragma once

#include "engine/simt/kernel_text.hpp"
#include "engine/simt/runtime/kernel_library.hpp"
#include "engine/simt/runtime/plain_runner.hpp"
#include "tests/support/check.hpp"
#include "tests/support/variable.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

/// What tests of compiled kernels share.
namespace gradus::test {

namespace fs = std::filesystem;

/// A folder that is gone with this.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "gradus-compile-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        path_ = name;
    }
    ~Folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const fs::path& path() const { return path_; }
    std::string write(const std::string& name, const std::string& text) const {
        const fs::path file = path_ / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }

private:
    fs::path path_;
};

inline const fs::path& shared_cache() {
    static const Folder folder;
    return folder.path();
}

/// Kernels' files of one test. The user's cache is all tests' own, so that the shim is prepared once.
class Scratch : public Folder {
    Variable cache_{"XDG_CACHE_HOME", shared_cache().c_str()};
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// One block of so many threads, without hooks.
template <class... T>
void launch(const std::string& path, int threads, T... arguments) {
    const simt::KernelLibrary library(path);
    library.attach(simt::PlainRunner::runtime());
    void* pointers[] = {&arguments...};
    simt::PlainRunner runner;
    runner.run_block({{}, {threads}, 0}, 0, library.entry(0), pointers);
}

inline const std::string twice = "__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }\n";

inline bool is_twice(const std::string& library) {
    std::vector<float> x(32), y(32);
    std::iota(x.begin(), x.end(), 0.f);
    launch(library, 32, x.data(), y.data());
    for (std::size_t i = 0; i < 32; ++i)
        if (y[i] != 2.f * static_cast<float>(i)) return false;
    return true;
}

} // namespace gradus::test
