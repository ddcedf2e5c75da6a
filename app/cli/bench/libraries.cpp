#include "app/cli/bench/libraries.hpp"

#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace gradus::cli {

namespace {

/// A function of a library, or null. Libraries stay open until the program ends.
template <class Function> Function function_of(void* library, const char* name) {
    return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
}

void* open_first(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    return nullptr;
}

/// A library's own setting; one without it stays as it is.
std::function<void(int)> threads_of(void* library, const char* name) {
    if (const auto set = function_of<void (*)(int)>(library, name)) return set;
    return [](int) {};
}

} // namespace

std::vector<ProductLibrary> product_libraries(std::vector<std::string>& missing) {
    std::vector<ProductLibrary> out;
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    const char* const isa = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? "avx512" : "avx2";
    void* const eigen = dlopen((folder / fmt::format("libgradus_peer_eigen_{}.so", isa)).c_str(), RTLD_NOW | RTLD_LOCAL);
    using Plain = void (*)(int, int, int, const float*, const float*, float*);
    if (const auto product = function_of<Plain>(eigen, "gradus_eigen_product"))
        out.push_back({"Eigen", product, threads_of(eigen, "gradus_eigen_threads")});
    else missing.emplace_back("Eigen, not built");

    void* const blas = open_first({"libopenblas.so.0", "libopenblas.so"});
    using Cblas = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
    if (const auto product = function_of<Cblas>(blas, "cblas_sgemm")) {
        constexpr int row_major = 101, no_transpose = 111;
        out.push_back({"OpenBLAS",
                       [product](int m, int n, int k, const float* a, const float* b, float* c) {
                           product(row_major, no_transpose, no_transpose, m, n, k, 1, a, k, b, n, 0, c, n);
                       },
                       threads_of(blas, "openblas_set_num_threads")});
    } else missing.emplace_back("OpenBLAS, not installed (libopenblas0-pthread)");

    void* const dnnl = open_first({"libdnnl.so.3", "libdnnl.so.2"});
    using Dnnl = int (*)(char, char, std::int64_t, std::int64_t, std::int64_t, float, const float*, std::int64_t, const float*,
                         std::int64_t, float, float*, std::int64_t);
    if (const auto product = function_of<Dnnl>(dnnl, "dnnl_sgemm")) {
        void* const openmp = open_first({"libgomp.so.1"});
        out.push_back({"oneDNN",
                       [product](int m, int n, int k, const float* a, const float* b, float* c) {
                           product('N', 'N', m, n, k, 1, a, k, b, n, 0, c, n);
                       },
                       threads_of(openmp, "omp_set_num_threads")});
    } else missing.emplace_back("oneDNN, not installed (libdnnl-dev)");
    return out;
}

} // namespace gradus::cli
