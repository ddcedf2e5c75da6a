#include "engine/trace/derive/tensor_statistics.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

/// The same in long double, one loop per number and nothing shared with the engine.
void check_against_brute_force(const Tensor& tensor, int bins, const std::string& what) {
    const std::vector<double> values = values_of(tensor);
    std::vector<long double> finite, magnitudes;
    Dim zeros = 0, nans = 0, infinities = 0;
    for (const double value : values) {
        nans += std::isnan(value);
        infinities += std::isinf(value);
        zeros += value == 0;
        if (std::isfinite(value)) finite.push_back(value);
    }
    for (const long double value : finite) magnitudes.push_back(std::fabs(value));
    std::sort(finite.begin(), finite.end());
    std::sort(magnitudes.begin(), magnitudes.end());
    const TensorStatistics got = statistics_of(tensor, bins);
    CHECK_EQUAL(got.count, static_cast<Dim>(values.size()));
    CHECK_EQUAL(got.zeros, zeros);
    CHECK_EQUAL(got.nans, nans);
    CHECK_EQUAL(got.infinities, infinities);
    CHECK_EQUAL(got.finite(), static_cast<Dim>(finite.size()));
    if (finite.empty()) {
        CHECK(got.least == 0 && got.greatest == 0 && got.clip == 0, what);
        return;
    }
    CHECK(got.least == static_cast<double>(finite.front()) && got.greatest == static_cast<double>(finite.back()), what);
    // The smallest magnitude with at least 99.5 % of all at or below it.
    long double clip = magnitudes.back();
    for (auto at = magnitudes.rbegin(); at != magnitudes.rend(); ++at) {
        const auto below = std::upper_bound(magnitudes.begin(), magnitudes.end(), *at) - magnitudes.begin();
        if (static_cast<long double>(below) < 0.995L * static_cast<long double>(magnitudes.size())) break;
        clip = *at;
    }
    if (clip == 0) clip = magnitudes.back();
    CHECK_EQUAL(got.clip, static_cast<double>(clip));
    CHECK_ERROR(std::fabs(got.outlier - static_cast<double>((clip + magnitudes.back()) / 2)), 1e-15 * got.outlier, what);
    std::vector<Dim> wanted(static_cast<std::size_t>(bins), 0);
    const long double low = got.low, width = (static_cast<long double>(got.high) - low) / bins;
    for (const long double value : finite) {
        const long double place = width > 0 ? (value - low) / width : 0;
        ++wanted[static_cast<std::size_t>(std::clamp(std::floor(place), 0.0L, static_cast<long double>(bins - 1)))];
    }
    CHECK(got.bins == wanted, what);
}

Tensor with(const Shape& shape, DType dtype, std::initializer_list<double> extra, std::uint64_t seed) {
    std::vector<double> values = values_of(random_tensor(shape, DType::f64, seed));
    std::copy(extra.begin(), extra.end(), values.begin());
    return tensor_of(shape, values, dtype);
}

} // namespace

TEST(statistics_equal_a_brute_force_in_long_double) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const DType dtype : {DType::f32, DType::f64})
        for (const auto& shape : {shape_of({1}), shape_of({7}), shape_of({199}), shape_of({200}), shape_of({201}),
                                  shape_of({64, 256}), shape_of({3, 5, 7})}) {
            check_against_brute_force(random_tensor(shape, dtype, 3), 47, shape.text());
            check_against_brute_force(random_tensor(shape, dtype, 4, 1e-30), 48, "tiny " + shape.text());
        }
    check_against_brute_force(with(shape_of({100}), DType::f32, {nan, inf, -inf, 0, -0.0, 50}, 5), 31, "not finite");
    check_against_brute_force(tensor_of(shape_of({3}), std::vector<double>{nan, inf, nan}), 5, "nothing finite");
    check_against_brute_force(tensor_of(shape_of({4}), std::vector<double>{0, 0, -0.0, 0}), 5, "zeros");
    check_against_brute_force(tensor_of(shape_of({5}), std::vector<double>{0, 0.25, 0.5, 0.75, 1}), 4, "on the edges");
    check_against_brute_force(labels_of({3, 0, 9, 9, 1}), 10, "whole numbers");
    check_against_brute_force(random_tensor(shape_of({30, 40}), DType::f32, 6).transposed(0, 1), 20, "transposed");
}

TEST(statistics_of_rare_numbers_and_of_the_largest_floats) {
    std::vector<double> values(1000, 0.0);
    values[7] = 3; // fewer than one in two hundred: the quantile is 0, and the map would end nowhere
    const TensorStatistics rare = statistics_of(tensor_of(shape_of({1000}), values));
    CHECK_EQUAL(rare.clip, 3.0);
    CHECK_EQUAL(rare.zeros, Dim{999});
    constexpr double most = std::numeric_limits<double>::max();
    const TensorStatistics huge = statistics_of(tensor_of(shape_of({3}), std::vector<double>{-most, 0, most}), 3);
    CHECK(huge.bins == std::vector<Dim>({1, 1, 1}));
    CHECK(std::isfinite(huge.outlier));
}

TEST(statistics_refuse_what_they_cannot_do) {
    CHECK_THROWS(statistics_of(Tensor()), ShapeError, "only its name is kept");
    CHECK_THROWS(statistics_of(labels_of({1}), 0), ArgumentError, "at least one bin");
    CHECK_EQUAL(magnitude_quantile(tensor_of(shape_of({4}), std::vector<double>{-4, 1, 2, -3}), 0.5), 2.0);
    CHECK_EQUAL(magnitude_quantile(tensor_of(shape_of({4}), std::vector<double>{-4, 1, 2, -3}), 0), 1.0);
    CHECK_EQUAL(magnitude_quantile(tensor_of(shape_of({4}), std::vector<double>{-4, 1, 2, -3}), 1), 4.0);
}

TEST(statistics_of_types_of_one_and_two_bytes) {
    const std::vector<double> numbers{0, 1, -2.5, 0.1, 7, 0, INFINITY, NAN, -0.375, 3};
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const Row row{std::string(name_of(dtype))};
        const Tensor tensor = tensor_of(shape_of({2, 5}), numbers, dtype);
        check_against_brute_force(tensor, 7, "in a row");
        check_against_brute_force(tensor.transposed(0, 1), 7, "turned");
        CHECK_EQUAL(statistics_of(tensor, 4).nans, Dim{1});
    }
    const Tensor mask = tensor_of(shape_of({5}), std::vector<double>{1, 0, 0, 1, 1}, DType::boolean);
    check_against_brute_force(mask, 2, "a mask");
    CHECK_EQUAL(statistics_of(mask, 2).bins, (std::vector<Dim>{2, 3}));
}
