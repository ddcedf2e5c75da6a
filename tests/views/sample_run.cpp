#include "tests/views/sample_run.hpp"

#include "lessons/runtime/session.hpp"

namespace gradus::testing {

std::shared_ptr<const Run> sample_run(const std::string& data, const std::string& layers, StepIndex steps) {
    return run_of_experiment("train_mlp", {{"data", data}, {"layers", layers}, {"batch", data == "xor" ? "0" : "32"}}, steps);
}

std::shared_ptr<const Run> run_of_experiment(const std::string& experiment, const Parameters& parameters, StepIndex steps) {
    RunRequest request;
    request.experiment = experiment;
    request.parameters = parameters;
    request.steps = steps;
    request.observe_every = 1;
    request.device.threads = 1;
    Session session(request);
    session.play();
    session.wait();
    return session.run(0);
}

std::unique_ptr<Series> series_of(const std::vector<double>& values) {
    auto series = std::make_unique<Series>(SeriesInfo{"loss", "", Provenance::computed, true}, 0);
    for (std::size_t i = 0; i < values.size(); ++i) series->push(static_cast<StepIndex>(i), values[i]);
    return series;
}

} // namespace gradus::testing
