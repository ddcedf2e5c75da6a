// Views on a tape: what they show, whose buffer it is, and the copies that are made for kernels that take no strides.
#include "engine/autograd/tape.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <functional>
#include <span>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Stage {
    std::shared_ptr<BufferPool> pool = std::make_shared<BufferPool>();
    Tape tape{cpu(), pool};

    ValueIndex input(const std::string& name, const Tensor& tensor, Role role = Role::data, bool requires_grad = false) {
        return tape.input(name, tensor, role, requires_grad);
    }
    NodeIndex node(const Op& op, std::vector<ValueIndex> inputs, const std::string& name, Attributes attributes = {},
                   Phase phase = Phase::forward) {
        return tape.apply(op, phase, "m", std::move(inputs), {name}, attributes);
    }
    ValueIndex value(const Op& op, std::vector<ValueIndex> inputs, const std::string& name, Attributes attributes = {},
                     Phase phase = Phase::forward) {
        return tape.node(node(op, std::move(inputs), name, attributes, phase)).outputs[0];
    }
    void execute() {
        for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) tape.execute(i);
    }
    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const Node& one : tape.nodes()) out.emplace_back(one.op->name);
        return out;
    }
    std::int64_t memory() const { return pool->allocator().statistics().allocated.added; } ///< bytes handed out so far
};

using Names = std::vector<std::string>;

/// x[index] read where the definition of each op says.
std::vector<double> gathered(const Tensor& x, const Shape& shape, const std::function<Dim(std::span<const Dim>)>& flat) {
    std::vector<double> out;
    std::vector<Dim> index(static_cast<std::size_t>(shape.rank()));
    for (Dim i = 0; i < shape.elements(); ++i) {
        Dim rest = i;
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            index[static_cast<std::size_t>(axis)] = rest % shape[axis];
            rest /= shape[axis];
        }
        out.push_back(x.at(flat(index)));
    }
    return out;
}

} // namespace

TEST(views_show_the_elements_that_their_ops_name) {
    Stage s;
    const Tensor x = random_tensor({{2, "B"}, {3, "T"}, {4, "C"}}, DType::f32, 1);
    const ValueIndex base = s.input("x", x);
    struct {
        const Op* op;
        Attributes attributes;
        std::string shape;
        std::function<Dim(std::span<const Dim>)> flat;
    } const rows[] = {
        {&ops::reshape(), reshape_to({2, 12}), "(B 2, 12)", [](auto i) { return i[0] * 12 + i[1]; }},
        {&ops::reshape(), reshape_to({-1, 4}), "(6, C 4)", [](auto i) { return i[0] * 4 + i[1]; }},
        {&ops::reshape(), unsqueeze(x.shape(), 1), "(B 2, 1, T 3, C 4)", [](auto i) { return i[0] * 12 + i[2] * 4 + i[3]; }},
        {&ops::transpose(), {0, 2}, "(C 4, T 3, B 2)", [](auto i) { return i[2] * 12 + i[1] * 4 + i[0]; }},
        {&ops::permute(), permute_to({2, 0, 1}), "(C 4, B 2, T 3)", [](auto i) { return i[1] * 12 + i[2] * 4 + i[0]; }},
        {&ops::slice(), slice_of(2, 1, 4, 2), "(B 2, T 3, C 2)", [](auto i) { return i[0] * 12 + i[1] * 4 + 1 + 2 * i[2]; }},
        {&ops::slice(), slice_of(0, 1, 2), "(B 1, T 3, C 4)", [](auto i) { return 12 + i[1] * 4 + i[2]; }},
        {&ops::expand(), reshape_to({5, -1, 3, -1}), "(5, B 2, T 3, C 4)", [](auto i) { return i[1] * 12 + i[2] * 4 + i[3]; }},
    };
    for (const auto& row : rows) {
        const Row name(fmt::format("{} {}", row.op->name, row.shape));
        const ValueIndex y = s.value(*row.op, {base}, "y", row.attributes);
        s.execute();
        const Value& value = s.tape.value(y);
        CHECK_EQUAL(value.shape.text_with_names(), row.shape);
        CHECK_EQUAL(value.view_of, base);
        CHECK(value.dtype == DType::f32);
        const Tensor shown = s.tape.tensor(y);
        CHECK(shown.storage() == s.tape.tensor(base).storage());
        CHECK_EQUAL(values_of(shown), gathered(x, value.shape, row.flat));
        const Node& node = s.tape.nodes().back();
        CHECK(node.kernel == nullptr && std::string(node.implementation) == "view");
        CHECK_EQUAL(node.cost.bytes_read + node.cost.bytes_written + node.cost.flops, 0.0);
    }
}

TEST(views_of_views_and_copies_where_no_strides_will_do) {
    Stage s;
    const Tensor x = random_tensor(shape_of({4, 6}), DType::f64, 2);
    const ValueIndex base = s.input("x", x);
    const ValueIndex turned = s.value(ops::transpose(), {base}, "t", {0, 1});
    const ValueIndex part = s.value(ops::slice(), {turned}, "p", slice_of(0, 1, 5, 2));
    const ValueIndex back = s.value(ops::transpose(), {part}, "b", {0, 1});
    CHECK_EQUAL(s.tape.value(back).view_of, base);
    CHECK_EQUAL(values_of(s.tape.tensor(back)), gathered(x, shape_of({4, 2}), [](auto i) { return i[0] * 6 + 1 + 2 * i[1]; }));
    CHECK_EQUAL(s.names(), (Names{"transpose", "slice", "transpose"}));
    const ValueIndex cut = s.value(ops::reshape(), {turned}, "c", reshape_to({2, 3, 4})); // 6 in two: strides say it
    CHECK_EQUAL(s.tape.value(cut).view_of, base);
    const ValueIndex joined = s.value(ops::reshape(), {turned}, "j", reshape_to({24})); // they cannot: a copy, and a view of it
    CHECK_EQUAL(s.names(), (Names{"transpose", "slice", "transpose", "reshape", "contiguous", "reshape"}));
    CHECK_EQUAL(s.tape.value(joined).view_of, s.tape.find("t contiguous"));
    s.execute();
    CHECK_EQUAL(values_of(s.tape.tensor(cut)), values_of(s.tape.tensor(turned)));
    CHECK_EQUAL(values_of(s.tape.tensor(joined)), values_of(s.tape.tensor(turned)));
}

TEST(views_cost_no_memory_however_often_they_are_computed) {
    Stage s;
    const ValueIndex w = s.input("w", random_tensor(shape_of({30, 50}), DType::f32, 1), Role::parameter, true);
    const ValueIndex y = s.value(ops::relu(), {w}, "y");
    const ValueIndex turned = s.value(ops::transpose(), {y}, "yT", {0, 1});
    const ValueIndex copy = s.value(ops::contiguous(), {turned}, "c");
    s.tape.apply_onto(ops::sgd(), Phase::update, "m", {w, w}, {w}, {0.5});
    s.execute();
    const std::int64_t memory = s.memory();
    const void* const buffer = s.tape.tensor(y).raw();
    for (int iteration = 0; iteration < 5; ++iteration) {
        s.execute();
        CHECK_EQUAL(s.memory(), memory);
        CHECK(s.tape.tensor(y).raw() == buffer && s.tape.tensor(turned).raw() == buffer);
        CHECK_EQUAL(values_of(s.tape.tensor(copy)), values_of(s.tape.tensor(y).transposed(0, 1)));
    }
    s.tape.prepare_buffers();
    CHECK_EQUAL(s.memory(), memory); // nobody holds anything: nothing is needed
}

TEST(views_held_by_a_reader_keep_their_bits) {
    Stage s;
    const ValueIndex w = s.input("w", random_tensor(shape_of({5, 7}), DType::f64, 1), Role::parameter, true);
    const ValueIndex y = s.value(ops::tanh(), {w}, "y");
    const ValueIndex turned = s.value(ops::transpose(), {y}, "yT", {0, 1});
    s.tape.apply_onto(ops::sgd(), Phase::update, "m", {w, w}, {w}, {0.25});
    std::vector<Tensor> held;
    std::vector<std::vector<double>> wanted;
    for (int iteration = 0; iteration < 4; ++iteration) {
        s.execute();
        held.push_back(s.tape.tensor(turned));
        wanted.push_back(values_of(held.back()));
        CHECK_EQUAL(wanted.back(), values_of(s.tape.tensor(y).transposed(0, 1)));
    }
    for (std::size_t i = 0; i < held.size(); ++i) CHECK_EQUAL(values_of(held[i]), wanted[i]);
    for (std::size_t i = 1; i < held.size(); ++i) CHECK(wanted[i] != wanted[i - 1]);
    CHECK(held[0].raw() != held[1].raw());
}

TEST(views_are_copied_once_for_kernels_that_take_no_strides) {
    Stage s;
    const ValueIndex x = s.input("x", random_tensor(shape_of({3, 4}), DType::f64, 1), Role::parameter, true);
    const ValueIndex y = s.input("y", random_tensor(shape_of({4, 3}), DType::f64, 2));
    const ValueIndex turned = s.value(ops::transpose(), {x}, "t", {0, 1});
    s.value(ops::matmul(), {turned, x}, "z"); // takes strides
    CHECK_EQUAL(s.names(), (Names{"transpose", "matmul"}));
    const NodeIndex first = s.node(ops::mean_squared_error(), {turned, y}, "loss");
    CHECK_EQUAL(s.names(), (Names{"transpose", "matmul", "contiguous", "mean_squared_error"}));
    const Node copy = s.tape.node(first - 1);
    CHECK(copy.phase == Phase::forward && copy.module == "m" && copy.label == "t contiguous");
    CHECK_EQUAL(s.tape.node(first).inputs[0], copy.outputs[0]);
    const NodeIndex second = s.node(ops::mean_squared_error(), {turned, y}, "again");
    CHECK_EQUAL(s.tape.node(second).inputs[0], copy.outputs[0]); // read again, not made again
    CHECK_EQUAL(s.tape.nodes().size(), 5u);
    const NodeIndex later = s.node(ops::mean_squared_error(), {turned, y}, "evaluated", {}, Phase::evaluate);
    CHECK(s.tape.node(later).inputs[0] != copy.outputs[0]); // an evaluation may run alone
    s.execute();
    const Tensor wanted =
        call_kernel(*cpu(), "mean_squared_error", {s.tape.tensor(turned).contiguous_copy(*s.pool), s.tape.tensor(y)},
                    {{Shape{}, DType::f64}})[0];
    for (const char* name : {"loss", "again", "evaluated"}) CHECK(same_bits(s.tape.tensor(s.tape.find(name)), wanted), name);
    s.tape.backward(s.tape.find("loss"));
    CHECK_EQUAL(s.tape.value(s.tape.find("t contiguous")).gradient,
                s.tape.value(turned).gradient); // the copy's gradient is the view's
    s.execute();
    const Tensor dx = s.tape.tensor(s.tape.value(x).gradient), dt = s.tape.tensor(s.tape.value(turned).gradient);
    CHECK_EQUAL(values_of(dx), values_of(dt.transposed(0, 1)));
    CHECK_EQUAL(s.tape.value(s.tape.value(x).gradient).name, "dx");
}

TEST(views_are_copied_anew_after_an_update) {
    Stage s;
    const ValueIndex w = s.input("w", random_tensor(shape_of({3, 3}), DType::f64, 1), Role::parameter, true);
    const ValueIndex turned = s.value(ops::transpose(), {w}, "t", {0, 1});
    const NodeIndex first = s.node(ops::mean_squared_error(), {turned, w}, "a", {}, Phase::update);
    const NodeIndex update =
        s.tape.apply_onto(ops::sgd(), Phase::update, "m", {w, turned}, {w}, {0.5}); // reads w through a view while it writes it
    const NodeIndex second = s.node(ops::mean_squared_error(), {turned, w}, "b", {}, Phase::update);
    CHECK(s.tape.node(update).inputs[1] == s.tape.node(first).inputs[0]);
    CHECK(s.tape.node(second).inputs[0] != s.tape.node(first).inputs[0]);
    const Tensor before = s.tape.tensor(w).contiguous_copy(*s.pool);
    s.execute();
    std::vector<double> moved;
    for (Dim i = 0; i < 3; ++i)
        for (Dim j = 0; j < 3; ++j) moved.push_back(before.at(i, j) - 0.5 * before.at(j, i));
    CHECK_ERROR(relative_error(s.tape.tensor(w), moved), 2e-16, "w - w transposed / 2");
    CHECK_EQUAL(values_of(s.tape.tensor(s.tape.node(second).inputs[0])), values_of(s.tape.tensor(w).transposed(0, 1)));
}

TEST(tape_keeps_the_strides_of_inputs) {
    Stage s;
    const Tensor x = random_tensor(shape_of({3, 4}), DType::f64, 1), other = random_tensor(shape_of({3, 4}), DType::f64, 2);
    const ValueIndex value = s.input("x", x.transposed(0, 1));
    CHECK(s.tape.tensor(value).storage() == x.storage());
    CHECK(!s.tape.value(value).contiguous());
    const ValueIndex weight = s.input("w", x.transposed(0, 1), Role::parameter, true); // updates write it
    CHECK(s.tape.value(weight).contiguous());
    const ValueIndex loss = s.value(ops::mean_squared_error(), {value, weight}, "loss");
    CHECK_EQUAL(s.names(), (Names{"contiguous", "mean_squared_error"}));
    for (const Tensor& next : {x.transposed(0, 1), other.transposed(0, 1), other.transposed(0, 1).contiguous_copy(*s.pool)}) {
        s.tape.set(value, next);
        CHECK(same_bits(s.tape.tensor(value), next));
        s.execute();
        CHECK_EQUAL(s.tape.scalar(loss) == 0, same_bits(next, x.transposed(0, 1)));
    }
    const Tensor repeated(x.storage(), Layout{shape_of({5, 4}), {0, 1}, 4}, DType::f64); // may not be written through: copied
    CHECK(s.tape.value(s.input("r", repeated)).contiguous());
    CHECK(same_bits(s.tape.tensor(s.tape.find("r")), repeated));
    CHECK_THROWS(s.tape.writable(value), ShapeError, "x", "one after another");
}

TEST(views_refuse_what_cannot_be) {
    Stage s;
    const ValueIndex x = s.input("x", random_tensor(shape_of({2, 3}), DType::f32, 1), Role::parameter, true);
    const ValueIndex y = s.value(ops::transpose(), {x}, "y", {0, 1});
    CHECK_THROWS(s.tape.set(y, random_tensor(shape_of({3, 2}), DType::f32, 1)), ShapeError, "y is a view of x");
    CHECK_THROWS(s.tape.writable(y), ShapeError, "y", "buffer of its own");
    CHECK_THROWS(s.tape.apply_onto(ops::sgd(), Phase::update, "m", {y, y}, {y}, {0.5}), ShapeError, "sgd", "y");
    CHECK_THROWS(s.tape.set_attribute(0, 0, 1), Error, "transpose", "view");
    struct {
        const Op* op;
        Attributes attributes;
    } const rows[] = {
        {&ops::reshape(), reshape_to({4})},
        {&ops::reshape(), reshape_to({-1, -1})},
        {&ops::reshape(), reshape_to({4, -1})},
        {&ops::reshape(), reshape_to({2, -3})},
        {&ops::reshape(), {7}},
        {&ops::reshape(), {1, 6.5}},
        {&ops::reshape(), {2, 4e9, 4e9}},
        {&ops::reshape(), {NAN}},
        {&ops::transpose(), {0, 2}},
        {&ops::transpose(), {-1, 0}},
        {&ops::permute(), permute_to({0})},
        {&ops::permute(), permute_to({0, 0})},
        {&ops::permute(), permute_to({0, 2})},
        {&ops::slice(), slice_of(2, 0, 1)},
        {&ops::slice(), slice_of(0, 0, 3)},
        {&ops::slice(), slice_of(0, 2, 1)},
        {&ops::slice(), slice_of(0, -1, 1)},
        {&ops::slice(), slice_of(0, 0, 1, 0)},
        {&ops::expand(), reshape_to({3})},
        {&ops::expand(), reshape_to({2, 4})},
        {&ops::expand(), reshape_to({-1, 2, 3})},
        {&ops::concat(), {2}},
        {&ops::split(), split_into(0, {1})},
        {&ops::split(), split_into(1, {4})},
        {&ops::split(), {0, 0}},
        {&ops::slice_backward(), {0, 0, 3, 1, 4}},
    };
    for (const auto& row : rows) {
        const Row name(fmt::format("{} {} {} {}", row.op->name, row.attributes[0], row.attributes[1], row.attributes[2]));
        const std::size_t nodes = s.tape.nodes().size();
        CHECK_THROWS(s.value(*row.op, {x}, "z", row.attributes), ShapeError, std::string(row.op->name), "x (2, 3)");
        CHECK_EQUAL(s.tape.nodes().size(), nodes);
    }
    const ValueIndex other = s.input("o", random_tensor(shape_of({3, 3}), DType::f32, 1)),
                     wide = s.input("d", random_tensor(shape_of({2, 3}), DType::f64, 1));
    CHECK_THROWS(s.value(ops::concat(), {x, other}, "z", {1}), ShapeError, "concat", "x (2, 3)", "o (3, 3)");
    CHECK_THROWS(s.value(ops::concat(), {x, wide}, "z", {0}), ShapeError, "concat", "fp64");
    CHECK_THROWS(s.value(ops::concat(), std::vector<ValueIndex>(9, x), "z", {0}), ShapeError, "eight");
    CHECK_THROWS(squeeze(shape_of({2, 3}), 0), ShapeError, "axis 0", "2×3");
    CHECK_THROWS(unsqueeze(shape_of({2, 3}), 3), ShapeError, "2×3");
    CHECK_EQUAL(squeeze(shape_of({2, 1, 3}), 1), reshape_to({2, 3}));
}

TEST(concat_and_split_undo_each_other) {
    for (const DType dtype :
         {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32, DType::i64, DType::u8, DType::boolean}) {
        const Row row{std::string(name_of(dtype))};
        Stage s;
        std::vector<double> numbers(60);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
        const Tensor x = tensor_of(shape_of({3, 5, 4}), numbers, dtype);
        const ValueIndex base = s.input("x", x), turned = s.value(ops::transpose(), {base}, "t", {0, 2});
        const NodeIndex split =
            s.tape.apply(ops::split(), Phase::forward, "m", {turned}, {"a", "b", "c"}, split_into(1, {2, 0, 3}));
        CHECK_EQUAL(s.tape.nodes().size(), 2u); // it takes strides
        const ValueIndex joined = s.value(ops::concat(), s.tape.node(split).outputs, "j", {1});
        s.execute();
        CHECK(same_bits(s.tape.tensor(joined), s.tape.tensor(turned)));
        CHECK_EQUAL(values_of(s.tape.tensor(s.tape.find("a"))),
                    values_of(s.tape.tensor(s.value(ops::slice(), {turned}, "s", slice_of(1, 0, 2)))));
    }
}
