#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <vector>

namespace gradus {

/// The least and greatest value of the main outcome in every pixel column of the whole run, for each branch. A frame
/// looks at new values only, so that a run of a million steps costs as much as one of a hundred.
class OutcomeCurve {
public:
    struct Column {
        float least = 0, greatest = 0;
        bool any = false;    ///< holds a finite value
        bool broken = false; ///< holds one that is not finite
    };

    explicit OutcomeCurve(std::string series) : name_(std::move(series)) {}
    const std::string& series() const { return name_; }
    /// Takes in what has been recorded since. True if anything changed.
    bool grow(const std::vector<std::shared_ptr<const Run>>& runs, StepIndex planned, int columns);

    int columns() const { return columns_; }
    /// Of a branch's own values, by pixel column; empty for a branch that is not there.
    const std::vector<Column>& of(std::size_t run) const;
    /// The first iteration whose value is not finite; -1: none.
    StepIndex broken_at(std::size_t run) const;
    /// Where a value lies between the first Run's least (0) and greatest (1); logarithmic where that spans decades.
    double height_of(double value) const;
    bool log() const { return log_; }

private:
    struct Entry {
        std::shared_ptr<const Run> run;
        std::vector<Column> columns;
        std::size_t seen = 0;
        StepIndex broken_at = -1;
        double least = 0, greatest = 0;
        bool any = false;
    };
    bool take(Entry& entry, const Series& series) const;

    std::string name_;
    StepIndex planned_ = 1;
    int columns_ = 0;
    std::vector<Entry> entries_;
    double least_ = 0, greatest_ = 1;
    bool log_ = false;
};

} // namespace gradus
