// Eigen's product, compiled for one instruction set in a library of its own: nothing of it may be taken for the baseline's code.
#include <Eigen/Core>

extern "C" __attribute__((visibility("default"))) void gradus_eigen_product(int m, int n, int k, const float* a, const float* b,
                                                                              float* c) {
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Matrix>(c, m, n).noalias() = Eigen::Map<const Matrix>(a, m, k) * Eigen::Map<const Matrix>(b, k, n);
}

extern "C" __attribute__((visibility("default"))) void gradus_eigen_threads(int threads) { Eigen::setNbThreads(threads); }
