#pragma once

#include "engine/trace/derive/site_times.hpp"
#include "engine/trace/derive/step_plan.hpp"
#include "views/state/look.hpp"

#include <map>
#include <memory>

namespace gradus {

/// How wide the events of each iteration are drawn: by their measured times, or by what they cost. A cache; what it
/// holds follows from the Look.
class StepWidths {
public:
    enum class Kind : std::uint8_t {
        measured, ///< times of that very iteration
        typical,  ///< median shares of the observed iterations
        counted,  ///< FLOPs or bytes, the same in every iteration
        unknown   ///< nothing was observed yet: equal parts
    };
    struct Phases {
        Kind kind = Kind::unknown;
        std::vector<Extent> extents; ///< one for each of plan().phases()
        std::vector<double> seconds; ///< measured; empty for other kinds
    };

    /// Takes in what the Run has grown by. True if widths may have changed.
    bool look(const Look& look);
    const StepPlan& plan() const { return plan_; }
    const SiteTimes& times() const { return times_; }
    const Phases& phases(StepIndex iteration);
    /// Inside a phase all events are as wide as the others: how long they are is what a prediction asks for.
    void setEven(bool even) { even_ = even; }
    /// Of all events of an iteration, by ordinal; of the cursor's from the re-computation where it was not observed.
    std::vector<Extent> extents(StepIndex iteration);

private:
    std::vector<double> measured(const Run& run, StepIndex iteration) const;
    std::vector<double> typical() const;
    Phases phases_by(const std::vector<double>& weight, Kind kind) const;

    std::shared_ptr<const Run> run_, full_;
    StepIndex cursor_ = -1;
    Ruler ruler_ = Ruler::none;
    StepPlan plan_;
    StepIndex plan_of_ = -1;
    std::size_t sites_ = 0;
    bool varies_ = false; ///< its launches may be other ones in each iteration
    SiteTimes times_;
    bool even_ = false;
    std::size_t typical_of_ = 0; ///< iterations the medians were taken from
    std::vector<double> typical_weight_;
    std::map<StepIndex, Phases> measured_; ///< empty extents: not observed
    Phases other_;                         ///< for every iteration that was not
};

} // namespace gradus
