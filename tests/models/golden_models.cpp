// Whole nets trained from the same weights on the same batches as by PyTorch (tests/golden/model_*): losses of every step, final
// parameters, and in mixed precision the same scale and the same skipped steps.
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/text.hpp"
#include "tests/models/models.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace gradus;
using namespace gradus::test;

namespace {

/// ‖a − b‖₂ ⁄ ‖b‖₂ of losses and final tensors. Mixed precision is compared by its decisions; its numbers only to see that it is
/// the same training: a rounding of 2^-11 or 2^-8 in each op, in another order of summation.
struct Bounds {
    double numbers, zero; ///< zero: of a gradient that is 0 by construction, against that of the weight beside it
};
Bounds bounds_of(const RunSettings& settings) {
    if (settings.low) return {*settings.low == DType::f16 ? 2e-2 : 1e-1, 1};
    return settings.dtype == DType::f64 ? Bounds{1e-9, 1e-12} : Bounds{1e-4, 1e-4};
}

/// What the file keeps of a tensor: all, or every seventh element.
Tensor kept(const Tensor& tensor) {
    std::vector<double> values;
    for (Dim i = 0; i < tensor.elements(); i += tensor.elements() > 512 ? 7 : 1) values.push_back(tensor.at(i));
    return tensor_of(shape_of({static_cast<Dim>(values.size())}), values);
}

double norm_of(const Tensor& tensor) {
    double sum = 0;
    for (Dim i = 0; i < tensor.elements(); ++i) sum += tensor.at(i) * tensor.at(i);
    return std::sqrt(sum);
}

/// Fashion-MNIST where the machine has it; none for a net that needs none.
std::shared_ptr<const Dataset> data_for(const std::string& model) {
    if (model == "gpt") return nullptr;
    static DataStore store;
    std::shared_ptr<const Dataset> data;
    try {
        data = store.get("fashion-mnist", 1);
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    REQUIRE(hash_hex(data->hash) == "d7958cdc7c524163", "these Fashion-MNIST files are not those the golden was made from");
    return data;
}

struct Worst {
    double loss = 0, tensor = 0, zero = 0;
    void take(double& worst, double error) { worst = error > worst || std::isnan(error) ? error : worst; }
};

void check_zero_gradients(const GoldenTraining& training, double bound, Worst& worst) {
    const Tape& tape = training.tape();
    for (const ValueIndex parameter : training.parameters()) {
        const std::string& name = tape.value(parameter).name;
        if (!zero_by_construction(name)) continue;
        const ValueIndex weight = tape.find(name.substr(0, name.rfind('.')) + ".weight");
        const double size = norm_of(tape.tensor(tape.value(parameter).gradient)),
                     beside = norm_of(tape.tensor(tape.value(weight).gradient));
        CHECK_ERROR(size, bound * beside, "the gradient of " + name);
        worst.take(worst.zero, size / beside);
    }
}

void check_run(const Golden& golden, const std::string& run, const std::string& isa, int threads) {
    const Row row(fmt::format("{} {} {}", golden.metadata.at("case"), run, isa));
    const RunSettings settings = run_settings(run);
    const Bounds bounds = bounds_of(settings);
    GoldenTraining training(golden, settings, cpu(isa, threads), data_for(golden.metadata.at("case").substr(6)));
    const Tensor& losses = golden.at(run + ".loss");
    const auto first = golden.metadata.find(run + ".first");
    const Dim offset = first == golden.metadata.end() ? 0 : *parse_integer(first->second);
    Worst worst;
    for (Dim step = 0; step < losses.elements(); ++step) { // the report names the first step at which the two part
        if (settings.low) {
            const double scale = training.scale();
            training.step(offset + step);
            if (!CHECK(scale == golden.at(run + ".scale").at(step), fmt::format("step {}: the scale is {}", step, scale))) return;
            if (!CHECK(training.skipped() == (golden.at(run + ".skipped").at(step) != 0),
                       fmt::format("step {}: skipped or not", step)))
                return;
        } else {
            training.step(offset + step);
            check_zero_gradients(training, bounds.zero, worst);
        }
        const double wanted = losses.at(step), error = std::abs(training.loss() - wanted);
        worst.take(worst.loss, error / std::abs(wanted));
        if (!CHECK_ERROR(error, bounds.numbers * std::abs(wanted), fmt::format("loss of step {}", step))) return;
    }
    const Tape& tape = training.tape();
    std::size_t compared = 0;
    const auto compare = [&](const std::string& name) {
        const double error = relative_error(kept(tape.tensor(tape.find(name))), golden.at(run + "." + name + ".final"));
        worst.take(worst.tensor, error);
        CHECK_ERROR(error, bounds.numbers, name);
        ++compared;
    };
    const auto order = split(golden.metadata.at("parameters"), ' ');
    CHECK_EQUAL(training.parameters().size(), order.size());
    for (const ValueIndex parameter : training.parameters()) {
        const std::string& name = tape.value(parameter).name;
        const auto place = std::find(order.begin(), order.end(), name);
        REQUIRE(place != order.end(), name);
        const double norm = golden.at(run + ".norms").at(place - order.begin());
        if (zero_by_construction(name)) continue;
        compare(name);
        CHECK_ERROR(std::abs(norm_of(tape.tensor(parameter)) - norm), bounds.numbers * norm, "the norm of " + name);
    }
    // A running mean has in it what Adam makes of the rounding noise in the gradient of the bias before the norm.
    const bool noisy = settings.optimizer.kind == Optimizer::Kind::adam || settings.optimizer.kind == Optimizer::Kind::adamw;
    for (const Value& value : tape.values())
        if (value.name.ends_with("running_var") || (value.name.ends_with("running_mean") && !noisy)) compare(value.name);
    CHECK(compared >= 6, std::to_string(compared));
    if (std::getenv("GRADUS_SHOW_ERRORS"))
        fmt::print("{} {} {}: loss {:.2g}, final tensors {:.2g}, zero gradients {:.2g}\n", golden.metadata.at("case"), run, isa,
                   worst.loss, worst.tensor, worst.zero);
}

void check_runs(const std::string& model, bool low, const std::vector<std::string>& paths) {
    const Golden golden = read_golden("model_" + model);
    std::size_t runs = 0;
    for (const std::string_view run : split(golden.metadata.at("runs"), ' ')) {
        if (run_settings(std::string(run)).low.has_value() != low) continue;
        for (const std::string& isa : paths) check_run(golden, std::string(run), isa, 2);
        ++runs;
    }
    CHECK(runs >= (low ? 2 : 6), std::to_string(runs));
}

const std::vector<std::string> best{""};

} // namespace

TEST(mlp_reaches_pytorch) { check_runs("mlp", false, best); }
TEST(cnn_reaches_pytorch) { check_runs("cnn", false, best); }
TEST(gpt_reaches_pytorch) { check_runs("gpt", false, best); }
TEST(mixed_precision_skips_the_steps_that_pytorch_skips) {
    for (const char* model : {"mlp", "cnn", "gpt"}) check_runs(model, true, best);
}

SLOW_TEST(whole_models_reach_pytorch_on_every_path) {
    for (const char* model : {"mlp", "cnn", "gpt"})
        for (const bool low : {false, true}) check_runs(model, low, isa_paths());
}
