// The elementary functions against the C library in a wider type: long double for double, double for float.
// An error is counted in units of the true result's last place; the bounds are what was measured, rounded up.
#include "tests/core/math_table.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include "engine/core/portable_math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

using namespace gradus;
using namespace gradus::test;

namespace {

std::vector<MathTable> tables() {
    std::vector<MathTable> out{baseline_math()};
    if (isa_paths().size() > 1) out.push_back(fused_math());
    return out;
}

template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();

/// |got - wanted| in units in the last place of wanted as a T.
template <class T, class Wide> double ulps(T got, Wide wanted) {
    const T rounded = static_cast<T>(wanted);
    if (std::isinf(rounded)) return got == rounded ? 0 : infinity<double>;
    int exponent = 0;
    std::frexp(wanted, &exponent);
    exponent = std::max(exponent - 1, std::numeric_limits<T>::min_exponent - 1);
    const Wide unit = std::ldexp(Wide(1), exponent - (std::numeric_limits<T>::digits - 1));
    return static_cast<double>(std::abs(static_cast<Wide>(got) - wanted) / unit);
}

/// Checks a function on `count` evenly spaced arguments and as many spread over the exponents between.
template <class T, class Wide, class Function, class Reference>
void check_range(const std::string& name, double from, double until, int count, double bound, Function function,
                 Reference reference) {
    double worst = 0;
    T worst_at = 0;
    const auto look = [&](T x) {
        const double error = ulps<T, Wide>(function(x), reference(static_cast<Wide>(x)));
        if (!(error <= worst)) { // a NaN counts as the worst
            worst = error;
            worst_at = x;
        }
    };
    for (int i = 0; i <= count; ++i) look(static_cast<T>(from + (until - from) * i / count));
    const double magnitude = std::max(std::abs(from), std::abs(until));
    for (int i = 0; i <= count; ++i) {
        const double size = magnitude * std::exp2(-60.0 * i / count); // the small ones near 0
        if (-size >= from && -size <= until) look(static_cast<T>(-size));
        if (size >= from && size <= until) look(static_cast<T>(size));
    }
    if (std::getenv("GRADUS_SHOW_ERRORS")) fmt::print("{}: {:.3f} ulp at {}\n", name, worst, worst_at);
    CHECK_ERROR(worst, bound, fmt::format("{} at {}", name, worst_at));
}

constexpr int dense = 200'000;

} // namespace

TEST(math_exp) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        check_range<float, double>("exp fp32", -86.5, 88.7228, dense, 1.25, m.exp_f, [](double x) { return std::exp(x); });
        check_range<double, long double>("exp fp64", -707.0, 709.7827, dense, 1.5, m.exp_d,
                                         [](long double x) { return std::exp(x); });
        check_range<float, double>("exp fp32 near 0", -1, 1, dense, 1.5, m.exp_f, [](double x) { return std::exp(x); });
        check_range<double, long double>("exp fp64 near 0", -1, 1, dense, 1.5, m.exp_d,
                                         [](long double x) { return std::exp(x); });
        CHECK_EQUAL(m.exp_f(0.0f), 1.0f);
        CHECK_EQUAL(m.exp_f(-0.0f), 1.0f);
        CHECK_EQUAL(m.exp_d(0.0), 1.0);
        CHECK_EQUAL(m.exp_d(-0.0), 1.0);
        CHECK_EQUAL(m.exp_f(infinity<float>), infinity<float>);
        CHECK_EQUAL(m.exp_f(-infinity<float>), 0.0f);
        CHECK_EQUAL(m.exp_d(infinity<double>), infinity<double>);
        CHECK_EQUAL(m.exp_d(-infinity<double>), 0.0);
        CHECK(std::isnan(m.exp_f(nan_of<float>)) && std::isnan(m.exp_d(nan_of<double>)));
        CHECK(std::isnan(m.exp_f(-nan_of<float>)) && std::isnan(m.exp_d(-nan_of<double>)));
        CHECK(std::isfinite(m.exp_f(88.72283f)) && m.exp_f(88.72284f) == infinity<float>); // the edge of overflow
        CHECK(std::isfinite(m.exp_d(709.782712893383)) && m.exp_d(709.782712893385) == infinity<double>);
        CHECK(m.exp_f(-86.4f) > 0 && m.exp_f(-86.6f) == 0 && m.exp_f(-1e30f) == 0);
        CHECK(m.exp_d(-706.9) > 0 && m.exp_d(-707.1) == 0 && m.exp_d(-1e300) == 0);
        CHECK_EQUAL(m.exp_f(1e30f), infinity<float>);
    }
}

TEST(math_expm1_negative) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        check_range<float, double>("expm1 fp32", -86, 0, dense, 2, m.expm1_negative_f,
                                   [](double x) { return std::expm1(x); });
        check_range<double, long double>("expm1 fp64", -700, 0, dense, 2, m.expm1_negative_d,
                                         [](long double x) { return std::expm1(x); });
        check_range<float, double>("expm1 fp32 near 0", -2, 0, dense, 2, m.expm1_negative_f,
                                   [](double x) { return std::expm1(x); });
        check_range<double, long double>("expm1 fp64 near 0", -2, 0, dense, 2, m.expm1_negative_d,
                                         [](long double x) { return std::expm1(x); });
        CHECK_EQUAL(m.expm1_negative_f(0.0f), 0.0f);
        CHECK_EQUAL(m.expm1_negative_d(-0.0), 0.0);
        CHECK_EQUAL(m.expm1_negative_f(-infinity<float>), -1.0f);
        CHECK_EQUAL(m.expm1_negative_d(-infinity<double>), -1.0);
        CHECK_EQUAL(m.expm1_negative_d(-1e300), -1.0);
        CHECK(std::isnan(m.expm1_negative_f(nan_of<float>)) && std::isnan(m.expm1_negative_d(nan_of<double>)));
    }
}

TEST(math_log) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        check_range<float, double>("log fp32", 1e-30, 1e5, dense, 2, m.log_f, [](double x) { return std::log(x); });
        check_range<float, double>("log fp32 around 1", 0.25, 4, dense, 2, m.log_f, [](double x) { return std::log(x); });
        check_range<double, long double>("log fp64", 1e-300, 1e10, dense, 2, m.log_d,
                                         [](long double x) { return std::log(x); });
        check_range<double, long double>("log fp64 around 1", 0.25, 4, dense, 2, m.log_d,
                                         [](long double x) { return std::log(x); });
        check_range<double, long double>("log fp64 close to 1", 1 - 1e-6, 1 + 1e-6, dense, 2, m.log_d,
                                         [](long double x) { return std::log(x); });
        CHECK_EQUAL(m.log_f(1.0f), 0.0f);
        CHECK_EQUAL(m.log_d(1.0), 0.0);
        for (const float x : {0.0f, -0.0f, 1e-40f}) CHECK_EQUAL(m.log_f(x), -infinity<float>); // subnormals count as 0
        for (const double x : {0.0, -0.0, 1e-310}) CHECK_EQUAL(m.log_d(x), -infinity<double>);
        for (const float x : {-1.0f, -1e-30f, -1e30f, -infinity<float>}) CHECK(std::isnan(m.log_f(x)), shown(x));
        for (const double x : {-1.0, -1e-300, -1e300, -infinity<double>}) CHECK(std::isnan(m.log_d(x)), shown(x));
        CHECK_EQUAL(m.log_f(infinity<float>), infinity<float>);
        CHECK_EQUAL(m.log_d(infinity<double>), infinity<double>);
        CHECK(std::isnan(m.log_f(nan_of<float>)) && std::isnan(m.log_d(-nan_of<double>)));
        CHECK_ERROR((ulps<float, double>(m.log_f(3.4028235e38f), std::log(double{3.4028235e38f}))), 2, "largest");
        CHECK_ERROR((ulps<float, double>(m.log_f(1.17549435e-38f), std::log(double{1.17549435e-38f}))), 2, "smallest");
        CHECK_ERROR((ulps<double, long double>(m.log_d(1.7976931348623157e308), std::log(1.7976931348623157e308L))), 2,
                    "largest");
    }
}

TEST(math_log1p_unit) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        check_range<float, double>("log1p fp32", 0, 1, dense, 2, m.log1p_unit_f, [](double x) { return std::log1p(x); });
        check_range<double, long double>("log1p fp64", 0, 1, dense, 2, m.log1p_unit_d,
                                         [](long double x) { return std::log1p(x); });
        CHECK_EQUAL(m.log1p_unit_f(0.0f), 0.0f);
        CHECK(std::isnan(m.log1p_unit_f(nan_of<float>)) && std::isnan(m.log1p_unit_d(nan_of<double>)));
    }
}

TEST(math_tanh) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        check_range<float, double>("tanh fp32", -12, 12, dense, 3, m.tanh_f, [](double x) { return std::tanh(x); });
        check_range<double, long double>("tanh fp64", -25, 25, dense, 3, m.tanh_d,
                                         [](long double x) { return std::tanh(x); });
        for (const double x : {30.0, 1e4, 1e30, infinity<double>}) {
            CHECK_EQUAL(m.tanh_d(x), 1.0);
            CHECK_EQUAL(m.tanh_d(-x), -1.0);
            CHECK_EQUAL(m.tanh_f(static_cast<float>(x)), 1.0f);
            CHECK_EQUAL(m.tanh_f(static_cast<float>(-x)), -1.0f);
        }
        CHECK(m.tanh_d(0.0) == 0 && !std::signbit(m.tanh_d(0.0)) && m.tanh_f(0.0f) == 0 && !std::signbit(m.tanh_f(0.0f)));
        CHECK(m.tanh_d(-0.0) == 0 && std::signbit(m.tanh_d(-0.0)) && m.tanh_f(-0.0f) == 0 && std::signbit(m.tanh_f(-0.0f)));
        CHECK(std::isnan(m.tanh_f(nan_of<float>)) && std::isnan(m.tanh_d(nan_of<double>)));
        bool odd = true;
        for (int i = 0; i < 1000; ++i) odd &= m.tanh_f(static_cast<float>(i) * 0.01f) == -m.tanh_f(static_cast<float>(i) * -0.01f);
        CHECK(odd);
    }
}

TEST(math_sigmoid) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        // below the smallest normal number the result is 0, as that of exp is
        check_range<float, double>("sigmoid fp32", -86, 86, dense, 3, m.sigmoid_f,
                                   [](double x) { return 1 / (1 + std::exp(-x)); });
        check_range<double, long double>("sigmoid fp64", -700, 700, dense, 3, m.sigmoid_d,
                                         [](long double x) { return 1 / (1 + std::exp(-x)); });
        check_range<double, long double>("sigmoid fp64 near 0", -8, 8, dense, 3, m.sigmoid_d,
                                         [](long double x) { return 1 / (1 + std::exp(-x)); });
        CHECK_EQUAL(m.sigmoid_f(0.0f), 0.5f);
        CHECK_EQUAL(m.sigmoid_d(-0.0), 0.5);
        CHECK_EQUAL(m.sigmoid_f(infinity<float>), 1.0f);
        CHECK_EQUAL(m.sigmoid_f(-infinity<float>), 0.0f);
        CHECK_EQUAL(m.sigmoid_d(1e300), 1.0);
        CHECK_EQUAL(m.sigmoid_d(-1e300), 0.0);
        CHECK(std::isnan(m.sigmoid_f(nan_of<float>)) && std::isnan(m.sigmoid_d(nan_of<double>)));
    }
}

TEST(math_normal_cdf) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        const auto cdf = [&](double x) {
            double density = 0;
            return m.normal_cdf_d(x, density);
        };
        const auto wanted = [](long double x) { return 0.5L * std::erfc(-x / std::numbers::sqrt2_v<long double>); };
        const auto density_of = [&](double x) {
            double density = 0;
            m.normal_cdf_d(x, density);
            return density;
        };
        const auto wanted_density = [](long double x) { return std::exp(-0.5L * x * x) * 0.398942280401432677939946L; };
        check_range<double, long double>("normal cdf", -8, 40, dense, 6, cdf, wanted);
        check_range<double, long double>("normal cdf, left tail", -37.4, 0, dense, 6, cdf, wanted);
        check_range<double, long double>("normal density", -37.4, 37.4, dense, 4, density_of, wanted_density);
        CHECK_EQUAL(cdf(0.0), 0.5);
        for (const double x : {9.0, 50.0, 1e300, infinity<double>}) CHECK_EQUAL(cdf(x), 1.0);
        for (const double x : {-40.0, -1e300, -infinity<double>}) CHECK_EQUAL(cdf(x), 0.0);
        CHECK(std::isnan(cdf(nan_of<double>)) && std::isnan(density_of(nan_of<double>)));
    }
}

TEST(math_normal_cdf_in_single_precision) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        const auto cdf = [&](float x) {
            float density = 0;
            return m.normal_cdf_f(x, density);
        };
        const auto density_of = [&](float x) {
            float density = 0;
            m.normal_cdf_f(x, density);
            return density;
        };
        const auto wanted = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
        const auto gelu = [&](double x) { return x * wanted(x); };
        const auto wanted_density = [](double x) { return std::exp(-0.5 * x * x) * 0.39894228040143267794; };
        check_range<float, double>("normal cdf fp32", -12.9, 40, dense, 8, cdf, wanted); // to the smallest normal number
        check_range<float, double>("normal density fp32", -13.1, 13.1, dense, 4, density_of, wanted_density);
        check_range<float, double>("gelu fp32", -13, 40, dense, 8, m.gelu_f, gelu);
        CHECK_EQUAL(cdf(0.0f), 0.5f);
        CHECK_EQUAL(m.gelu_f(0.0f), 0.0f);
        for (const float x : {9.0f, 50.0f, 1e30f, infinity<float>}) {
            CHECK_EQUAL(cdf(x), 1.0f);
            CHECK_EQUAL(m.gelu_f(x), x);
        }
        for (const float x : {-13.25f, -14.0f, -40.0f, -1e30f, -infinity<float>}) {
            CHECK_EQUAL(cdf(x), 0.0f);
            CHECK_EQUAL(density_of(x), 0.0f);
            CHECK_EQUAL(m.gelu_f(x), 0.0f);
        }
        CHECK(std::isnan(cdf(nan_of<float>)) && std::isnan(density_of(nan_of<float>)) && std::isnan(m.gelu_f(nan_of<float>)));
        CHECK(std::isnan(m.gelu_f(-nan_of<float>)));
    }
}

TEST(math_exp_of_negative) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        const auto wanted = [](double x) { return std::exp(x); };
        check_range<float, double>("exp of negative fp32", -86.5, 0, dense, 1.5, m.exp_of_negative_f, wanted);
        check_range<float, double>("exp of negative fp32 near 0", -1, 0, dense, 1.5, m.exp_of_negative_f, wanted);
        CHECK_EQUAL(m.exp_of_negative_f(0.0f), 1.0f);
        for (const float x : {-86.6f, -1e30f, -3.4e38f, -infinity<float>}) CHECK_EQUAL(m.exp_of_negative_f(x), 0.0f);
        CHECK(std::isnan(m.exp_of_negative_f(nan_of<float>)) && std::isnan(m.exp_of_negative_f(-nan_of<float>)));
    }
}

TEST(math_power) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        for (const double p : {-16.0, -3.0, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0, 7.0, 16.0})
            check_range<double, long double>(fmt::format("x^{}", p), 0.01, 20, 20'000, 18, [&](double x) { return m.power_d(x, p); },
                                             [p](long double x) { return std::pow(x, static_cast<long double>(p)); });
        for (const double p : {-2.75, 0.1, 1.5, 2.2, 17.0}) // an ulp or two for every |p · ln x|
            check_range<double, long double>(fmt::format("x^{}", p), 0.01, 20, 20'000, 2 + 2 * std::abs(p) * std::log(100), // the worst is at 0.01
                                             [&](double x) { return m.power_d(x, p); },
                                             [p](long double x) { return std::pow(x, static_cast<long double>(p)); });
        for (int p = -16; p <= 16; ++p) CHECK_EQUAL(m.power_d(2, p), std::ldexp(1.0, p));
        CHECK_EQUAL(m.power_d(3, 2), 9.0);
        CHECK_EQUAL(m.power_d(-3, 3), -27.0);
        CHECK_EQUAL(m.power_d(-0.5, -2), 4.0);
        CHECK_EQUAL(m.power_d(-1, 17), -1.0);
        CHECK_EQUAL(m.power_d(-1, 1e15 + 1), -1.0);
        CHECK_EQUAL(m.power_d(-1, 1e15), 1.0);
        CHECK_ERROR(std::abs(m.power_d(-2, 17) + 131072), 1e-9, "(-2)^17");
        // as in C
        for (const double x : {-2.0, 0.0, 3.0, infinity<double>, nan_of<double>}) CHECK_EQUAL(m.power_d(x, 0), 1.0);
        for (const double p : {0.3, -5.0, 1e300, infinity<double>, nan_of<double>}) CHECK_EQUAL(m.power_d(1, p), 1.0);
        CHECK_EQUAL(m.power_d(0, 0.3), 0.0);
        CHECK_EQUAL(m.power_d(0, -0.3), infinity<double>);
        CHECK_EQUAL(m.power_d(0, 17), 0.0);
        CHECK_EQUAL(m.power_d(infinity<double>, 0.3), infinity<double>);
        CHECK_EQUAL(m.power_d(infinity<double>, -2), 0.0);
        CHECK_EQUAL(m.power_d(2, infinity<double>), infinity<double>);
        CHECK_EQUAL(m.power_d(2, -infinity<double>), 0.0);
        CHECK_EQUAL(m.power_d(10, 400), infinity<double>);
        CHECK_EQUAL(m.power_d(10, -400), 0.0);
        for (const double p : {0.3, 0.5, -0.5, -2.5}) CHECK(std::isnan(m.power_d(-2, p)), shown(p));
        CHECK(std::isnan(m.power_d(nan_of<double>, 2)) && std::isnan(m.power_d(nan_of<double>, 0.3)) && std::isnan(m.power_d(2, nan_of<double>)));
    }
}

// Near a zero of the function the reduction by a two-part π/2 costs digits, so the error here is absolute.
TEST(math_sin_cos) {
    for (const MathTable& m : tables()) {
        const Row row(m.name);
        for (const double reach : {7.0, 1000.0}) {
            double worst = 0;
            for (int i = -dense; i <= dense; ++i) {
                const double x = reach * i / dense;
                double s = 0, c = 0;
                m.sin_cos_d(x, s, c);
                const double error = static_cast<double>(
                    std::max(std::abs(s - std::sin(static_cast<long double>(x))),
                             std::abs(c - std::cos(static_cast<long double>(x)))));
                if (!(error <= worst)) worst = error;
            }
            if (std::getenv("GRADUS_SHOW_ERRORS")) fmt::print("sin_cos to {}: {:.3g}\n", reach, worst);
            CHECK_ERROR(worst, reach < 10 ? 2.5e-16 : 1e-15, fmt::format("sine and cosine up to {}", reach));
        }
        double s = 1, c = 0;
        m.sin_cos_d(0.0, s, c);
        CHECK(s == 0.0 && c == 1.0);
    }
}

TEST(math_is_the_same_on_every_machine) {
    // A fingerprint: the sum of the bit patterns over a range, from the baseline code, which uses no
    // instruction that some processor lacks.
    const MathTable m = baseline_math();
    std::uint64_t sum = 0;
    for (int i = 1; i < 20'000; ++i) {
        const double x = i * 0.01;
        double s = 0, c = 0;
        for (const double y : {m.exp_d(-x), m.log_d(x), m.tanh_d(x * 0.1), m.sigmoid_d(x - 100), m.normal_cdf_d(x * 0.1 - 10, s), m.power_d(x, 0.3)})
            sum = sum * 31 + static_cast<std::uint64_t>(gradus::portable::double_bits(y));
        m.sin_cos_d(x, s, c);
        sum = sum * 31 + static_cast<std::uint64_t>(gradus::portable::double_bits(s)) +
              static_cast<std::uint64_t>(gradus::portable::double_bits(c));
        for (const float y : {m.exp_f(static_cast<float>(x) - 50.0f), m.log_f(static_cast<float>(x))})
            sum = sum * 31 + static_cast<std::uint32_t>(gradus::portable::float_bits(y));
    }
    CHECK_EQUAL(fmt::format("{:016x}", sum), "05576f8629924956");
}
