#include "lessons/experiments/run_kernel/topic_answers.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/derive/kernel_coverage.hpp"
#include "engine/trace/derive/kernel_turns.hpp"
#include "lessons/experiments/run_kernel/traces.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace gradus::kernels {

namespace {

using Line = KernelTrace::Line;

/// The line that holds the words of `at`. Throws ArgumentError where none does.
KernelPlace place_of(const Asked& asked, const KernelTrace& trace, const std::string& words) {
    if (const auto place = counted_line(trace, words)) return *place;
    throw ArgumentError(fmt::format("{}: nothing was counted in a line with '{}'", asked.question, shortened(words)));
}

/// Steps and lanes of the line that `at` names, or of all.
std::pair<std::int64_t, std::int64_t> turns_of(const Asked& asked) {
    const auto trace = counted_trace(asked);
    const std::string at = asked.argument("at", "");
    const auto place = at.empty() ? std::nullopt : std::optional(place_of(asked, *trace, at));
    std::int64_t steps = 0, lanes = 0;
    for (const Line& line : trace->lines)
        if (!place || (line.place.file == place->file && line.place.line == place->line)) steps += line.steps, lanes += line.lanes;
    return {steps, lanes};
}

Answer working_share(const Asked& asked) {
    const auto [steps, lanes] = turns_of(asked);
    return counted(steps ? 100 * static_cast<double>(lanes) / (32 * static_cast<double>(steps)) : 0, "%");
}
Answer idle_lanes(const Asked& asked) {
    const auto [steps, lanes] = turns_of(asked);
    return counted(static_cast<double>(32 * steps - lanes));
}

Answer unfilled_lanes(const Asked& asked) {
    const auto trace = recorded_block(asked);
    std::int64_t warps = 0, lanes = 0;
    for (int warp = 0; warp < 32; ++warp)
        if (const std::uint32_t mask = first_mask(*trace, 0, warp)) ++warps, lanes += std::popcount(mask);
    return counted(warps ? 100 * (1 - static_cast<double>(lanes) / (32 * static_cast<double>(warps))) : 0, "%");
}

int warp_of(const Asked& asked) {
    const std::int64_t warp = asked.integer("warp", "0");
    if (warp < 0 || warp > 31) throw ArgumentError(fmt::format("{}: warp must be 0 to 31, not {}", asked.question, warp));
    return static_cast<int>(warp);
}

Answer warp_elements(const Asked& asked) {
    const auto trace = recorded_block(asked);
    const std::size_t range = kernel_coverage(*trace, asked.argument("buffer", "")).range;
    const std::vector<std::int64_t> elements = elements_of_warp(*trace, 0, warp_of(asked), range);
    if (std::string name = rectangle_name(trace->ranges[range], elements); !name.empty()) return {std::move(name), "", Provenance::counted};
    std::vector<std::string> names;
    for (const std::int64_t element : elements) names.push_back(element_name(trace->ranges[range], element));
    return {std::move(names), "", Provenance::counted};
}

TurnsAtLine recorded_turns(const Asked& asked) {
    const auto trace = recorded_block(asked);
    const std::string kind = asked.argument("kind", "any");
    if (kind != "any" && kind != "collective") throw ArgumentError(fmt::format("{}: kind must be any or collective, not '{}'", asked.question, shortened(kind)));
    const auto op = kind == "any" ? std::nullopt : std::optional(simt::Op::meet);
    return turns_at_line(*trace, 0, warp_of(asked), place_of(asked, *trace, asked.argument("at", "")), op);
}

Answer block_accesses(const Asked& asked) {
    const auto trace = recorded_block(asked);
    const std::size_t range = kernel_coverage(*trace, asked.argument("buffer", "")).range;
    const std::string access = asked.argument("access", "load");
    if (access != "load" && access != "store") throw ArgumentError(fmt::format("{}: access must be load or store, not '{}'", asked.question, shortened(access)));
    return counted(static_cast<double>(accesses_of_block(*trace, 0, range, access == "load" ? simt::Op::read : simt::Op::write)));
}

Answer turns(const Asked& asked) { return counted(static_cast<double>(recorded_turns(asked).turns)); }

Answer warp_takes(const Asked& asked) {
    const TurnsAtLine found = recorded_turns(asked);
    const double mean = static_cast<double>(found.lanes) / 32;
    const char* word = found.turns == found.longest() ? "longest" : found.turns == found.lanes ? "sum" : std::abs(static_cast<double>(found.turns) - mean) <= 0.5 ? "mean" : "";
    if (!*word) throw UnavailableError(fmt::format("{}: {} turns are none of these", asked.question, found.turns));
    return {std::string(word), "", Provenance::counted};
}

Answer meeting(const Asked& asked) {
    const auto trace = recorded_block(asked);
    const auto step = meeting_step(*trace, 0, warp_of(asked));
    if (!step) throw UnavailableError(fmt::format("{}: the lanes of that warp do not part and meet again", asked.question));
    const KernelPlace& place = trace->sites[trace->log.site[*step]].place;
    for (const auto& [id, words] : named_values(asked, "among"))
        if (const auto line = counted_line(*trace, words); line && line->file == place.file && line->line == place.line) return {id, "", Provenance::counted};
    throw ArgumentError(fmt::format("{}: they meet in line {}, which is not among these", asked.question, place.line));
}

Answer dearest_access(const Asked& asked) {
    const auto trace = counted_trace(asked);
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> sums; // transfers, and the fewest that would do
    for (const Line& line : trace->lines) {
        if (!simt::touches_memory(line.op) || line.space > simt::Space::shared) continue;
        auto& [transfers, ideal] = sums[line.buffer + (line.op == simt::Op::write ? "_store" : line.op == simt::Op::atomic ? "_atomic" : "_load")];
        transfers += line.transfers, ideal += line.ideal;
    }
    Answer out{std::string(), "", Provenance::counted};
    double most = -1;
    for (const auto& [name, sum] : sums) {
        const double times = sum.second ? static_cast<double>(sum.first) / static_cast<double>(sum.second) : 0;
        out.found[name] = times;
        if (times > most) most = times, out.value = name;
    }
    return out;
}

} // namespace

const std::vector<AnswerEntry>& warp_answers() {
    static const std::vector<AnswerEntry> list{
        {{"working_share", "% of the lanes' turns that do any work, in the line `at`, or in all", false, true}, working_share},
        {{"idle_lanes", "lanes' turns that do none, as for working_share", false, true}, idle_lanes},
        {{"unfilled_lanes", "% of the lanes of a block's warps that have no thread", false, true}, unfilled_lanes},
        {{"warp_elements", "the elements of `buffer`, or of the first output, that warp `warp` of the block writes", false, true}, warp_elements},
        {{"block_accesses", "accesses to `buffer`, or the first output, by `access`, of all threads of the block", false, true}, block_accesses},
        {{"turns", "warp steps of warp `warp` of the block in the line `at`, of `kind` any or collective", false, true}, turns},
        {{"warp_takes", "its turns there: longest, as many as its busiest lane has; sum, as all have together; mean", false, true}, warp_takes},
        {{"dearest_access", "which accesses, as tile_load or y_store, take most sectors or wavefronts beside the fewest that would do", false, true}, dearest_access},
        {{"meeting", "where its lanes are together again after they parted: which of the lines `among`", false, true}, meeting},
    };
    return list;
}

} // namespace gradus::kernels
