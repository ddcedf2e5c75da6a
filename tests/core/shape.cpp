#include "engine/core/shape.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

using namespace gradus;
using namespace gradus::test;

TEST(shape_keeps_sizes_and_names) {
    const Shape shape{{64, "B"}, {256, "out"}};
    CHECK_EQUAL(shape.rank(), 2);
    CHECK_EQUAL(shape[0], 64);
    CHECK_EQUAL(shape[1], 256);
    CHECK_EQUAL(shape.elements(), 64 * 256);
    CHECK_EQUAL(shape.name(1).view(), "out");
    CHECK_EQUAL(shape.text(), "64×256");
    CHECK_EQUAL(shape.text_with_names(), "(B 64, out 256)");
    CHECK_EQUAL(Shape{}.text(), "scalar");
    CHECK_EQUAL(Shape{}.elements(), 1);
    CHECK_EQUAL((Shape{{3, {}}, {0, {}}}).elements(), 0);
}

TEST(shape_cuts_long_axis_names) {
    CHECK_EQUAL(AxisName("1234567").view(), "1234567");
    CHECK_EQUAL(AxisName("12345678").view(), "1234567");
    CHECK_EQUAL(AxisName("").view(), "");
}

TEST(shape_tells_a_vector_from_a_column) {
    const Shape vector{{3, "N"}}, column{{3, "N"}, {1, "C"}}, renamed{{3, "B"}};
    CHECK(!vector.same_sizes(column));
    CHECK(vector != column);
    CHECK(vector.same_sizes(renamed));
    CHECK(vector != renamed);
}

TEST(shape_refuses_what_cannot_be_counted) {
    struct {
        const char* name;
        std::vector<Dim> sizes;
        const char* says;
    } const rows[] = {
        {"seven axes", {1, 1, 1, 1, 1, 1, 1}, "at most 6 axes"},
        {"negative", {3, -1}, "negative size -1"},
        {"most negative", {INT64_MIN}, "negative"},
        {"product of two", {Dim{1} << 31, Dim{1} << 31}, "elements"},
        {"product of six", {1 << 20, 1 << 20, 1 << 20, 1 << 20, 1, 1}, "elements"},
        {"one axis", {INT64_MAX}, "elements"},
        // no elements, but its strides would overflow
        {"behind an empty axis", {0, Dim{1} << 40, Dim{1} << 40}, "elements"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const auto make = [&] {
            Shape shape;
            for (const Dim size : row.sizes) shape.append({size, {}});
        };
        CHECK_THROWS(make(), ShapeError, row.says);
    }
    // so many bytes of the widest type that a size_t still counts them
    Shape most;
    most.append({Dim{1} << 59, "N"});
    CHECK_EQUAL(most.elements(), Dim{1} << 59);
}
