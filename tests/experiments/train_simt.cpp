// train_mlp on the simt device, our CUDA kernels run on the CPU: the cpu's bits where every rung is marked exact, close to them elsewhere,
// the same for any number of threads; and Fashion-MNIST trains on it.
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/simt/kernel_run.hpp"
#include "lessons/experiments/train_mlp/process.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"
#include "tests/support/slowed.hpp"
#include "tests/support/tensors.hpp"

#include <bit>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

std::shared_ptr<DataStore> store() {
    static const auto shared = std::make_shared<DataStore>();
    return shared;
}

Setup simt_setup(const Parameters& parameters, const std::string& device, StepIndex steps, int threads = 1) {
    try {
        const Device simt({"simt", "", 1});
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    Setup setup = setup_of("train_mlp", parameters, steps);
    setup.device.device = device;
    setup.device.threads = threads;
    setup.data = store();
    return setup;
}

Setup fashion_setup(const Parameters& parameters, StepIndex steps) {
    try {
        store()->get("fashion-mnist", 1);
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    return simt_setup(parameters, "simt", steps, 2);
}

struct Trained {
    std::vector<double> losses;
    std::vector<Tensor> state; ///< parameters and what the optimizer keeps
    std::set<std::string> kernels;
};

Trained trained(const Setup& setup, StepIndex steps) {
    mlp::TrainProcess process(setup);
    Trained out;
    for (StepIndex i = 0; i < steps; ++i) {
        process.replay(i);
        out.losses.push_back(process.network().loss());
    }
    const auto checkpoint = process.checkpoint(steps);
    for (const auto& [name, tensor] : checkpoint->tensors) out.state.push_back(tensor);
    for (const Node& node : process.network().tape().nodes()) out.kernels.insert(node.implementation);
    return out;
}

bool fused() { return isa_paths().back() != "baseline"; }

const Parameters& net_of_exact_ops() {
    static const Parameters parameters{{"data", "spirals"}, {"layers", "2,32,16,2"}, {"batch", "48"}, {"loss", "mse"}, {"lr", "0.1"}};
    return parameters;
}

Parameters with(Parameters parameters, const Parameters& more) {
    for (const auto& [name, value] : more) parameters[name] = value;
    return parameters;
}

} // namespace

TEST(exact_ops_train_on_simt_to_the_bits_of_the_cpu) {
    const Parameters rows[] = {
        {},
        {{"optimizer", "momentum"}},
        {{"batch", "0"}},
        {{"data", "xor"}, {"layers", "2,5,1"}, {"batch", "0"}},
        {{"omit", "zero_grad"}},
        {{"activation", "step"}},
    };
    for (const Parameters& row : rows) {
        std::string text;
        for (const auto& [name, value] : row) text += name + "=" + value + " ";
        const Row named(text);
        const Parameters parameters = with(net_of_exact_ops(), row);
        const Trained here = trained(simt_setup(parameters, "simt", 20), 20), there = trained(simt_setup(parameters, "cpu", 20), 20);
        if (!fused()) skip("no path of this processor has fused multiply-adds");
        CHECK(here.losses == there.losses);
        REQUIRE(here.state.size() == there.state.size());
        for (std::size_t i = 0; i < here.state.size(); ++i) CHECK(same_bits(here.state[i], there.state[i]), fmt::format("state {}", i));
        CHECK(here.losses.back() < here.losses.front() || parameters.at("activation") == "step");
        for (const std::string& kernel : here.kernels) CHECK(simt::find_rung(kernel).second->exact, kernel);
        const Trained two = trained(simt_setup(parameters, "simt", 20, 2), 20);
        for (std::size_t i = 0; i < here.state.size(); ++i)
            CHECK(same_bits(here.state[i], two.state[i]), fmt::format("state {} with 2 threads", i));
    }
}

// Twenty steps hand on what a step is off by; no parameter of these nets is off by more than ten times the largest bound.
TEST(other_ops_train_on_simt_close_to_the_cpu) {
    for (const char* activation : {"relu", "tanh", "sigmoid", "gelu", "silu"})
        for (const char* loss : {"softmax", "bce"}) {
            const Row named(fmt::format("{} {}", activation, loss));
            const bool binary = std::string(loss) == "bce";
            const Parameters parameters =
                with(net_of_exact_ops(), {{"activation", activation}, {"loss", loss}, {"layers", binary ? "2,16,1" : "2,16,2"}});
            const Trained here = trained(simt_setup(parameters, "simt", 20, 2), 20), there = trained(simt_setup(parameters, "cpu", 20), 20);
            REQUIRE(here.state.size() == there.state.size());
            for (std::size_t i = 0; i < here.state.size(); ++i)
                CHECK_ERROR(relative_error(here.state[i], there.state[i]), 1e-5, fmt::format("state {}", i));
        }
}

TEST(the_rung_of_the_product_is_a_parameter) {
    const Parameters& parameters = net_of_exact_ops();
    const Trained usual = trained(simt_setup(parameters, "simt", 5), 5);
    for (const char* rung : {"naive", "shared"}) {
        const Row named(rung);
        const Trained other = trained(simt_setup(with(parameters, {{"matmul_rung", rung}}), "simt", 5), 5);
        for (std::size_t i = 0; i < usual.state.size(); ++i) CHECK(same_bits(usual.state[i], other.state[i]));
        const std::string number = std::string(rung) == "naive" ? "1_" : "3_";
        CHECK(other.kernels.contains("matmul/" + number + rung) && !usual.kernels.contains("matmul/" + number + rung));
    }
    CHECK_THROWS(trained(simt_setup(with(parameters, {{"matmul_rung", "naive"}}), "cpu", 5), 1), UnavailableError, "matmul/1_naive", "cpu",
                 "simt");
    CHECK_THROWS(simt_setup(with(parameters, {{"matmul_rung", "magic"}}), "simt", 5), ArgumentError, "matmul_rung", "naive");
}

TEST(simt_refuses_what_no_kernel_computes) {
    CHECK_THROWS(trained(simt_setup(with(net_of_exact_ops(), {{"dtype", "fp64"}}), "simt", 5), 1), UnavailableError,
                 "the simt device has no kernel for", "fp64", "there is one on cpu");
}

TEST(events_of_a_run_on_simt_name_rungs) {
    RunRequest request = request_of(net_of_exact_ops(), 4, 1, 2);
    simt_setup(net_of_exact_ops(), "simt", 4); // skips where there is no compiler
    request.device.device = "simt";
    Session session(request, store());
    session.play();
    settle(session);
    const auto run = session.run(0);
    CHECK_EQUAL(run->manifest().device, "simt");
    std::set<std::string> names;
    for (std::size_t i = 0; i < run->sites().size(); ++i)
        if (const std::string& name = run->sites()[i].implementation; !name.empty()) names.insert(name);
    CHECK(names.contains("matmul/6_vectorised") && names.contains("matmul_tn/3_tile_2d") && names.contains("sgd/2_vectorised"),
          fmt::format("{} names", names.size()));
    for (const std::string& name : names) CHECK(!simt::find_rung(name).second->title.empty());
    const Recomputed again = recomputed(*run);
    CHECK(again.losses == losses(*run) && again.state == final_state(*run));
}

TEST(fashion_mnist_begins_to_train_on_simt) {
    const Setup setup = fashion_setup({{"layers", "784,32,10"}, {"batch", "32"}, {"lr", "0.1"}}, 1000);
    const Trained net = trained(setup, 40);
    CHECK(net.losses.front() > 2.0 && net.losses.back() < 1.5, fmt::format("from {} to {}", net.losses.front(), net.losses.back()));
}

SLOW_TEST(fashion_mnist_trains_on_simt) {
    if (slowed > 1) skip("what a net learns is for the program as it is shipped to say; a sanitizer sees its steps in the everyday tests");
    for (const char* optimizer : {"sgd", "momentum"}) {
        const Row named(optimizer);
        const Setup setup = fashion_setup(
            {{"layers", "784,256,10"}, {"batch", "64"}, {"lr", std::string(optimizer) == "sgd" ? "0.1" : "0.02"}, {"optimizer", optimizer}},
            1000);
        mlp::TrainProcess process(setup);
        for (StepIndex i = 0; i < 600; ++i) process.replay(i);
        const double accuracy = mlp::Network::test_accuracy(process.network(), std::make_shared<Device>(setup.device));
        CHECK(accuracy >= 0.80, fmt::format("{} of the test images", accuracy));
    }
}
