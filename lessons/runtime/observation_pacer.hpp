#pragma once

#include "engine/core/clock.hpp"

#include <algorithm>

namespace gradus {

/// Says when training that plays flat out may record another iteration in full for readers that ask at every
/// frame. Recording copies nothing, but the kept buffers leave the cache and the next iteration writes into cold
/// ones; the pacer measures what that costs,
///
///     cost = (observed iteration + the one after it) - 2 · (usual iteration),
///
/// and spaces observations so that the cost stays at `share` of the time trained, at most `longest` apart. Single
/// measurements scatter by more than the cost itself, hence the slow mean and its floor of half an iteration.
class ObservationPacer {
public:
    static constexpr double share = 0.006;    ///< of training time that observing may take
    static constexpr double longest = 1.0;    ///< seconds between two observations that are asked for
    static constexpr double smoothing = 0.05; ///< weight of the newest measurement

    /// `seconds_per_tick` of the ticks that follow.
    explicit ObservationPacer(double seconds_per_tick) : seconds_per_tick_(seconds_per_tick) {}

    /// Training resumes after a pause: the next iteration may be observed.
    void resume() {
        due_ = 0;
        after_ = false;
    }

    bool due(Ticks now) const { return now >= due_; }

    /// An iteration ran from `start` until `end`.
    void ran(bool observed, Ticks start, Ticks end) {
        const double took = seconds_per_tick_ * static_cast<double>(end - start);
        if (observed) {
            took_observed_ = took;
            after_ = true;
            due_ = end + static_cast<Ticks>(pause() / seconds_per_tick_);
            return;
        }
        if (after_) {
            after_ = false;
            if (usual_ > 0) blend(cost_, took_observed_ + took - 2 * usual_);
            return;
        }
        blend(usual_, took);
    }

    /// Seconds from one observation to the next.
    double pause() const {
        if (usual_ == 0) return 4 * took_observed_; // until a usual iteration has been seen
        return std::min(std::max(cost_, usual_ / 2) / share, longest);
    }

private:
    static void blend(double& mean, double value) { mean = mean == 0 ? value : mean + smoothing * (value - mean); }

    double seconds_per_tick_;
    double usual_ = 0, cost_ = 0, took_observed_ = 0; // seconds
    bool after_ = false;                              // the iteration before this one was observed
    Ticks due_ = 0;
};

} // namespace gradus
