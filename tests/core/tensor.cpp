#include "engine/core/tensor.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <numeric>

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor counting(const Shape& shape, DType dtype = DType::f64) {
    std::vector<double> values(static_cast<std::size_t>(shape.elements()));
    std::iota(values.begin(), values.end(), 0.0);
    return tensor_of(shape, values, dtype);
}

} // namespace

TEST(tensor_lies_in_row_major_order) {
    const Tensor t = counting({{2, "B"}, {3, "T"}, {4, "C"}});
    CHECK_EQUAL(t.stride(0), 12);
    CHECK_EQUAL(t.stride(1), 4);
    CHECK_EQUAL(t.stride(2), 1);
    CHECK(t.contiguous());
    CHECK_EQUAL(t.bytes(), 24 * sizeof(double));
    CHECK_EQUAL(t.at(23), 23.0);
}

TEST(tensor_reads_every_dtype) {
    const auto pool = std::make_shared<BufferPool>();
    const std::vector<std::uint8_t> bytes{0, 128, 255};
    const std::vector<std::int64_t> large{-(std::int64_t{1} << 40), 0, 7};
    const std::vector<std::int32_t> whole{-2147483647 - 1, 0, 2147483647};
    const std::vector<float> narrow{-1.5f, 0, 3.25f};
    CHECK_EQUAL(Tensor::from<std::uint8_t>(*pool, {{3, "N"}}, bytes).at(2), 255.0);
    CHECK_EQUAL(Tensor::from<std::int64_t>(*pool, {{3, "N"}}, large).at(0), -1099511627776.0);
    CHECK_EQUAL(Tensor::from<std::int32_t>(*pool, {{3, "N"}}, whole).at(0), -2147483648.0);
    CHECK_EQUAL(Tensor::from<float>(*pool, {{3, "N"}}, narrow).at(2), 3.25);
    CHECK_EQUAL(Tensor::from<float>(*pool, Shape{}, std::span(narrow).first(1)).at(0), -1.5);
}

TEST(tensor_transposes_without_copying) {
    const Tensor t = counting({{2, "B"}, {3, "C"}}), flipped = t.transposed(0, 1);
    CHECK_EQUAL(flipped.shape()[0], 3);
    CHECK_EQUAL(flipped.shape().name(0).view(), "C");
    CHECK(!flipped.contiguous());
    CHECK(flipped.raw() == t.raw());
    for (Dim i = 0; i < 3; ++i)
        for (Dim j = 0; j < 2; ++j) CHECK_EQUAL(flipped.at(i, j), t.at(j, i));
    CHECK_EQUAL(values_of(flipped), (std::vector<double>{0, 3, 1, 4, 2, 5}));
    CHECK(same_bits(flipped.transposed(0, 1), t));
    CHECK(t.transposed(1, 1).contiguous());
    CHECK(counting({{1, "B"}, {5, "C"}}).transposed(0, 1).contiguous()); // an axis of one has any stride
}

TEST(tensor_takes_rows) {
    const Tensor t = counting({{5, "B"}, {3, "C"}}), part = t.rows(1, 4);
    CHECK_EQUAL(part.shape()[0], 3);
    CHECK_EQUAL(part.at(0), 3.0);
    CHECK_EQUAL(part.at(2, 2), 11.0);
    CHECK(part.contiguous());
    CHECK_EQUAL(t.rows(5, 5).elements(), 0);
    const Tensor columns = t.transposed(0, 1).rows(1, 3); // columns 1 and 2
    CHECK_EQUAL(values_of(columns), (std::vector<double>{1, 4, 7, 10, 13, 2, 5, 8, 11, 14}));
    CHECK_EQUAL(part.rows(1, 2).at(0, 0), 6.0); // of a part
}

TEST(tensor_copies_contiguously) {
    const auto pool = std::make_shared<BufferPool>();
    for (const DType dtype : {DType::f32, DType::f64}) {
        const Tensor t = counting({{2, "B"}, {3, "T"}, {4, "C"}}, dtype);
        const Tensor strided = t.transposed(0, 2).rows(1, 3);
        const Tensor copy = strided.contiguous_copy(*pool);
        CHECK(copy.contiguous() && copy.raw() != t.raw());
        CHECK_EQUAL(values_of(copy), values_of(strided));
        CHECK(same_bits(t.rows(1, 2).contiguous_copy(*pool), t.rows(1, 2)));
    }
    CHECK_EQUAL(counting({{0, "B"}, {3, "C"}}).contiguous_copy(*pool).elements(), 0);
}

TEST(tensor_refuses_what_is_outside) {
    const auto pool = std::make_shared<BufferPool>();
    const Tensor t = counting({{2, "B"}, {3, "C"}}), vector = counting({{3, "C"}}), scalar = counting(Shape{});
    CHECK_THROWS(t.at(6), ShapeError, "element 6", "2×3");
    CHECK_THROWS(t.at(-1), ShapeError, "element -1");
    CHECK_THROWS(t.at(2, 0), ShapeError, "[2, 0]");
    CHECK_THROWS(t.at(0, 3), ShapeError, "[0, 3]");
    CHECK_THROWS(vector.at(3, 0), ShapeError, "[3, 0]");
    CHECK_THROWS(vector.at(0, 1), ShapeError, "[0, 1]");
    CHECK_THROWS(scalar.at(1, 0), ShapeError, "[1, 0]");
    CHECK_EQUAL(scalar.at(0, 0), 0.0);
    CHECK_THROWS(t.rows(1, 3), ShapeError, "rows 1 to 3");
    CHECK_THROWS(t.rows(-1, 1), ShapeError, "rows -1");
    CHECK_THROWS(t.rows(2, 1), ShapeError, "rows 2 to 1");
    CHECK_THROWS(scalar.rows(0, 0), ShapeError, "rows");
    CHECK_THROWS(t.transposed(0, 2), ShapeError, "axes 0 and 2");
    const std::vector<float> five(5);
    CHECK_THROWS(Tensor::from<float>(*pool, {{6, "N"}}, five), ShapeError, "5 values", "6");
    CHECK_THROWS(Tensor(pool->allocate(64), shape_of({17}), DType::f32), ShapeError, "64 bytes", "17", "fp32");
    CHECK_THROWS(Tensor(pool->allocate(64), shape_of({Dim{1} << 60}), DType::f64), ShapeError, "");
}

TEST(tensor_snapshot_is_a_reference) {
    const auto pool = std::make_shared<BufferPool>();
    const std::vector<double> values{1, 2, 3};
    Tensor t = Tensor::from<double>(*pool, shape_of({3}), values);
    CHECK(t.storage().unique());
    const Tensor snapshot = t;
    CHECK(!t.storage().unique() && snapshot.raw() == t.raw());
    t = Tensor();
    CHECK(!t.defined() && snapshot.storage().unique());
    CHECK_EQUAL(values_of(snapshot), values);
}
