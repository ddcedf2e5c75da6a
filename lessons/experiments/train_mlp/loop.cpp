// What becomes of training when a line of its loop is left out.
#include "engine/core/error.hpp"
#include "lessons/experiments/train_mlp/answers.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gradus::mlp {

/// The same batch again and again, the weights frozen by a learning rate of 0.
Answer accumulated_norm(const Asked& asked) {
    const std::int64_t passes = asked.integer("passes", "3");
    if (passes < 1 || passes > 1000) throw ArgumentError(fmt::format("accumulated_norm: passes must be 1 to 1000, not {}", passes));
    Setup setup = asked.setup;
    setup.parameters["omit"] = "zero_grad";
    setup.parameters["lr"] = "0";
    TrainProcess process(setup);
    Network& network = process.network();
    network.load_batch(0);
    double one = 0;
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        network.step();
        if (pass == 0) one = network.gradient_norm();
    }
    if (one == 0) throw ArgumentError("accumulated_norm: the gradient of one pass is zero");
    return computed(network.gradient_norm() / one);
}

/// Three trainings, each without one line, judged by the loss on the first batch.
Answer can_omit(const Asked& asked) {
    const std::int64_t first = asked.integer("first", "20");
    if (first < 1 || first > 10'000) throw ArgumentError(fmt::format("can_omit: first must be 1 to 10000, not {}", first));
    std::vector<std::string> names;
    for (const char* line : {"zero_grad", "backward", "step"}) {
        Setup setup = asked.setup;
        setup.parameters["omit"] = line;
        TrainProcess process(setup);
        Network& network = process.network();
        network.load_batch(0);
        const double before = network.forward();
        for (StepIndex step = 0; step < first; ++step) {
            network.load_batch(step);
            network.step();
        }
        network.load_batch(0);
        if (network.forward() < before - 1e-6 * std::abs(before)) names.emplace_back(line);
    }
    if (names.size() == 1) return computed_word(names[0]);
    if (names.empty()) return computed_word("none");
    return {names, "", Provenance::computed};
}

} // namespace gradus::mlp
