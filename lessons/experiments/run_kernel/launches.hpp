#pragma once

#include "engine/trace/derive/level_traffic.hpp"
#include "lessons/experiments/run_kernel/settings.hpp"

#include <optional>

namespace gradus::kernels {

/// All launches of a rung, run lane by lane in the interpreter, and how they stand in a Run.
///
/// Events: a kernel for each launch, and below it, in the iteration's IterationTensors::kernels, what was recorded.
class RungLaunches {
public:
    /// Throws ArgumentError for settings that do not fit the kernel.
    /// `evaluating`: told of the blocks that are run; null: nobody asks.
    RungLaunches(Settings settings, std::uint64_t seed, std::stop_token stop, std::shared_ptr<Evaluating> evaluating = {});

    const Settings& settings() const { return settings_; }
    const simt::PreparedRun& prepared() const { return prepared_; }

    /// What an iteration came to, of the last one that was asked for: all launches once; where a schedule is given, each iteration with the
    /// next. Throws UnavailableError where it did not come to an end, Interrupted where a stop was requested before it did.
    const simt::KernelRun& run(StepIndex iteration);

    /// The events of iteration -1: what the buffers hold at first.
    void write_setup(RunWriter& writer) const;
    /// Of what has been run: what all launches cost, and the bytes that cross each level.
    Cost cost() const;
    LevelTraffic traffic() const;
    /// Writes down the events of the launches, which have been run, once for a Run; gives the number of the first.
    std::int32_t add_sites(RunWriter& writer);
    /// They were written down before.
    void use_sites(std::int32_t first) { first_site_ = first; }
    /// Events and tensors of an iteration that began at `start`; within begin_iteration() and end_iteration(), after add_sites().
    void observe(RunWriter& writer, StepIndex iteration, std::int32_t iteration_site, Ticks start);
    static std::vector<SeriesInfo> series();
    /// The values of series(), which come first in the Run.
    void push_counts(RunWriter& writer, StepIndex iteration);
    bool not_finite() const;

private:
    EventSite launch_site(std::size_t launch) const;
    std::int32_t ordinal_of(std::size_t launch) const;
    bool leaves(std::size_t launch, const KernelBuffer& buffer) const;
    Tensor tensor_of(const KernelBuffer& buffer, const std::byte* bytes);
    std::shared_ptr<IterationTensors> kept(StepIndex iteration);
    void write_events(RunWriter& writer, std::int32_t iteration_site, Ticks start) const;

    Settings settings_;
    std::stop_token stop_;
    std::shared_ptr<Evaluating> evaluating_;
    simt::PreparedRun prepared_;
    std::vector<std::size_t> inputs_; ///< numbers of the buffers that something stands in at first: setup's events, in this order
    std::vector<Tensor> input_tensors_;
    std::shared_ptr<BufferPool> pool_ = std::make_shared<BufferPool>();
    std::optional<simt::KernelRun> last_;
    StepIndex last_iteration_ = -1;
    std::int32_t first_site_ = 0;
};

/// The error of the output that errs most beside what it is allowed, as a share of the reference's norm; not a number where one is none, or
/// where not all of it ran.
double max_error(const simt::KernelRun& run);

/// The site of a launch that is planned, with what its plan says of it.
EventSite planned_launch(const std::string& rung, const KernelStep& step);

/// What a manifest says of a process that runs kernels lane by lane.
void describe_interpreter(Manifest& manifest);
/// The site of the iteration's own event, which all launches lie in.
EventSite iteration_site(const Cost& cost);

} // namespace gradus::kernels
