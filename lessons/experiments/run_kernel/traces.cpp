#include "lessons/experiments/run_kernel/traces.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/run_kernel/process.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus::kernels {

namespace {

std::shared_ptr<const KernelTrace> of_run(const Asked& asked) {
    if (!asked.run || asked.run->manifest().parameters != asked.setup.parameters || asked.run->manifest().seed != asked.setup.seed) return nullptr;
    const auto tensors = asked.run->tensors_of(0);
    return tensors ? tensors->kernels : nullptr;
}

std::shared_ptr<const KernelTrace> of_new_run(const Asked& asked, const char* record) {
    Setup setup = asked.setup;
    setup.parameters["record"] = record;
    return KernelProcess(setup).run(0).trace;
}

} // namespace

std::shared_ptr<const KernelTrace> counted_trace(const Asked& asked) {
    const auto known = of_run(asked);
    return known ? known : of_new_run(asked, "none");
}

std::shared_ptr<const KernelTrace> recorded_block(const Asked& asked) {
    const auto known = of_run(asked);
    const bool whole = known && known->warps == ~0u && !known->log.blocks.empty() && asked.setup.parameters.at("record") == "block";
    return whole ? known : of_new_run(asked, "block");
}

std::shared_ptr<const KernelTrace> recorded_whole(const Asked& asked) {
    const auto is_whole = [](const KernelTrace& trace) {
        return std::all_of(trace.launches.begin(), trace.launches.end(), [](const KernelTrace::Launch& launch) { return launch.whole; });
    };
    if (const auto known = of_run(asked); known && is_whole(*known)) return known;
    const auto made = of_new_run(asked, "all");
    if (!is_whole(*made)) throw UnavailableError(fmt::format("{}: there are more steps than are recorded", asked.question));
    return made;
}

std::vector<std::pair<std::string, std::string>> named_values(const Asked& asked, const std::string& argument) {
    std::vector<std::pair<std::string, std::string>> out;
    const std::string text = asked.argument(argument, ""); // into which the parts look
    for (const std::string_view each : split(text, '|')) {
        const std::size_t colon = each.find(':');
        if (colon == std::string_view::npos) throw ArgumentError(fmt::format("{}: {} must be such as \"a: value | b: value\"", asked.question, argument));
        out.emplace_back(trimmed(each.substr(0, colon)), trimmed(each.substr(colon + 1)));
    }
    return out;
}

} // namespace gradus::kernels
