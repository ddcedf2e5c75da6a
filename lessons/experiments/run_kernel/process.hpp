#pragma once

#include "lessons/experiments/run_kernel/settings.hpp"

#include <optional>

namespace gradus::kernels {

/// All launches of a rung, run lane by lane in the interpreter. An iteration runs them once; where a schedule is given, each with the next.
///
/// Events: the iteration, a kernel for each launch, and below it, in the iteration's IterationTensors::kernels, what was recorded.
class KernelProcess : public Process {
public:
    /// Throws ArgumentError for parameters that do not fit each other or the kernel.
    explicit KernelProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    void describe(Manifest& manifest) const override;
    /// Runs the first iteration, whose counts are what its kernels cost.
    void begin(RunWriter& writer, bool setup) override;
    void iterate(RunWriter& writer, StepIndex iteration, bool observe) override;
    void replay(StepIndex iteration) override { run(iteration); }
    void finish(RunWriter&, const std::stop_token&) override {}
    std::shared_ptr<const Checkpoint> checkpoint(StepIndex next) const override;
    void restore(const Checkpoint&) override {}
    void apply(const Edit& edit, StepIndex iteration) override;
    bool not_finite() const override;
    double gradient_norm() const override { return 0; }

    /// What an iteration came to, of the last one that was asked for. Throws UnavailableError where it did not come to an end, Interrupted
    /// where a stop was requested before it did.
    const simt::KernelRun& run(StepIndex iteration);

private:
    EventSite launch_site(std::size_t launch) const;
    std::int32_t ordinal_of(std::size_t launch) const;
    Tensor tensor_of(const KernelBuffer& buffer, const std::vector<double>& values);
    std::shared_ptr<IterationTensors> kept(StepIndex iteration);
    void write_events(RunWriter& writer, Ticks start);

    Settings settings_;
    std::stop_token stop_;
    simt::PreparedRun prepared_;
    std::vector<std::size_t> inputs_; ///< numbers of the buffers that something stands in at first: setup's events, in this order
    std::vector<Tensor> input_tensors_;
    std::shared_ptr<BufferPool> pool_ = std::make_shared<BufferPool>();
    std::optional<simt::KernelRun> last_;
    StepIndex last_iteration_ = -1;
    std::int32_t first_site_ = 0;
};

/// The largest error of an output, as a share of the reference's norm; not a number where one is not, or where not all of it ran.
double max_error(const simt::KernelRun& run);

} // namespace gradus::kernels
