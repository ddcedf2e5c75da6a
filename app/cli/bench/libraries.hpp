#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gradus::cli {

/// A library's fp32 product C = A · B of contiguous matrices, m × k times k × n.
struct ProductLibrary {
    std::string name;
    std::function<void(int m, int n, int k, const float* a, const float* b, float* c)> product;
    std::function<void(int threads)> set_threads;
};

/// Those of Eigen (compiled for this processor), OpenBLAS and oneDNN that are here, opened when first asked for. They are measured
/// against and never needed; `missing` says of each other why it is not here.
std::vector<ProductLibrary> product_libraries(std::vector<std::string>& missing);

} // namespace gradus::cli
