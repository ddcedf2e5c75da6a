// Optimizers, clipping, accumulation and schedules against torch.optim over 20 steps (tests/golden/optim_fp64), on every ISA
// path.
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "engine/optim/accumulation.hpp"
#include "engine/optim/clip.hpp"
#include "engine/optim/optimizer.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <map>
#include <optional>

using namespace gradus;
using namespace gradus::test;

namespace {

using Kind = Optimizer::Kind;
using Settings = Optimizer::Settings;
constexpr int steps = 20;
constexpr double tolerance = 1e-12;

struct Case {
    const char* name;
    Settings settings;
    std::optional<Schedule> schedule = {};
    double clip_norm = 0, clip_value = 0;
    int micro_batches = 1;
    std::optional<Settings> second = {}; ///< of b, where it has a group of its own
};

const Case cases[] = {
    {"sgd", {.kind = Kind::sgd, .lr = 0.1}},
    {"sgd_l2", {.kind = Kind::sgd, .lr = 0.1, .weight_decay = 0.3}},
    {"momentum", {.kind = Kind::momentum, .lr = 0.05}},
    {"momentum_l2", {.kind = Kind::momentum, .lr = 0.05, .weight_decay = 0.1}},
    {"momentum_lr", {.kind = Kind::momentum_lr, .lr = 0.05}},
    {"momentum_lr_drops",
     {.kind = Kind::momentum_lr, .lr = 0.05},
     Schedule{.kind = Schedule::Kind::step, .step_size = 6, .gamma = 0.5}},
    {"momentum_drops",
     {.kind = Kind::momentum, .lr = 0.05},
     Schedule{.kind = Schedule::Kind::step, .step_size = 6, .gamma = 0.5}},
    {"nesterov", {.kind = Kind::nesterov, .lr = 0.05}},
    {"nesterov_l2", {.kind = Kind::nesterov, .lr = 0.05, .momentum = 0.8, .weight_decay = 0.1}},
    {"rmsprop", {.kind = Kind::rmsprop, .lr = 0.01}},
    {"rmsprop_l2", {.kind = Kind::rmsprop, .lr = 0.01, .alpha = 0.9, .eps = 1e-6, .weight_decay = 0.1}},
    {"adam", {.kind = Kind::adam, .lr = 0.01}},
    {"adam_betas", {.kind = Kind::adam, .lr = 0.1, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-4}},
    {"adam_l2", {.kind = Kind::adam, .lr = 0.01, .weight_decay = 0.1}},
    {"adamw", {.kind = Kind::adamw, .lr = 0.01, .weight_decay = 0.1}},
    {"adamw_cosine",
     {.kind = Kind::adamw, .lr = 0.02, .weight_decay = 0.5},
     Schedule{.kind = Schedule::Kind::cosine, .total_steps = 20}},
    {"sgd_warmup_cosine",
     {.kind = Kind::sgd, .lr = 0.1},
     Schedule{.kind = Schedule::Kind::cosine, .warmup_steps = 5, .total_steps = 20, .final_share = 0.1}},
    {"sgd_constant", {.kind = Kind::sgd, .lr = 0.1}, Schedule{}},
    {"clip_norm", {.kind = Kind::sgd, .lr = 0.1}, {}, 6.0},
    {"clip_value", {.kind = Kind::sgd, .lr = 0.1}, {}, 0, 0.75},
    {"adamw_clip_norm", {.kind = Kind::adamw, .lr = 0.01, .weight_decay = 0.1}, {}, 2.0},
    {"accumulated", {.kind = Kind::momentum, .lr = 0.1}, {}, 0, 0, 4},
    {"groups", {.kind = Kind::adamw, .lr = 0.02, .weight_decay = 0.2}, {}, 0, 0, 1, Settings{.kind = Kind::adamw, .lr = 0.005}},
};

Tensor cast(const Tensor& tensor, DType dtype) { return tensor_of(tensor.shape(), values_of(tensor), dtype); }

/// One of the rows of a tensor that has one for each step.
Tensor at_step(const Tensor& all, int step, DType dtype = DType::f64) {
    Shape shape;
    for (int axis = 1; axis < all.shape().rank(); ++axis) shape.append({all.shape()[axis], {}});
    std::vector<double> values;
    for (Dim i = 0; i < shape.elements(); ++i) values.push_back(all.at(step * shape.elements() + i));
    return tensor_of(shape, values, dtype);
}

/// A tape that holds nothing but W and b, their gradients and what updates them.
struct Updated {
    Tape tape;
    std::vector<ValueIndex> parameters, gradients;
    std::optional<GradientAccumulation> accumulation;
    NodeIndex update_begin = 0;
    Clipped clipped;
    std::optional<Optimizer> optimizer;

    Updated(const Golden& golden, const Case& c, const std::string& isa, DType dtype = DType::f64, int threads = 1)
        : tape(cpu(isa, threads), std::make_shared<BufferPool>()) {
        for (const char* name : {"W", "b"}) {
            parameters.push_back(tape.input(name, cast(golden.at(std::string(name) + ".init"), dtype), Role::parameter, true));
            const Tensor none = at_step(golden.at(std::string(name) + ".grad"), 0, dtype);
            gradients.push_back(tape.input(std::string("d") + name, none, Role::gradient));
        }
        std::vector<ValueIndex> given = gradients;
        if (c.micro_batches > 1) given = accumulation.emplace(tape, gradients, c.micro_batches).gradients();
        update_begin = static_cast<NodeIndex>(tape.nodes().size());
        if (c.clip_norm > 0) clipped = clip_by_global_norm(tape, given, c.clip_norm), given = clipped.gradients;
        if (c.clip_value > 0) clipped = clip_by_value(tape, given, c.clip_value), given = clipped.gradients;
        if (!c.second) optimizer.emplace(tape, c.settings, parameters, given);
        else
            optimizer.emplace(tape, std::vector<Optimizer::Group>{{c.settings, {parameters[0]}, {given[0]}},
                                                                  {*c.second, {parameters[1]}, {given[1]}}});
    }
    void step(const Golden& golden, const Case& c, int step) {
        if (c.schedule) optimizer->follow(tape, *c.schedule, step);
        for (int micro = 0; micro < c.micro_batches; ++micro) {
            const DType dtype = tape.value(gradients[0]).dtype;
            tape.set(gradients[0], at_step(golden.at("W.grad"), (step + micro) % steps, dtype));
            tape.set(gradients[1], at_step(golden.at("b.grad"), (step + micro) % steps, dtype));
            if (accumulation) accumulation->begin(tape, micro);
            for (NodeIndex node = 0; node < update_begin; ++node) tape.execute(node);
        }
        for (NodeIndex node = update_begin; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
};

} // namespace

TEST(optimizers_reach_pytorch) {
    const Golden golden = read_golden("optim_fp64");
    for (const std::string& isa : isa_paths())
        for (const Case& c : cases) {
            const Row row(fmt::format("{} {}", c.name, isa));
            Updated updated(golden, c, isa);
            for (int step = 0; step < steps; ++step) {
                updated.step(golden, c, step);
                for (std::size_t i = 0; i < 2; ++i) {
                    const std::string name = std::string(c.name) + (i == 0 ? ".W" : ".b");
                    CHECK_ERROR(relative_error(updated.tape.tensor(updated.parameters[i]), at_step(golden.at(name), step)),
                                tolerance, fmt::format("{} after step {}", name, step));
                }
                if (c.schedule) {
                    const double lr = golden.at(std::string(c.name) + ".lr").at(step);
                    CHECK_ERROR(std::abs(updated.optimizer->settings().lr - lr), tolerance * lr, "rate");
                }
                if (c.clip_norm > 0) {
                    const double norm = golden.at(std::string(c.name) + ".norm").at(step);
                    CHECK_ERROR(std::abs(updated.tape.scalar(updated.clipped.norm) - norm), tolerance * norm, "norm");
                }
            }
        }
}

// Single precision follows within its rounding, and no bit depends on the threads or, where both fuse, on the path.
TEST(optimizers_in_fp32) {
    const Golden golden = read_golden("optim_fp64");
    for (const Case& c : cases) {
        std::map<std::string, Tensor> ends;
        for (const std::string& isa : isa_paths()) {
            const Row row(fmt::format("{} {}", c.name, isa));
            Updated one(golden, c, isa, DType::f32), three(golden, c, isa, DType::f32, 3);
            for (int step = 0; step < steps; ++step) one.step(golden, c, step), three.step(golden, c, step);
            const Tensor end = one.tape.tensor(one.parameters[0]);
            CHECK_ERROR(relative_error(end, at_step(golden.at(std::string(c.name) + ".W"), steps - 1)), 1e-6, "W after 20 steps");
            CHECK(same_bits(end, three.tape.tensor(three.parameters[0])));
            ends[isa] = end;
        }
        if (ends.contains("avx512")) CHECK(same_bits(ends["avx512"], ends["avx2"]), c.name);
    }
}

// Parameters and state() are all that a checkpoint needs: the second half of the steps goes the same way from them.
TEST(optimizers_go_on_from_their_state) {
    const Golden golden = read_golden("optim_fp64");
    for (const Case& c : cases) {
        const Row row(c.name);
        Updated whole(golden, c, ""), second(golden, c, "");
        for (int step = 0; step < steps; ++step) {
            if (step == steps / 2) {
                REQUIRE(second.optimizer->state().size() == whole.optimizer->state().size());
                for (std::size_t i = 0; i < 2; ++i) second.tape.set(second.parameters[i], whole.tape.tensor(whole.parameters[i]));
                for (std::size_t i = 0; i < whole.optimizer->state().size(); ++i)
                    second.tape.set(second.optimizer->state()[i], whole.tape.tensor(whole.optimizer->state()[i]));
            }
            whole.step(golden, c, step);
            if (step >= steps / 2) second.step(golden, c, step);
        }
        for (std::size_t i = 0; i < 2; ++i)
            CHECK(same_bits(whole.tape.tensor(whole.parameters[i]), second.tape.tensor(second.parameters[i])));
    }
}

TEST(clipping_of_many_gradients) {
    for (const std::size_t count : {1, 7, 8, 9, 64, 65}) // norms of norms from nine on
        for (const DType dtype : {DType::f32, DType::f64}) {
            const Row row(fmt::format("{} gradients {}", count, name_of(dtype)));
            Tape tape(cpu(), std::make_shared<BufferPool>());
            std::vector<ValueIndex> gradients;
            double squares = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const Tensor gradient = random_tensor(shape_of({static_cast<Dim>(i % 3), 50}), dtype, i + 1);
                for (const double value : values_of(gradient)) squares += value * value;
                gradients.push_back(tape.input("g" + std::to_string(i), gradient, Role::gradient));
            }
            const Clipped clipped = clip_by_global_norm(tape, gradients, 1);
            for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
            const double norm = std::sqrt(squares), factor = std::min(1.0, 1 / (norm + 1e-6)),
                         exact = dtype == DType::f32 ? 1e-6 : 1e-14;
            CHECK_ERROR(std::abs(tape.scalar(clipped.norm) - norm), exact * norm, "norm");
            for (std::size_t i = 0; i < count; ++i) {
                std::vector<double> wanted = values_of(tape.tensor(gradients[i]));
                for (double& value : wanted) value *= factor;
                CHECK_ERROR(relative_error(tape.tensor(clipped.gradients[i]), wanted), exact, "clipped");
            }
        }
}

// A norm over more than one piece, with any number of threads; a NaN in a gradient stays in sight.
TEST(norms_of_large_gradients) {
    const Tensor large = random_tensor(shape_of({100'003}), DType::f32, 3);
    double squares = 0;
    for (const double value : values_of(large)) squares += value * value;
    for (const std::string& isa : isa_paths()) {
        const Row row(isa);
        const Tensor one = call_kernel(*cpu(isa, 1), "global_norm", {large}, {{Shape{}, DType::f32}})[0];
        CHECK_ERROR(std::abs(one.at(0) - std::sqrt(squares)), 1e-7 * std::sqrt(squares), "norm");
        for (const int threads : {2, 3})
            CHECK(same_bits(one, call_kernel(*cpu(isa, threads), "global_norm", {large}, {{Shape{}, DType::f32}})[0]));
    }
    const Tensor bad = tensor_of(shape_of({2}), std::vector{1.0, std::nan("")}, DType::f32);
    const Tensor norm = call_kernel(*cpu(), "global_norm", {bad}, {{Shape{}, DType::f32}})[0];
    CHECK(std::isnan(norm.at(0)));
    CHECK(std::isnan(call_kernel(*cpu(), "clip_by_norm", {large, norm}, {{large.shape(), DType::f32}}, {1})[0].at(5)));
}

TEST(accumulation_starts_anew) {
    const Shape two = shape_of({2});
    const Tensor rest = tensor_of(two, std::vector{std::nan(""), double{INFINITY}}),
                 gradient = tensor_of(two, std::vector{2.0, -4.0});
    const auto sum = [&](double keep) {
        return call_kernel(*cpu(), "accumulate", {rest, gradient}, {{two, DType::f64}}, {0.5, keep})[0];
    };
    CHECK_EQUAL(sum(0).at(0), 1.0);
    CHECK_EQUAL(sum(0).at(1), -2.0);
    CHECK(std::isnan(sum(1).at(0)));
}

TEST(schedules) {
    using enum Schedule::Kind;
    struct {
        Schedule schedule;
        std::int64_t step;
        double factor;
    } const rows[] = {
        {{}, 0, 1},
        {{}, 1'000'000, 1},
        {{.warmup_steps = 4}, 0, 0.25},
        {{.warmup_steps = 4}, 3, 1},
        {{.warmup_steps = 4}, 4, 1},
        {{.kind = step, .step_size = 10, .gamma = 0.5}, 9, 1},
        {{.kind = step, .step_size = 10, .gamma = 0.5}, 10, 0.5},
        {{.kind = step, .step_size = 10, .gamma = 0.5}, 39, 0.125},
        {{.kind = step, .warmup_steps = 2, .step_size = 10, .gamma = 0.5}, 11, 1},
        {{.kind = step, .warmup_steps = 2, .step_size = 10, .gamma = 0.5}, 12, 0.5},
        {{.kind = cosine, .total_steps = 100}, 0, 1},
        {{.kind = cosine, .total_steps = 100}, 50, 0.5},
        {{.kind = cosine, .total_steps = 100}, 100, 0},
        {{.kind = cosine, .total_steps = 100, .final_share = 0.1}, 1000, 0.1},
        {{.kind = cosine, .warmup_steps = 20, .total_steps = 100, .final_share = 0.2}, 60, 0.6},
    };
    for (const auto& row : rows)
        CHECK_ERROR(std::abs(factor_at(row.schedule, row.step) - row.factor), 1e-15, fmt::format("factor of step {}", row.step));
    CHECK_THROWS(factor_at({}, -1), ArgumentError, "-1");
    CHECK_THROWS(factor_at({.warmup_steps = -3}, 0), ArgumentError, "-3");
    CHECK_THROWS(factor_at({.kind = step, .step_size = 0}, 0), ArgumentError, "every 0 steps");
    CHECK_THROWS(factor_at({.kind = cosine, .warmup_steps = 5, .total_steps = 5}, 0), ArgumentError, "within its warm-up");
}

TEST(optimizers_refuse) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex w = tape.input("W", random_tensor(shape_of({2, 3}), DType::f64, 1), Role::parameter, true);
    const ValueIndex g = tape.input("dW", random_tensor(shape_of({3, 2}), DType::f64, 2), Role::gradient);
    CHECK_THROWS(Optimizer(tape, Settings{.kind = Kind::adam}, {w}, {g}), ShapeError, "W (2, 3)", "dW (3, 2)");
    CHECK_THROWS(Optimizer(tape, Settings{}, {w}, {}), ArgumentError, "1 parameters have 0 gradients");
    CHECK_THROWS(Optimizer(tape, std::vector<Optimizer::Group>{}), ArgumentError, "group");
    Optimizer optimizer(tape, Settings{}, {}, {});
    CHECK_THROWS(optimizer.set_lr(tape, 1, 0.1), ArgumentError, "none of number 1");
    CHECK_THROWS(clip_by_global_norm(tape, {}, 1), ArgumentError, "no gradients");
    CHECK_THROWS(clip_by_global_norm(tape, {g}, 0), ArgumentError, "clipped at 0");
    CHECK_THROWS(clip_by_value(tape, {g}, -1), ArgumentError, "clipped at -1");
    CHECK_THROWS(GradientAccumulation(tape, {g}, 0), ArgumentError, "not 0");
    const Tensor count = labels_of({0}); // a step that was never counted
    const ValueIndex t = tape.input("t", Tensor(count.storage(), Shape{}, DType::i32), Role::optimizer_state);
    const ValueIndex d = tape.input("d", random_tensor(shape_of({2, 3}), DType::f64, 2), Role::gradient);
    const NodeIndex node =
        tape.apply(ops::adam(), Phase::update, "m", {w, d, d, d, t}, {"W'", "m'", "v'"}, {0.1, 0.9, 0.999, 1e-8});
    CHECK_THROWS(tape.execute(node), Error, "adam");
}
