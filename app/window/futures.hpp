#pragma once

#include "lessons/runtime/scratch_runs.hpp"
#include "views/state/fan.hpp"

#include <QElapsedTimer>
#include <memory>
#include <optional>

namespace gradus {

class Session;

/// What nobody has decided on yet: the scratch fork that shows a change while it is dragged, and the fan of learning
/// rates. Looked at once per frame; never waits.
class Futures {
public:
    static constexpr int fan_size = 17;    ///< sixteen other rates, and in their middle the present one to compare them with
    static constexpr double fan_reach = 4; ///< the fan goes from 1/4 to 4 times the rate

    explicit Futures(const Session& session);

    /// Where a change would leave the Run now.
    struct Place {
        std::shared_ptr<const Run> run;
        std::size_t number = 0; ///< of the Run
        StepIndex iteration = 0;
    };

    /// Shows what this edit would do. Of several in a row the newest counts.
    void preview(const Edit& edit);
    /// Shows the same iteration of a Run that begins so.
    void previewAnew(Setup setup, StepIndex until);
    void openFan(const Place& place, double rate);
    void choose(int future);
    /// It was decided on: what is shown stays until the session's own fork is there, for a short while at most.
    void hold();
    void drop();

    bool open() const { return mode_ != Mode::none; }
    /// As far as a change made before this iteration is looked at, whether it is dragged or typed.
    StepIndex seenUntil(StepIndex iteration) const { return iteration + horizon(10, iteration); }
    /// Somebody has a hand on it: a change is dragged, or the fan is open.
    bool held() const { return mode_ == Mode::preview || mode_ == Mode::fan; }
    const Fan* fan() const { return mode_ == Mode::fan ? &fan_ : nullptr; }
    /// Looks at what has been computed and asks for what is wanted. `still`: the session is not moving.
    void look(const Place& place, bool still);

    /// The fork that every view shows as the selected Run; null: none.
    const std::shared_ptr<const Run>& shown() const { return shown_; }
    /// The iteration of it to look at: the first that is its own, or, where the change acts on updates only, the last.
    StepIndex cursor() const { return cursor_; }

private:
    enum class Mode : std::uint8_t { none, preview, decided, fan };
    void show(const ScratchRun& scratch);
    void lookAtFan();
    StepIndex horizon(StepIndex share, StepIndex iteration) const;

    const StepIndex planned_;
    ScratchRuns scratch_;
    Mode mode_ = Mode::none;
    std::optional<Edit> wanted_; ///< not yet asked for
    std::optional<Setup> wanted_anew_; ///< the same of a whole Run
    Edit asked_;
    StepIndex anew_until_ = 0;
    bool asked_anew_ = false;
    StepIndex asked_at_ = 0;
    QElapsedTimer since_; ///< since it was asked for, or since it was decided on
    Fan fan_;
    std::shared_ptr<const Run> shown_;
    StepIndex cursor_ = 0;
};

/// The rates of a fan: `count` of them from 1/reach to reach times `rate`, evenly spaced on a log scale and rounded to
/// three digits, so that what is chosen is what is logged. Of an odd number the middle one is `rate` itself.
std::vector<double> fan_rates(double rate, int count, double reach);

} // namespace gradus
