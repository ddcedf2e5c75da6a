#pragma once

#include "engine/simt/kernel_run.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace gradus::cli {

/// The lane that `gradus kernel --lane` shows.
struct LaneWanted {
    std::optional<std::int64_t> thread; ///< of the block
    std::int64_t launch = 0, block = 0;
    std::optional<std::int64_t>
        step; ///< of the block: with all its variables; without: all its steps, with what has changed
};

/// Asks for what is to be shown. Throws ArgumentError for a lane that is not there.
void record_lane(const LaneWanted& wanted, simt::KernelRequest& request);
nlohmann::json lane_json(const LaneWanted& wanted, const std::shared_ptr<const KernelTrace>& trace);
void print_lane(const nlohmann::json& lane); ///< of lane_json

} // namespace gradus::cli
