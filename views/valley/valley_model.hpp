#pragma once

#include "engine/trace/derive/objective_curve.hpp"
#include "views/derive/step_reach.hpp"
#include "views/state/look.hpp"
#include "views/state/veil.hpp"

#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace gradus {

/// The parameters of an objective as its Run names them: as series ("w1"), as tensors with an element (w, 0).
struct ValleyNames {
    std::vector<std::string> series;
    std::vector<std::pair<std::string, Dim>> tensors;
    static ValleyNames of(ObjectiveConstants::Kind kind);
};

/// Where an update left from: the parameters (the second unused on a parabola) and f there.
struct ValleyPlace {
    StepIndex iteration = -1;
    std::array<double, 2> w{0, 0};
    double f = 0;
    bool operator==(const ValleyPlace&) const = default;
};

/// The walk of a Run as far as the cursor.
struct ValleyWalk {
    std::optional<ValleyPlace> here;                 ///< none while nothing is computed, or while a prediction hides it
    std::optional<std::array<double, 2>> slope;      ///< ∂w; none where one stands before it
    std::optional<std::array<double, 2>> next;       ///< where the update leads; none where one stands before it
    bool valued = true;                              ///< f is computed where one stands
    bool covered = false;                            ///< a prediction hides where the point is
    std::vector<ValleyPlace> trail;                  ///< up to `here`, the latest of them
    std::vector<ValleyPlace> left;                   ///< the same steps of the Run that a branch left, from the fork on
    double first_slope = 0;                          ///< ‖∂w‖ at the walk's start
    bool operator==(const ValleyWalk&) const = default;
};

constexpr StepIndex longest_trail = 240; ///< steps: what is older has left the eye

/// Reads series and, of the step itself, tensors; nothing is computed. Steps from veil.from on are left out where the veil
/// hides one of the parameters or the loss.
ValleyWalk valley_walk(const Look& look, const ValleyNames& names, const StepReach& reach, const Veil& veil);

/// How far the parameters are from 0 where the walk starts, and where each of its forks does: what a picture must hold.
/// A walk that grows does not change it.
double valley_reach(const Run& run, const ValleyNames& names);

/// The parameters at each of these starts.
std::vector<std::array<double, 2>> valley_starts(const Run& run, const ValleyNames& names);

} // namespace gradus
