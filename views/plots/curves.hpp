#pragma once

#include "views/plots/extrema.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gradus {

/// Where the steps of a Run are the points of an axis of its own, a step is at first + step · iteration on it.
struct Abscissa {
    double first = 0, step = 1;
};

/// None if the Run has no such series, or does not walk along it evenly from its first step to its last.
std::optional<Abscissa> abscissa_of(const Run& run);

/// One branch's part of a series, ready to be drawn.
struct Curve {
    std::size_t run = 0;
    bool selected = false; ///< drawn thick; the others thin
    bool sparse = false;   ///< drawn as dots
    std::size_t name = 0;  ///< which of the series
    Role role = Role::metric; ///< what its numbers are
    std::vector<SeriesPoint> points;
    std::vector<SeriesPoint> means; ///< of parts of it, where the points are too dense to be told apart; else none
};

/// The cursor on the curve of the selected run.
struct CurveCursor {
    StepIndex iteration = -1;
    std::optional<double> value; ///< none where the series has no value of its own there
    std::size_t name = 0;        ///< which of the series
    bool later = false;          ///< where one stands in the step, the value is still to come
};

struct CurveSet {
    std::vector<Curve> curves;
    CurveCursor cursor;
    StepIndex planned = 0;
    double least = 0, greatest = 1; ///< of all finite values
    bool log = false;               ///< the data spans decades
    StepIndex mean_of = 0;          ///< so many steps are behind each of the means; 0: there are none
    bool complete = true;           ///< false: more is to be read in the next frame
};

/// A run's curve without what the selected one's has in the very same places: two dashed lines would fill each other's gaps. Points
/// where it parts from that one stay; what is left out between others is a gap.
Curve apart_from_selected(Curve curve, const CurveSet& set);

/// Keeps what has been seen of every branch's series between frames, so that a frame looks at new values only.
class CurveBook {
public:
    /// `may_log`: values that span decades are set out on a logarithmic axis.
    explicit CurveBook(std::vector<std::string> series, bool may_log = true) : names_(std::move(series)), may_log_(may_log) {}
    /// The last `scratch` runs widen the range of values only a little, so that the axis holds still while they change. The
    /// points are those of iterations [from, until), and nothing beyond has any influence on what comes out.
    CurveSet look(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex cursor, int columns,
                  std::size_t scratch = 0, StepIndex from = 0, StepIndex until = std::numeric_limits<StepIndex>::max());

private:
    struct Known {
        Extrema extrema;
        Extrema::Passed columns, means;
    };
    struct Entry {
        std::shared_ptr<const Run> run;
        std::vector<Known> series; ///< by name
    };
    std::vector<std::string> names_; ///< the cursor stands on the first that a Run has
    bool may_log_;
    std::vector<Entry> entries_;
};

} // namespace gradus
