// Matrix products of every ISA path: against Eigen in double precision, against one chain of multiply-adds in the
// order of k to the bit, and against themselves for other numbers of threads.
#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace gradus;
using namespace gradus::test;

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const Tensor& tensor) {
    Matrix out(tensor.shape()[0], tensor.shape()[1]);
    for (Dim i = 0; i < out.rows(); ++i)
        for (Dim j = 0; j < out.cols(); ++j) out(i, j) = tensor.at(i, j);
    return out;
}

struct Operands {
    Tensor a, b; ///< as stored: transposed where the attribute says so
    bool transpose_a = false, transpose_b = false;
    Dim m = 0, k = 0, n = 0;
};

Operands operands(Dim m, Dim k, Dim n, bool transpose_a, bool transpose_b, DType dtype, std::uint64_t seed) {
    return {random_tensor(transpose_a ? shape_of({k, m}) : shape_of({m, k}), dtype, seed),
            random_tensor(transpose_b ? shape_of({n, k}) : shape_of({k, n}), dtype, seed + 1),
            transpose_a, transpose_b, m, k, n};
}

Tensor product(const Device& device, const Operands& o) {
    return call_kernel(device, "matmul", {o.a, o.b}, {{shape_of({o.m, o.n}), o.a.dtype()}},
                       {o.transpose_a ? 1.0 : 0.0, o.transpose_b ? 1.0 : 0.0})[0];
}

Tensor reference(const Operands& o) {
    const Matrix a = matrix_of(o.a), b = matrix_of(o.b);
    Matrix c(o.m, o.n);
    if (o.k == 0) c.setZero();
    else if (o.transpose_a && o.transpose_b) c = a.transpose() * b.transpose();
    else if (o.transpose_a) c = a.transpose() * b;
    else if (o.transpose_b) c = a * b.transpose();
    else c = a * b;
    return tensor_of(shape_of({o.m, o.n}), std::span(c.data(), static_cast<std::size_t>(c.size())));
}

/// c_ij as one chain over k, each step rounded once (fused) or twice.
template <class T> Tensor chain(const Operands& o, bool fused) {
    std::vector<double> out;
    for (Dim i = 0; i < o.m; ++i)
        for (Dim j = 0; j < o.n; ++j) {
            T sum = 0;
            for (Dim k = 0; k < o.k; ++k) {
                const T a = static_cast<T>(o.transpose_a ? o.a.at(k, i) : o.a.at(i, k));
                const T b = static_cast<T>(o.transpose_b ? o.b.at(j, k) : o.b.at(k, j));
                if (fused) sum = std::fma(a, b, sum);
                else {
                    const volatile T product = a * b; // rounded before it is added
                    sum = product + sum;
                }
            }
            out.push_back(static_cast<double>(sum));
        }
    return tensor_of(shape_of({o.m, o.n}), out, o.a.dtype());
}

/// ‖c − wanted‖₂ against ‖wanted‖₂, or against what random factors give where a single sum happens to cancel.
double product_error(const Tensor& c, const Tensor& wanted, const Operands& o) {
    double norm = 0;
    for (const double value : values_of(wanted)) norm += value * value;
    norm = std::sqrt(norm);
    const double usual = std::sqrt(static_cast<double>(o.m * o.n * o.k));
    return norm == 0 ? relative_error(c, wanted) : relative_error(c, wanted) * norm / std::max(norm, usual);
}

double tolerance(DType dtype) { return dtype == DType::f32 ? 1.5e-6 : 3e-15; } // of a sum of at most 1000 products

const Dim depths[] = {0, 1, 2, 3, 5, 8, 16, 31, 33, 64, 100, 255, 256, 257, 300};

/// All tails of rows and columns, four ways to store the operands, one or all depths.
void check_tails(Dim row_step, bool every_depth) {
    std::uint64_t seed = 1;
    for (const DType dtype : {DType::f32, DType::f64})
        for (Dim m = 1; m <= 40; m += row_step)
            for (Dim n = 1; n <= 40; ++n)
                for (const Dim k : depths) {
                    ++seed;
                    if (!every_depth && k != depths[(m * 7 + n * 3) % std::ssize(depths)]) continue;
                    const Operands o = operands(m, k, n, seed % 2 == 0, seed % 3 == 0, dtype, seed);
                    const Tensor wanted = reference(o);
                    Tensor before;
                    for (const std::string& isa : isa_paths()) {
                        const Tensor c = product(*cpu(isa), o);
                        const double error = product_error(c, wanted, o);
                        if (!(error <= tolerance(dtype))) {
                            const Row row(fmt::format("{}×{}×{} {} {} transposed {}{}", m, k, n, name_of(dtype), isa,
                                                      o.transpose_a, o.transpose_b));
                            CHECK_ERROR(error, tolerance(dtype), "product");
                        }
                        // avx512 against avx2; baseline has no fused multiply-add
                        if (isa == "avx512" && before.defined() && !same_bits(c, before))
                            CHECK(same_bits(c, before), fmt::format("{}×{}×{} {}", m, k, n, name_of(dtype)));
                        before = c;
                    }
                    count_check();
                }
}

} // namespace

TEST(products_of_all_tails) { check_tails(1, false); }
SLOW_TEST(products_of_all_tails_and_depths) { check_tails(3, true); }

TEST(products_are_one_chain_of_multiply_adds) {
    std::uint64_t seed = 5000;
    const Dim shapes[][3] = {{1, 1, 1}, {3, 7, 5}, {15, 33, 17}, {6, 256, 32}, {7, 257, 33}, {29, 300, 31}, {14, 64, 64}, {2, 600, 70}};
    for (const auto& [m, k, n] : shapes)
        for (const int stored : {0, 1, 2, 3})
            for (const std::string& isa : isa_paths()) {
                const Row row(fmt::format("{}×{}×{} stored {} {}", m, k, n, stored, isa));
                const bool fused = isa != "baseline";
                const Operands narrow = operands(m, k, n, stored & 1, stored & 2, DType::f32, ++seed);
                CHECK(same_bits(product(*cpu(isa), narrow), chain<float>(narrow, fused)));
                const Operands wide = operands(m, k, n, stored & 1, stored & 2, DType::f64, ++seed);
                CHECK(same_bits(product(*cpu(isa), wide), chain<double>(wide, fused)));
            }
}

TEST(products_do_not_depend_on_threads) {
    // Large enough to be cut: by rows, by columns, with few columns, with few rows.
    const Dim shapes[][3] = {{300, 120, 64}, {100, 130, 400}, {128, 128, 128}, {37, 1000, 41}, {3, 2000, 500}, {2000, 300, 3}};
    std::uint64_t seed = 7000;
    for (const auto& [m, k, n] : shapes)
        for (const DType dtype : {DType::f32, DType::f64})
            for (const int stored : {0, 1, 2, 3}) {
                const Operands o = operands(m, k, n, stored & 1, stored & 2, dtype, ++seed);
                for (const std::string& isa : isa_paths()) {
                    const Row row(fmt::format("{}×{}×{} {} stored {} {}", m, k, n, name_of(dtype), stored, isa));
                    const Tensor alone = product(*cpu(isa, 1), o);
                    for (const int threads : {2, 3})
                        CHECK(same_bits(product(*cpu(isa, threads), o), alone), fmt::format("{} threads", threads));
                    if (stored == 0 && isa == isa_paths().back())
                        CHECK_ERROR(relative_error(alone, reference(o)), tolerance(dtype) * 2, "product");
                }
            }
}

TEST(products_take_views) {
    for (const std::string& isa : isa_paths()) {
        const Row row(isa);
        const Tensor whole = random_tensor(shape_of({40, 50}), DType::f64, 1), b = random_tensor(shape_of({50, 9}), DType::f64, 2);
        const Tensor rows = whole.rows(5, 24);
        CHECK(same_bits(call_kernel(*cpu(isa), "matmul", {rows, b}, {{shape_of({19, 9}), DType::f64}})[0],
                        call_kernel(*cpu(isa), "matmul", {whole, b}, {{shape_of({40, 9}), DType::f64}})[0].rows(5, 24)));
        // a view that is transposed is what the attribute says
        const Tensor flipped = whole.transposed(0, 1);
        const Tensor c = random_tensor(shape_of({40, 7}), DType::f64, 3);
        CHECK(same_bits(call_kernel(*cpu(isa), "matmul", {flipped, c}, {{shape_of({50, 7}), DType::f64}})[0],
                        call_kernel(*cpu(isa), "matmul", {whole, c}, {{shape_of({50, 7}), DType::f64}}, {1, 0})[0]));
    }
}

TEST(products_of_no_depth_are_zero_and_of_no_rows_nothing) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64}) {
            const Row row(isa);
            const Tensor c = product(*cpu(isa), operands(5, 0, 37, false, false, dtype, 1));
            CHECK_EQUAL(values_of(c), std::vector<double>(5 * 37, 0.0));
            CHECK_EQUAL(product(*cpu(isa), operands(0, 4, 3, false, false, dtype, 1)).elements(), 0);
            CHECK_EQUAL(product(*cpu(isa), operands(3, 4, 0, false, false, dtype, 1)).elements(), 0);
        }
}

TEST(products_carry_a_nan_to_its_row_or_column_only) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64})
            for (const bool in_a : {true, false})
                for (const double bad : {std::nan(""), double{INFINITY}}) {
                    const Row row(fmt::format("{} {} {}", isa, name_of(dtype), in_a ? "A" : "B"));
                    constexpr Dim m = 15, k = 33, n = 37;
                    Operands o = operands(m, k, n, false, false, dtype, 3);
                    Tensor& tensor = in_a ? o.a : o.b;
                    std::vector<double> values = values_of(tensor);
                    values[static_cast<std::size_t>(in_a ? 4 * k + 20 : 20 * n + 33)] = bad;
                    tensor = tensor_of(tensor.shape(), values, dtype);
                    const Tensor c = product(*cpu(isa), o);
                    bool right = true;
                    for (Dim i = 0; i < m; ++i)
                        for (Dim j = 0; j < n; ++j) right &= std::isfinite(c.at(i, j)) == (in_a ? i != 4 : j != 33);
                    CHECK(right);
                }
}
