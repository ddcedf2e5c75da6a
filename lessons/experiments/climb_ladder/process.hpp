#pragma once

#include "engine/hardware/ceilings.hpp"
#include "lessons/experiments/climb_ladder/settings.hpp"
#include "lessons/experiments/run_kernel/launches.hpp"

#include <set>

namespace gradus::kernels {

/// The rungs of a ladder, one in each iteration, on the same problem and data: counted lane by lane, then timed in this process.
class ClimbProcess : public Process {
public:
    /// Throws ArgumentError for parameters that do not fit each other.
    explicit ClimbProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    void describe(Manifest& manifest) const override { describe_interpreter(manifest); }
    /// Measures what this machine reaches at most, once for the process.
    void begin(RunWriter& writer, bool setup) override;
    void iterate(RunWriter& writer, StepIndex iteration, bool observe) override;
    void replay(StepIndex) override {} // nothing carries over from one iteration to the next
    void finish(RunWriter&, const std::stop_token&) override {}
    std::shared_ptr<const Checkpoint> checkpoint(StepIndex next) const override;
    void restore(const Checkpoint&) override {}
    void apply(const Edit& edit, StepIndex iteration) override;
    bool not_finite() const override { return rung_ && rung_->not_finite(); }
    double gradient_norm() const override { return 0; }

private:
    RungLaunches& rung(StepIndex iteration);

    ClimbSettings settings_;
    std::uint64_t seed_;
    std::stop_token stop_;
    std::shared_ptr<Evaluating> evaluating_;
    std::optional<Ceilings> ceilings_;
    std::optional<RungLaunches> rung_; ///< the last one that was climbed
    StepIndex rung_of_ = -1;
    std::int32_t iteration_site_ = 0;
    std::map<std::string, std::int32_t> first_sites_; ///< of the rungs whose launches the Run knows
};

} // namespace gradus::kernels
