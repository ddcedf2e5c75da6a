// Latent attention and mixtures of experts against PyTorch (tests/golden/layers_fp64): outputs and every gradient, in fp64 and
// fp32, on every path of the processor; and what a mixture does at its edges.
#include "engine/core/error.hpp"
#include "engine/nn/latent_attention.hpp"
#include "engine/nn/mixture_of_experts.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <fmt/format.h>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double balance_factor = 0.75; ///< of make_layers.py

struct Net {
    Tape tape;
    std::vector<ValueIndex> parameters;
    Module root;
    explicit Net(DType dtype = DType::f64, const std::string& isa = "", int threads = 1)
        : tape(cpu(isa, threads), std::make_shared<BufferPool>()), root(tape, "net", dtype, 1, parameters) {}

    void run() {
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
    /// L = Σ g · y, and a share of another loss; its gradients made.
    void end(ValueIndex y, const Tensor& g, ValueIndex other = no_value) {
        const ValueIndex given = tape.input("g", g, Role::data);
        ValueIndex loss = root.apply(ops::sum(), {root.apply(ops::multiply(), {y, given}, "weighed")}, "sum");
        if (other != no_value)
            loss = root.apply(ops::add(), {loss, root.apply(ops::scale(), {other}, "share", {balance_factor})}, "loss");
        tape.backward(loss);
    }
    Tensor gradient(ValueIndex value) const { return tape.tensor(tape.value(value).gradient); }
};

Tensor as(const Tensor& tensor, DType dtype) { return tensor_of(tensor.shape(), values_of(tensor), dtype); }

/// A case's tensors, and what a net makes of them.
struct Case {
    const Golden& golden;
    std::string name;
    DType dtype;
    double tolerance() const { return dtype == DType::f64 ? 1e-12 : 1e-6; }
    Tensor at(const std::string& part) const { return as(golden.at(name + "/" + part), dtype); }

    void fill(Net& net) const {
        for (const ValueIndex parameter : net.parameters)
            net.tape.set(parameter, at(net.tape.value(parameter).name.substr(4))); // without "net."
    }
    void compare(const Tensor& got, const std::string& part) const {
        const std::vector<double> wanted = values_of(golden.at(name + "/" + part));
        CHECK_EQUAL(static_cast<std::size_t>(got.elements()), wanted.size());
        CHECK_ERROR(relative_error(got, wanted), tolerance(), part);
    }
    void compare_gradients(const Net& net, ValueIndex x) const {
        compare(net.gradient(x), "dx");
        for (const ValueIndex parameter : net.parameters) {
            const std::string part = "d." + net.tape.value(parameter).name.substr(4);
            REQUIRE(net.tape.value(parameter).gradient != no_value, part);
            compare(net.gradient(parameter), part);
        }
    }
};

const struct {
    const char* name;
    LatentAttentionShape shape;
} latent_rows[] = {
    {"mla", {.channels = 12, .heads = 3, .latent = 6, .query_latent = 8, .content = 4, .rotary = 2, .values = 5}},
    {"mla_plain_queries", {.channels = 10, .heads = 2, .latent = 4, .content = 3, .rotary = 4, .values = 3}},
    {"mla_halves_no_norm",
     {.channels = 8,
      .heads = 4,
      .latent = 5,
      .query_latent = 3,
      .content = 2,
      .rotary = 4,
      .values = 6,
      .normalise = false,
      .pairs = RopePairs::halves}},
    {"mla_sees_all",
     {.channels = 9, .heads = 1, .latent = 7, .query_latent = 4, .content = 6, .rotary = 2, .values = 2, .causal = false}},
    {"mla_one_token", {.channels = 6, .heads = 2, .latent = 3, .query_latent = 4, .content = 2, .rotary = 2, .values = 3}},
    {"mla_equal_widths", {.channels = 8, .heads = 2, .latent = 4, .content = 4, .rotary = 2, .values = 6}},
    {"mla_equal_widths", {.channels = 8, .heads = 2, .latent = 4, .content = 4, .rotary = 2, .values = 6, .fused = true}},
};

using Expert = MixtureShape::Expert;
const struct {
    const char* name;
    MixtureShape shape;
} mixture_rows[] = {
    {"moe", {.channels = 6, .hidden = 5, .experts = 4, .top_k = 2}},
    {"moe_switch", {.channels = 5, .hidden = 7, .experts = 4, .top_k = 1, .normalise = false}},
    {"moe_mlp", {.channels = 4, .hidden = 6, .experts = 5, .top_k = 3, .expert = Expert::mlp}},
    {"moe_weights_as_they_are", {.channels = 6, .hidden = 4, .experts = 6, .top_k = 2, .normalise = false}},
    {"moe_experts_without_tokens", {.channels = 4, .hidden = 3, .experts = 16, .top_k = 1}},
    {"moe_all_experts", {.channels = 4, .hidden = 5, .experts = 3, .top_k = 3}},
    {"moe_one_token", {.channels = 6, .hidden = 4, .experts = 4, .top_k = 2}},
    {"moe_one_expert", {.channels = 3, .hidden = 4, .experts = 1, .top_k = 1}},
    {"moe_ties", {.channels = 4, .hidden = 3, .experts = 5, .top_k = 2}},
};

template <class Check> void everywhere(Check&& check) {
    for (const DType dtype : {DType::f64, DType::f32})
        for (const std::string& isa : isa_paths()) check(dtype, isa);
}

ValueIndex positions_of(Net& net, Dim count) {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
    return net.tape.input("positions", Tensor::from<std::int32_t>(net.tape.pool(), shape_of({count}), numbers), Role::data);
}

} // namespace

TEST(latent_attention_agrees_with_pytorch) {
    const Golden golden = read_golden("layers_fp64");
    for (const auto& row : latent_rows)
        everywhere([&](DType dtype, const std::string& isa) {
            const Row named(fmt::format("{}{} {} {}", row.name, row.shape.fused ? " fused" : "", name_of(dtype), isa));
            const Case wanted{golden, row.name, dtype};
            Net net(dtype, isa);
            const ValueIndex x = net.tape.input("x", wanted.at("x"), Role::data, true);
            const LatentAttention layer(net.root, row.shape);
            wanted.fill(net);
            const auto out = layer.with_latent(x, positions_of(net, net.tape.value(x).shape[1]));
            net.end(out.y, wanted.at("g"));
            net.run();
            wanted.compare(net.tape.tensor(out.y), "y");
            wanted.compare(net.tape.tensor(out.latent), "latent");
            wanted.compare(net.tape.tensor(out.rotary_key), "rotary_key");
            wanted.compare_gradients(net, x);
        });
}

TEST(mixtures_of_experts_agree_with_pytorch) {
    const Golden golden = read_golden("layers_fp64");
    for (const auto& row : mixture_rows)
        everywhere([&](DType dtype, const std::string& isa) {
            const Row named(fmt::format("{} {} {}", row.name, name_of(dtype), isa));
            const Case wanted{golden, row.name, dtype};
            Net net(dtype, isa);
            const ValueIndex x = net.tape.input("x", wanted.at("x"), Role::data, true);
            const MixtureOfExperts layer(net.root, row.shape);
            wanted.fill(net);
            const auto out = layer.routed(x);
            net.end(out.y, wanted.at("g"), out.balance_loss);
            net.run();
            wanted.compare(net.tape.tensor(out.y), "y");
            wanted.compare(net.tape.tensor(out.balance_loss), "balance");
            wanted.compare(net.tape.tensor(out.gates), "gates");
            CHECK(values_of(net.tape.tensor(out.experts)) == values_of(golden.at(wanted.name + "/experts")), "experts");
            wanted.compare_gradients(net, x);
        });
}

// A mixture's graph does not depend on which experts are taken: the tape is written once and follows the numbers.
TEST(routing_follows_the_numbers) {
    const Golden golden = read_golden("layers_fp64");
    const Case wanted{golden, "moe", DType::f64};
    Net net;
    const Tensor given = wanted.at("x");
    const ValueIndex x = net.tape.input("x", random_tensor(given.shape(), DType::f64, 3), Role::data, true);
    const MixtureOfExperts layer(net.root, mixture_rows[0].shape);
    wanted.fill(net);
    const auto out = layer.routed(x);
    net.end(out.y, wanted.at("g"), out.balance_loss);
    net.run();
    const Tensor before = net.tape.tensor(out.experts);
    net.tape.set(x, given);
    net.run();
    CHECK(!same_bits(before, net.tape.tensor(out.experts)));
    wanted.compare(net.tape.tensor(out.y), "y");
    wanted.compare_gradients(net, x);
}

TEST(balance_loss_at_its_ends) {
    const struct {
        const char* name;
        Dim experts, top_k;
        bool collapsed;
        double loss;
    } rows[] = {{"all to one", 4, 1, true, 4}, {"all to two of four", 4, 2, true, 2}, {"even", 4, 1, false, 1}};
    for (const auto& row : rows) {
        const Row named(row.name);
        Net net;
        // one channel each: token i says by its channel to which expert it goes
        std::vector<double> tokens(16, 0.0), router(16, 0.0);
        for (std::size_t i = 0; i < 4; ++i) tokens[4 * i + (row.collapsed ? 0 : i)] = 1;
        for (std::size_t i = 0; i < 4; ++i) router[4 * i + i] = 200;
        if (row.top_k == 2) router[1] = 200; // channel 0 leads to experts 0 and 1 alike
        const ValueIndex x = net.tape.input("x", tensor_of(shape_of({4, 4}), tokens), Role::data, true);
        const MixtureOfExperts layer(net.root, {.channels = 4, .hidden = 2, .experts = row.experts, .top_k = row.top_k});
        net.tape.set(layer.router, tensor_of(shape_of({4, 4}), router));
        const auto out = layer.routed(x);
        net.run();
        CHECK_ERROR(std::abs(net.tape.scalar(out.balance_loss) - row.loss), 1e-12, "loss");
        double shares = 0;
        for (const double share : values_of(net.tape.tensor(out.shares))) shares += share;
        CHECK_ERROR(std::abs(shares - 1), 1e-15, "Σ f");
    }
}

TEST(mixtures_have_the_same_bits_for_any_number_of_threads) {
    std::vector<Tensor> kept[2];
    for (const int threads : {1, 2}) {
        Net net(DType::f32, "", threads);
        const ValueIndex x = net.tape.input("x", random_tensor(shape_of({2, 150, 32}), DType::f32, 7), Role::data, true);
        const auto out = MixtureOfExperts(net.root, {.channels = 32, .hidden = 64, .experts = 8, .top_k = 2}).routed(x);
        net.end(out.y, random_tensor(shape_of({2, 150, 32}), DType::f32, 8), out.balance_loss);
        net.run();
        auto& list = kept[threads - 1];
        list = {net.tape.tensor(out.y), net.gradient(x)};
        for (const ValueIndex parameter : net.parameters) list.push_back(net.gradient(parameter));
    }
    for (std::size_t i = 0; i < kept[0].size(); ++i) CHECK(same_bits(kept[0][i], kept[1][i]), std::to_string(i));
}

TEST(layers_of_these_kinds_refuse) {
    Net net;
    CHECK_THROWS(LatentAttention(net.root, {.channels = 8, .heads = 2, .latent = 4, .content = 4, .rotary = 3, .values = 4}),
                 ArgumentError, "rotary", "even", "3");
    CHECK_THROWS(LatentAttention(net.root, {.channels = 8, .heads = 2, .content = 4, .rotary = 2, .values = 4}), ArgumentError,
                 "latent of at least 1");
    CHECK_THROWS(LatentAttention(
                     net.root, {.channels = 8, .heads = 2, .latent = 4, .content = 4, .rotary = 2, .values = 4, .fused = true}),
                 ArgumentError, "6 features", "4");
    const LatentAttention attention(net.root, {.channels = 8, .heads = 2, .latent = 4, .content = 4, .rotary = 2, .values = 4});
    const ValueIndex matrix = net.tape.input("x", random_tensor(shape_of({3, 8}), DType::f64, 1), Role::data);
    CHECK_THROWS(attention(matrix, positions_of(net, 3)), ShapeError, "(B, T, 8)", "3×8");
    CHECK_THROWS(MixtureOfExperts(net.root, {.channels = 8, .hidden = 4, .experts = 4, .top_k = 5}), ArgumentError, "1 to 4",
                 "5");
    CHECK_THROWS(MixtureOfExperts(net.root, {.channels = 8, .hidden = 4, .experts = 4, .top_k = 0}), ArgumentError, "not 0");
    CHECK_THROWS(MixtureOfExperts(net.root, {.channels = 8, .hidden = 0, .experts = 4}), ArgumentError, "0 hidden");
    CHECK_THROWS(MixtureOfExperts(net.root, {.channels = 6, .hidden = 4, .experts = 4})(matrix), ShapeError, "(…, 6)", "3×8");
}
