// The curves that a lesson shows are made by the kernels that train. Here they are compared with their formulas, in plain
// double precision, and with what a Run recorded.
#include "engine/trace/derive/activation_curve.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"
#include "tests/trace/recorded.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

using namespace gradus;
using namespace gradus::test;

namespace {

using Function = std::function<double(double)>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

struct {
    const char* op;
    Function y, slope;
} const rows[] = {
    {"step", [](double z) { return z > 0 ? 1.0 : 0.0; }, [](double) { return 0.0; }},
    {"sigmoid", logistic, [](double z) { return logistic(z) * logistic(-z); }},
    {"tanh", [](double z) { return std::tanh(z); }, [](double z) { return 1 / (std::cosh(z) * std::cosh(z)); }},
    {"relu", [](double z) { return std::max(0.0, z); }, [](double z) { return z > 0 ? 1.0 : 0.0; }},
    {"gelu", [](double z) { return z * normal_cdf(z); },
     [](double z) { return normal_cdf(z) + z * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }},
    {"silu", [](double z) { return z * logistic(z); }, [](double z) { return logistic(z) * (1 + z * (1 - logistic(z))); }},
};

} // namespace

TEST(activation_curves_are_their_formulas) {
    const std::vector<double> grid = even_grid(-4, 4, 321);
    CHECK_EQUAL(activation_ops().size(), std::size(rows));
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        CHECK_EQUAL(activation_ops()[i], std::string_view(rows[i].op));
        for (const std::string& isa : isa_paths())
            for (const DType dtype : {DType::f32, DType::f64}) {
                const Row named(std::string(rows[i].op) + " " + isa);
                const ActivationCurve curve = activation_curve(rows[i].op, grid, cpu(isa), dtype);
                REQUIRE(curve.z.size() == grid.size() && curve.y.size() == grid.size() && curve.slope.size() == grid.size());
                double z = 0, y = 0, slope = 0;
                for (std::size_t k = 0; k < grid.size(); ++k) {
                    z = std::max(z, std::abs(curve.z[k] - grid[k]));
                    y = std::max(y, std::abs(curve.y[k] - rows[i].y(curve.z[k])));
                    slope = std::max(slope, std::abs(curve.slope[k] - rows[i].slope(curve.z[k])));
                }
                const double tolerance = dtype == DType::f64 ? 2e-15 : 6e-7;
                CHECK_ERROR(z, dtype == DType::f64 ? 0.0 : 2e-7, "z");
                CHECK_ERROR(y, tolerance, "y");
                CHECK_ERROR(slope, tolerance, "slope");
            }
    }
}

TEST(activation_curves_go_through_what_a_run_recorded) {
    for (const std::string_view op : activation_ops())
        for (const char* dtype : {"fp32", "fp64"}) {
            const Row named(std::string(op) + " " + dtype);
            Recording r({{"data", "moons"}, {"layers", "2,7,2"}, {"batch", "16"}, {"activation", std::string(op)}, {"dtype", dtype}});
            for (int i = 0; i < 3; ++i) r.iterate(true);
            const auto tensors = r.run->tensors_of(2);
            const auto values = [&](const char* name) { return values_of(tensors->find(name)->tensor); };
            const std::vector<double> z = values("z1"), da = values("da1"), dz = values("dz1");
            const ActivationCurve curve = activation_curve(op, z, cpu(r.run->manifest().isa), tensors->find("z1")->tensor.dtype());
            CHECK(curve.z == z && curve.y == values("a1")); // to the bit
            double worst = 0;
            for (std::size_t i = 0; i < z.size(); ++i) worst = std::max(worst, std::abs(dz[i] - da[i] * curve.slope[i]));
            CHECK_ERROR(worst, std::string_view(dtype) == "fp64" ? 1e-16 : 1e-7, "dz = da · slope");
            CHECK(*std::max_element(da.begin(), da.end()) > 0); // a gradient arrives, so it says something
        }
}

TEST(activation_curves_have_even_grids_and_no_other_ops) {
    CHECK_EQUAL(even_grid(-4, 4, 321)[160], 0.0);
    CHECK_EQUAL(even_grid(-4, 4, 5), (std::vector<double>{-4, -2, 0, 2, 4}));
    CHECK_EQUAL(even_grid(3, 4, 1), std::vector<double>{3});
    CHECK(even_grid(0, 1, 0).empty());
    CHECK(activation_curve("relu", {}, cpu(), DType::f64).y.empty());
    const std::vector<double> nan{-1, std::nan(""), 1};
    for (const std::string_view op : activation_ops()) {
        const ActivationCurve curve = activation_curve(op, nan, cpu(), DType::f32);
        CHECK(std::isnan(curve.y[1]) && !std::isnan(curve.y[0]) && !std::isnan(curve.y[2]), std::string(op));
    }
    for (const char* op : {"matmul", "softmax", "add", "relu_backward", ""}) {
        const std::vector<double> z{1};
        CHECK_THROWS(activation_curve(op, z, cpu(), DType::f64), ArgumentError, std::string("'") + op + "'");
        CHECK(!is_activation(op));
    }
}
