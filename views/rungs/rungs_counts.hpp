#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"
#include "engine/trace/run.hpp"

#include <QString>
#include <array>
#include <optional>
#include <vector>

namespace gradus {

/// What both rungs did, side by side.
struct RungCount {
    enum class Unit : std::uint8_t { count, bytes, seconds, flops_per_byte };
    enum class Bound : std::uint8_t { exact, at_most, at_least };
    QString id, name, meaning; ///< meaning: what is counted, in one sentence
    Unit unit = Unit::count;
    Provenance provenance = Provenance::counted;
    Bound bound = Bound::exact;
    std::array<std::optional<double>, 2> of, ideal; ///< of the left one and of the right one; ideal: the fewest that would do
    /// The larger divided by the smaller; nothing where one is 0 or not known.
    std::optional<double> factor() const;
    bool grows() const { return of[0] && of[1] && *of[1] > *of[0]; }
};

/// Whose counts are wanted: an iteration of a Run, and what was recorded of its kernels, if that is there.
struct RungAt {
    StepIndex iteration = 0;
    const KernelTrace* trace = nullptr;
};

/// Of all launches of both, in the order in which they are read. What is not known of either is not there.
std::vector<RungCount> compare_counts(const Run& run, const RungAt& left, const RungAt& right, const QString& chip);
/// The number, among those that are shown, whose factor is the largest, of what was counted or modelled; -1: none of them has changed.
int largest_change(const std::vector<RungCount>& counts, const std::vector<std::size_t>& shown);

/// "4 194 304", "≤ 16.8 MB"; `brief`: in few letters.
QString value_text(const RungCount& count, std::size_t side, bool brief = false);
/// "16× fewer", "2.1× more", "the same", "none before", "none any more".
QString change_text(const RungCount& count);

} // namespace gradus
