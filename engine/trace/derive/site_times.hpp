#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gradus {

/// What one event took in the observed iterations. Seconds, measured.
struct SiteTime {
    std::size_t count = 0; ///< iterations it was seen in
    double total = 0;      ///< over all of them
    double median = 0;
    double low = 0, high = 0; ///< 10th and 90th percentile
};

/// Sums up the times of a Run's events over its observed iterations, and over its ancestors' before it left them. Grows
/// with the Run: what has been read is not read again.
///
/// Sums and counts are exact; the percentiles are those of at most so many evenly spaced observations as fit in some
/// eight megabytes. An iteration whose events were evicted before they were read is left out.
class SiteTimes {
public:
    /// Reads on, at least one iteration and about `most` events; another Run starts over. True once nothing is left.
    bool grow(const std::shared_ptr<const Run>& run, std::size_t most);

    std::size_t iterations() const { return iterations_; } ///< taken in so far
    std::size_t evicted() const { return evicted_; }       ///< observed, but no longer there
    /// Of a site of the Run, by its number; none if it was not seen.
    std::optional<SiteTime> of(std::int32_t site) const;
    /// The median alone, 0 if it was not seen.
    double median(std::int32_t site) const;
    /// Its median share of an iteration's time, 0 if it was not seen. Times of one iteration rise and fall together: medians of
    /// times, each for itself, may add up to an iteration that there never was.
    double median_share(std::int32_t site) const;

private:
    struct Source {
        std::shared_ptr<const Run> run;
        StepIndex until = 0;               ///< of an ancestor only what came before this
        std::size_t next = 0;              ///< in its list of observed iterations
        std::vector<std::int32_t> site;    ///< its sites as the Run counts them; -1: unknown there
    };
    struct Row {
        std::size_t count = 0;
        double total = 0;
        std::vector<float> samples, shares; ///< every stride-th: seconds, and of the iteration's
        std::size_t stride = 1;
    };
    void start(const std::shared_ptr<const Run>& run);
    std::size_t take(Source& source, const ObservedIteration& observed);
    void add(Row& row, double seconds, double whole) const;

    std::shared_ptr<const Run> run_;
    std::vector<Source> sources_; ///< the eldest first
    std::vector<Row> rows_;       ///< by site
    std::size_t iterations_ = 0, evicted_ = 0;
};

} // namespace gradus
