#pragma once

#include "engine/core/clock.hpp"

#include <algorithm>

namespace gradus {

/// Says when training that plays flat out may record another iteration in full for readers that ask at every
/// frame. Recording copies nothing, but the kept buffers leave the cache, and this iteration and the next ones write
/// into cold ones, or into memory that the system has yet to find; the pacer measures what that costs,
///
///     cost = (observed iteration + the two after it) - 3 · (usual iteration),
///
/// and lets cost / `share` seconds pass before the next, at most `longest`: so each observation is paid for by what it
/// took itself, and the sum stays at that share of the time trained however much single ones scatter. A cost counts as
/// half an iteration at least, which is what its measurement scatters by.
class ObservationPacer {
public:
    static constexpr double share = 0.006;    ///< of training time that observing may take
    static constexpr double longest = 1.0;    ///< seconds between two observations that are asked for
    static constexpr double smoothing = 0.05; ///< weight of the newest usual iteration in their mean
    static constexpr double outlier = 2;      ///< times the mean at most: what also evaluates is no usual iteration

    /// `seconds_per_tick` of the ticks that follow.
    explicit ObservationPacer(double seconds_per_tick) : seconds_per_tick_(seconds_per_tick) {}

    /// Training resumes after a pause: the next iteration may be observed.
    void resume() {
        due_ = 0;
        after_ = 0;
    }

    bool due(Ticks now) const { return now >= due_; }

    /// An iteration ran from `start` until `end`.
    void ran(bool observed, Ticks start, Ticks end) {
        const double took = seconds_per_tick_ * static_cast<double>(end - start);
        if (observed) {
            burst_ = took;
            after_ = 2;
            wait(end, usual_ > 0 ? longest : 4 * took); // until its cost is known, or a usual iteration has been seen
        } else if (after_ > 0) {
            burst_ += took;
            if (--after_ == 0 && usual_ > 0) wait(end, std::max(burst_ - 3 * usual_, usual_ / 2) / share);
        } else {
            usual_ = usual_ == 0 ? took : usual_ + smoothing * (std::min(took, outlier * usual_) - usual_);
        }
    }

private:
    void wait(Ticks from, double seconds) {
        due_ = from + static_cast<Ticks>(std::min(seconds, longest) / seconds_per_tick_);
    }

    double seconds_per_tick_;
    double usual_ = 0, burst_ = 0; // seconds: of a usual iteration; of the newest observed one and those after it
    int after_ = 0;                // iterations after the observed one that are yet to come into its cost
    Ticks due_ = 0;
};

} // namespace gradus
