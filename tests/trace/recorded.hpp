#pragma once

#include "lessons/experiments/train_mlp/process.hpp"
#include "lessons/experiments/train_mlp/train_mlp.hpp"

namespace gradus::test {

/// A small training run written without a session: the test decides what is observed, kept and edited.
struct Recording {
    Setup setup;
    std::unique_ptr<mlp::TrainProcess> process;
    std::shared_ptr<Run> run;
    std::unique_ptr<RunWriter> writer;

    explicit Recording(const Parameters& given, StepIndex steps = 1000, RunBudget budget = {}) {
        setup.parameters = train_mlp().complete(given);
        setup.steps = steps;
        setup.device.threads = 1;
        setup.data = std::make_shared<DataStore>();
        process = std::make_unique<mlp::TrainProcess>(setup);
        start(nullptr, 0, budget);
    }
    /// A new Run from where the process stands.
    void start(std::shared_ptr<const Run> parent, StepIndex iteration, RunBudget budget = {}) {
        Manifest manifest;
        manifest.fork_iteration = iteration;
        process->describe(manifest);
        const bool first = !parent;
        run = std::make_shared<Run>(manifest, process->series(), std::move(parent), budget);
        writer = std::make_unique<RunWriter>(run);
        process->begin(*writer, first);
    }
    void iterate(bool observe) { process->iterate(*writer, run->head(), observe); }
    void edit(const std::string& text) {
        const Edit change = Edit::parse(text);
        process->apply(change, run->head());
        writer->log_edit(change, run->head());
    }
};

} // namespace gradus::test
