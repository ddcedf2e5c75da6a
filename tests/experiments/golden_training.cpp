// Whole trainings against PyTorch (tests/golden/mlp_*): the lesson's own network, given the golden data, weights and
// batches; and the values and gradients of the first step on a tape written here.
#include "engine/nn/linear.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/ops/ops.hpp"
#include "lessons/experiments/train_mlp/network.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <cstring>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Case {
    const char* name;
    double step0, trained; ///< tolerances; the golden README says how they were found
};
const Case cases[] = {
    {"mlp_fp64_sgd", 1e-13, 1e-12},          {"mlp_fp64_momentum", 1e-13, 1e-9}, {"mlp_fp64_gelu_mse", 1e-13, 1e-12},
    {"mlp_fp64_sigmoid_bce", 1e-13, 1e-12},  {"mlp_fp32_sgd", 5e-6, 1e-5},       {"mlp_fp32_momentum", 5e-6, 1e-5},
};

mlp::Settings settings_from(const Golden& golden) {
    const auto text = [&](const char* key) { return golden.metadata.at(key); };
    mlp::Settings s;
    s.layers = mlp::parse_widths(text("layers"));
    s.activation = text("activation");
    s.loss = text("loss") == "mse" ? mlp::Loss::mse : text("loss") == "bce_with_logits" ? mlp::Loss::bce : mlp::Loss::softmax;
    s.batch = *parse_integer(text("batch"));
    s.optimizer.lr = *parse_number(text("lr"));
    s.optimizer.momentum = *parse_number(text("momentum"));
    s.optimizer.kind = s.optimizer.momentum == 0 ? Optimizer::Kind::sgd : Optimizer::Kind::momentum;
    s.dtype = text("dtype") == "float64" ? DType::f64 : DType::f32;
    s.omit = "none";
    return s;
}

/// Sets the weights, gives every batch, and compares losses and final state.
void check_training(const Golden& golden, std::shared_ptr<const Dataset> data, const std::string& isa, double tolerance) {
    mlp::Settings settings = settings_from(golden);
    mlp::Network network(cpu(isa, 2), std::make_shared<BufferPool>(), settings, std::move(data), 1);
    Tape& tape = network.tape();
    for (const ValueIndex parameter : network.parameters()) tape.set(parameter, golden.at(tape.value(parameter).name + ".init"));
    const Tensor index = golden.at("index");
    const ValueIndex rows = tape.find("index");
    REQUIRE(rows != no_value);
    const Dim steps = index.shape()[0], batch = index.shape()[1];
    std::vector<double> losses;
    for (Dim step = 0; step < steps; ++step) {
        std::memcpy(tape.writable(rows), index.data<std::int32_t>() + step * batch, static_cast<std::size_t>(batch) * 4);
        network.step();
        losses.push_back(network.loss());
        if (step == 0)
            for (const ValueIndex parameter : network.parameters()) {
                const std::string name = tape.value(parameter).name + ".step1";
                if (golden.has(name)) CHECK_ERROR(relative_error(tape.tensor(parameter), golden.at(name)), tolerance, name);
            }
    }
    REQUIRE(golden.at("loss").elements() == steps);
    // the report names the first step at which the two part
    for (Dim step = 0; step < steps; ++step) {
        const double wanted = golden.at("loss").at(step), got = losses[static_cast<std::size_t>(step)];
        if (!CHECK_ERROR(std::abs(got - wanted), tolerance * std::abs(wanted), fmt::format("loss of step {}", step))) break;
    }
    for (const ValueIndex parameter : network.parameters()) {
        const std::string name = tape.value(parameter).name;
        CHECK_ERROR(relative_error(tape.tensor(parameter), golden.at(name + ".final")), tolerance, name + " at the end");
        if (golden.has("v" + name + ".final"))
            CHECK_ERROR(relative_error(tape.tensor(tape.find("v_" + name)), golden.at("v" + name + ".final")), tolerance, "v" + name);
    }
}

} // namespace

TEST(training_reaches_pytorch) {
    for (const Case& c : cases) {
        const Golden golden = read_golden(c.name);
        auto data = std::make_shared<Dataset>();
        data->name = c.name;
        data->x = data->test_x = golden.at("x");
        data->y = data->test_y = golden.at("y");
        data->classes = golden.at("y").dtype() == DType::i32 ? static_cast<int>(*parse_integer(golden.metadata.at("layers").substr(golden.metadata.at("layers").rfind(',') + 1))) : 2;
        for (const std::string& isa : isa_paths()) {
            const Row row(fmt::format("{} {}", c.name, isa));
            check_training(golden, data, isa, c.trained);
        }
    }
}

TEST(training_on_fashion_mnist_reaches_pytorch) {
    DataStore store;
    std::shared_ptr<const Dataset> data;
    try {
        data = store.get("fashion-mnist", 1);
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    // the files whose SHA-256 the golden's metadata names
    REQUIRE(hash_hex(data->hash) == "d7958cdc7c524163", "these Fashion-MNIST files are not those the golden was made from");
    check_training(read_golden("mlp_fashion_fp64"), data, "", 1e-9);
}

TEST(first_step_reaches_pytorch) {
    for (const Case& c : cases)
        for (const std::string& isa : isa_paths()) {
            const Row row(fmt::format("{} {}", c.name, isa));
            const Golden golden = read_golden(c.name);
            const mlp::Settings s = settings_from(golden);
            Tape tape(cpu(isa), std::make_shared<BufferPool>());
            const Tensor index = golden.at("index").rows(0, 1);
            std::vector<double> x_rows, y_rows;
            std::vector<std::int32_t> labels;
            const Tensor x = golden.at("x"), y = golden.at("y");
            for (Dim i = 0; i < s.batch; ++i) {
                const auto from = static_cast<Dim>(index.at(i));
                for (Dim j = 0; j < s.layers[0]; ++j) x_rows.push_back(x.at(from, j));
                if (y.dtype() == DType::i32) labels.push_back(static_cast<std::int32_t>(y.at(from)));
                else y_rows.push_back(y.at(from, 0));
            }
            const ValueIndex input = tape.input("x", tensor_of(shape_of({s.batch, s.layers[0]}), x_rows, s.dtype), Role::data, true);
            const ValueIndex target = tape.input("y", labels.empty() ? tensor_of(shape_of({s.batch, 1}), y_rows, s.dtype)
                                                                     : Tensor::from<std::int32_t>(tape.pool(), shape_of({s.batch}), labels), Role::data);
            ValueIndex a = input;
            const Op& activation = s.activation == "tanh" ? ops::tanh() : s.activation == "gelu" ? ops::gelu() : s.activation == "sigmoid" ? ops::sigmoid() : ops::relu();
            for (int layer = 1; layer <= static_cast<int>(s.products()); ++layer) {
                const auto parameter = [&](const char* letter) {
                    const std::string name = letter + std::to_string(layer);
                    return tape.input(name, golden.at(name + ".init"), Role::parameter, true);
                };
                const ValueIndex w = parameter("W"), b = parameter("b");
                a = apply_linear(tape, a, w, b, layer).output;
                if (layer < static_cast<int>(s.products()))
                    a = tape.node(tape.apply(activation, Phase::forward, "m", {a}, {"a" + std::to_string(layer)})).outputs[0];
            }
            const Op& loss = s.loss == mlp::Loss::mse ? ops::mean_squared_error() : s.loss == mlp::Loss::bce ? ops::binary_cross_entropy() : ops::softmax_cross_entropy();
            const auto names = s.loss == mlp::Loss::mse ? std::vector<std::string>{"loss"} : std::vector<std::string>{"p", "loss"};
            const ValueIndex end = tape.node(tape.apply(loss, Phase::forward, "loss", {a, target}, names)).outputs.back();
            tape.backward(end);
            for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
            int compared = 0;
            for (const auto& [key, wanted] : golden.tensors) {
                if (!key.ends_with(".step0")) continue;
                const std::string name = key.substr(0, key.size() - 6);
                const ValueIndex value = name[0] == 'd' ? tape.value(tape.find(name.substr(1))).gradient : tape.find(name);
                REQUIRE(value != no_value, name);
                CHECK_ERROR(relative_error(tape.tensor(value), wanted), c.step0, name);
                ++compared;
            }
            CHECK(compared >= 9, std::to_string(compared));
            CHECK_ERROR(std::abs(tape.scalar(end) - golden.at("loss").at(0)), c.step0 * std::abs(golden.at("loss").at(0)), "loss");
        }
}
