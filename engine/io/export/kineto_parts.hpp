#pragma once

#include "engine/trace/run.hpp"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

/// What the trace in PyTorch's manner is made of; for this folder only.
namespace gradus::exporting {

constexpr int engine_process = 1, kernel_process = 2, modelled_process = 3;

std::string dumped(const nlohmann::json& value);

/// Lanes count from 0; 0 is no thread id and no stream to those who read this.
int thread_of(const EventSite& site);
/// What LaneTrace calls the lane: the path is "module/lane/work".
std::string lane_name(const EventSite& site);

/// What is the same in every event of a site, written down once.
struct SiteText {
    bool seen = false, is_iteration = false, has_kernel = false;
    std::string event, event_args;   ///< before the times, and within args
    std::string kernel, kernel_args; ///< of the kernel that an op called
};
SiteText site_text(const Run& run, const EventSite& site);

/// The allocator's events of an iteration as far as they are written, and its totals after them.
struct MemoryTotals {
    explicit MemoryTotals(std::shared_ptr<const AllocatorRecord> of);
    /// Bytes that this event, the next one, adds to what is allocated; nothing where it moves no total.
    std::optional<std::int64_t> counted(const AllocatorEvent& event);

    std::shared_ptr<const AllocatorRecord> record;
    std::size_t next = 0;
    std::int64_t allocated = 0, reserved = 0; // bytes
    std::set<std::pair<std::int32_t, std::int64_t>> awaiting; // let go of and no longer counted as allocated, but not free yet
};

} // namespace gradus::exporting
