#include "engine/core/layout.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <numeric>

using namespace gradus;
using namespace gradus::test;

namespace {

Layout layout_of(std::initializer_list<Dim> sizes, std::initializer_list<Dim> strides, Dim offset = 0) {
    Layout layout{shape_of(sizes), {}, offset};
    std::copy(strides.begin(), strides.end(), layout.strides.begin());
    return layout;
}

} // namespace

TEST(layout_of_rows_one_after_another) {
    const Layout layout = contiguous_layout(shape_of({2, 3, 4}));
    CHECK_EQUAL(layout.strides, (Strides{12, 4, 1}));
    CHECK_EQUAL(extent_of(layout), 24);
    CHECK(is_contiguous(layout) && !may_overlap(layout));
    CHECK(is_contiguous(contiguous_layout(Shape{})) && extent_of(contiguous_layout(Shape{})) == 1);
    CHECK_EQUAL(extent_of(contiguous_layout(shape_of({3, 0}))), 0);
    CHECK(is_contiguous(layout_of({2, 1, 4}, {4, 99, 1}))); // an axis of one index has no stride that matters
    CHECK(is_contiguous(layout_of({2, 4}, {4, 1}, 7)));
    CHECK(!is_contiguous(layout_of({2, 4}, {1, 2})));
}

TEST(layout_knows_what_it_covers) {
    struct {
        Layout layout;
        Dim extent;
        bool overlaps;
    } const rows[] = {
        {layout_of({4, 2}, {1, 4}), 8, false},        {layout_of({3, 4}, {8, 2}, 5), 5 + 16 + 6 + 1, false},
        {layout_of({3, 4}, {0, 1}), 4, true},         {layout_of({3, 4}, {1, 1}), 6, true},
        {layout_of({1, 4}, {0, 1}), 4, false},        {layout_of({0, 4}, {0, 1}, 9), 0, false},
        {layout_of({2, 3, 4}, {1, 8, 2}), 24, false}, {layout_of({2, 3}, {2, 1}), 5, true},
    };
    for (const auto& row : rows) {
        const Row name(row.layout.shape.text());
        CHECK_EQUAL(extent_of(row.layout), row.extent);
        CHECK_EQUAL(may_overlap(row.layout), row.overlaps);
    }
}

TEST(layout_is_reshaped_where_strides_can_say_it) {
    struct {
        Layout from;
        Shape to;
        bool possible;
    } const rows[] = {
        {layout_of({4, 6}, {6, 1}), shape_of({2, 2, 3, 2}), true},
        {layout_of({4, 6}, {6, 1}, 3), shape_of({24}), true},
        {layout_of({4, 6}, {1, 4}), shape_of({4, 2, 3}), true}, // a transposed matrix: its axes can be cut
        {layout_of({4, 6}, {1, 4}), shape_of({2, 2, 6}), true},
        {layout_of({4, 6}, {1, 4}), shape_of({24}), false}, // … but not joined
        {layout_of({4, 6}, {1, 4}), shape_of({6, 4}), false},
        {layout_of({4, 6}, {12, 2}), shape_of({24}), true}, // every second element
        {layout_of({4, 6}, {12, 2}), shape_of({8, 3}), true},
        {layout_of({4, 3}, {12, 2}), shape_of({12}), false},
        {layout_of({2, 3, 4}, {24, 4, 1}), shape_of({2, 12}), true},
        {layout_of({2, 3, 4}, {24, 4, 1}), shape_of({6, 4}), false},
        {layout_of({3, 4}, {0, 1}), shape_of({3, 2, 2}), true}, // repeated
        {layout_of({3, 4}, {0, 1}), shape_of({12}), false},
        {layout_of({3, 4}, {0, 0}), shape_of({2, 6}), true},
        {layout_of({4, 1, 6}, {1, 7, 4}), shape_of({1, 4, 6, 1, 1}), true},
        {layout_of({1, 1}, {5, 9}), Shape{}, true},
        {layout_of({0, 3}, {1, 7}), shape_of({5, 0}), true},
    };
    const auto pool = std::make_shared<BufferPool>();
    std::vector<double> numbers(64);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    const Tensor buffer = tensor_of(shape_of({64}), numbers);
    for (const auto& row : rows) {
        const Row name(row.from.shape.text() + " to " + row.to.text());
        const std::optional<Layout> got = reshaped(row.from, row.to);
        CHECK_EQUAL(got.has_value(), row.possible);
        if (!got) continue;
        CHECK(got->shape.same_sizes(row.to));
        CHECK_EQUAL(values_of(Tensor(buffer.storage(), *got, DType::f64)),
                    values_of(Tensor(buffer.storage(), row.from, DType::f64)));
    }
}

TEST(layout_keeps_the_names_of_axes_that_stay) {
    const Shape from{{2, "B"}, {3, "T"}, {8, "C"}};
    const auto names = [](const Shape& shape) { return shape.text_with_names(); };
    CHECK_EQUAL(names(with_names_of(from, shape_of({2, 3, 4, 2}))), "(B 2, T 3, 4, 2)");
    CHECK_EQUAL(names(with_names_of(from, shape_of({6, 8}))), "(6, C 8)");
    CHECK_EQUAL(names(with_names_of(from, shape_of({2, 1, 3, 8}))), "(B 2, 1, T 3, C 8)");
    CHECK_EQUAL(names(with_names_of(from, {{2, {}}, {3, "time"}, {8, {}}})), "(B 2, time 3, C 8)");
    CHECK_EQUAL(names(with_names_of(from, shape_of({48}))), "(48)");
    CHECK_EQUAL(names(with_names_of({{3, "N"}, {1, {}}}, shape_of({3}))), "(N 3)");
}

TEST(tensors_of_any_layout) {
    const auto pool = std::make_shared<BufferPool>();
    std::vector<double> numbers(24);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    const Tensor whole = tensor_of(shape_of({24}), numbers);
    const Tensor part(whole.storage(), layout_of({2, 3}, {12, 2}, 1), DType::f64);
    CHECK_EQUAL(values_of(part), (std::vector<double>{1, 3, 5, 13, 15, 17}));
    CHECK_EQUAL(part.offset(), 1);
    CHECK(!part.contiguous() && part.raw() == whole.raw() + sizeof(double));
    CHECK_THROWS(Tensor(whole.storage(), layout_of({2, 3}, {16, 2}, 4), DType::f64), ShapeError, "192 bytes", "2×3");
    const Layout turned = layout_of({2, 3}, {1, 2});
    const Tensor copy = part.copy_as(*pool, turned);
    CHECK_EQUAL(values_of(copy), values_of(part));
    CHECK_EQUAL(values_of(Tensor(copy.storage(), contiguous_layout(shape_of({6})), DType::f64)),
                (std::vector<double>{1, 13, 3, 15, 5, 17}));
    CHECK_THROWS(part.copy_as(*pool, contiguous_layout(shape_of({3, 2}))), ShapeError, "2×3", "3×2");
    const Tensor widened = part.copy_in(*pool, DType::bf16);
    CHECK(widened.dtype() == DType::bf16 && widened.contiguous());
    CHECK_EQUAL(values_of(widened), values_of(part));
}

TEST(tensors_from_numbers_of_every_type) {
    const auto pool = std::make_shared<BufferPool>();
    const std::vector<double> numbers{0, 1, 2.5, 200};
    struct {
        DType dtype;
        std::vector<double> wanted;
    } const rows[] = {
        {DType::f32, numbers},        {DType::f64, numbers},        {DType::f16, numbers},       {DType::bf16, numbers},
        {DType::i32, {0, 1, 2, 200}}, {DType::i64, {0, 1, 2, 200}}, {DType::u8, {0, 1, 2, 200}}, {DType::boolean, {0, 1, 1, 1}},
    };
    for (const auto& row : rows) {
        const Row name{std::string(name_of(row.dtype))};
        const Tensor made = Tensor::from_numbers(*pool, shape_of({2, 2}), row.dtype, numbers);
        CHECK(made.dtype() == row.dtype);
        CHECK_EQUAL(made.bytes(), 4 * size_of(row.dtype));
        CHECK_EQUAL(values_of(made), row.wanted);
        CHECK_EQUAL(values_of(made.transposed(0, 1).contiguous_copy(*pool)),
                    (std::vector<double>{row.wanted[0], row.wanted[2], row.wanted[1], row.wanted[3]}));
    }
    CHECK_EQUAL(tensor_of(shape_of({1}), std::vector<double>{0.1}, DType::f16).at(0), 0.0999755859375);
}
