#pragma once

#include "lessons/experiments/run_kernel/launches.hpp"

namespace gradus::kernels {

/// A rung's launches as a process: an iteration runs all of them once.
class KernelProcess : public Process {
public:
    /// Throws ArgumentError for parameters that do not fit each other or the kernel. `patience`: for one run of its launches.
    explicit KernelProcess(const Setup& setup, std::chrono::milliseconds patience = simt::KernelRequest{}.at_most)
        : launches_(read_settings(setup, patience), setup.seed, setup.stop, setup.evaluating) {}

    std::vector<SeriesInfo> series() const override { return RungLaunches::series(); }
    void describe(Manifest& manifest) const override { describe_interpreter(manifest); }
    /// Runs the first iteration, whose counts are what its kernels cost.
    void begin(RunWriter& writer, bool setup) override;
    void iterate(RunWriter& writer, StepIndex iteration, bool observe) override;
    void replay(StepIndex iteration) override { launches_.run(iteration); }
    void finish(RunWriter&, const std::stop_token&) override {}
    std::shared_ptr<const Checkpoint> checkpoint(StepIndex next) const override;
    void restore(const Checkpoint&) override {}
    void apply(const Edit& edit, StepIndex iteration) override;
    bool not_finite() const override { return launches_.not_finite(); }
    double gradient_norm() const override { return 0; }

    const simt::KernelRun& run(StepIndex iteration) { return launches_.run(iteration); }

private:
    RungLaunches launches_;
    std::int32_t iteration_site_ = 0;
};

} // namespace gradus::kernels
