#include "lessons/experiments/climb_ladder/counts.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>

namespace gradus::kernels {

std::vector<std::pair<SeriesInfo, double>> rung_counts(const LevelTraffic& traffic) {
    const auto counted = [](std::string name, std::string unit, std::int64_t value) {
        return std::pair(SeriesInfo{std::move(name), std::move(unit), Provenance::counted, true}, static_cast<double>(value));
    };
    std::vector<std::pair<SeriesInfo, double>> out{
        counted("multiply_adds", "", traffic.multiply_adds),
        counted("flops", "FLOP", 2 * traffic.multiply_adds), // the compiler marks no other arithmetic
        counted("global_loads", "", traffic.global.loads),
        counted("shared_loads", "", traffic.shared.loads),
        counted("bytes_registers", "bytes", traffic.registers()),
        counted("bytes_shared", "bytes", traffic.shared_moved()),
        counted("bytes_l1", "bytes", traffic.sectors_asked()),
        counted("bytes_memory", "bytes", traffic.memory_least().value_or(0)),
    };
    const auto asked = static_cast<double>(traffic.sectors_asked());
    out.push_back({{"flops_per_byte", "FLOP/byte", Provenance::counted, true}, asked > 0 ? 2 * static_cast<double>(traffic.multiply_adds) / asked : 0});
    return out;
}

double rung_count(const LevelTraffic& traffic, const std::string& name) {
    std::vector<std::string> known{"sectors", "sectors_ideal", "wavefronts", "wavefronts_ideal"};
    const std::int64_t values[] = {traffic.global.transfers, traffic.global.ideal, traffic.shared.transfers, traffic.shared.ideal};
    for (std::size_t i = 0; i < known.size(); ++i)
        if (known[i] == name) return static_cast<double>(values[i]);
    for (const auto& [info, value] : rung_counts(traffic)) {
        if (info.name == name) return value;
        known.push_back(info.name);
    }
    throw ArgumentError(fmt::format("climb_ladder: nothing is counted as '{}'; there is {}", shortened(name), joined(known)));
}

} // namespace gradus::kernels
