#include "lessons/experiments/run_kernel/answers.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/hardware/occupancy.hpp"
#include "engine/simt/nvcc.hpp"
#include "lessons/experiments/run_kernel/attention_answers.hpp"
#include "lessons/experiments/run_kernel/process.hpp"
#include "lessons/experiments/run_kernel/topic_answers.hpp"
#include "lessons/experiments/run_kernel/traces.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gradus::kernels {

namespace {

using Line = KernelTrace::Line;

bool matches(const Line& line, const std::string& access) {
    if (access == "load") return line.op == simt::Op::read || line.op == simt::Op::copy_async;
    if (access == "store") return line.op == simt::Op::write;
    if (access == "atomic") return line.op == simt::Op::atomic;
    return simt::touches_memory(line.op);
}

struct Sum {
    std::int64_t steps = 0, lanes = 0, bytes = 0, transfers = 0, ideal = 0, lines = 0;
};

/// All lines that fit what is asked, together: buffer, access (load, store, atomic or any), line. Of a lane's own stack only by name.
Sum total(const Asked& asked, const KernelTrace& trace, std::optional<simt::Space> space) {
    const std::string buffer = asked.argument("buffer", ""), access = asked.argument("access", "any");
    if (access != "any" && access != "load" && access != "store" && access != "atomic")
        throw ArgumentError(fmt::format("{}: access must be load, store, atomic or any, not '{}'", asked.question, shortened(access)));
    const std::int64_t number = asked.integer("line", "0");
    Sum sum;
    std::vector<std::string> known;
    bool found = buffer.empty();
    for (const Line& line : trace.lines) {
        if (!simt::touches_memory(line.op) || (space && line.space != *space)) continue;
        if (std::find(known.begin(), known.end(), line.buffer) == known.end()) known.push_back(line.buffer);
        found |= line.buffer == buffer;
        if (buffer.empty() && line.space > simt::Space::shared) continue;
        if ((!buffer.empty() && line.buffer != buffer) || !matches(line, access) || (number > 0 && line.place.line != number)) continue;
        sum.steps += line.steps, sum.lanes += line.lanes, sum.transfers += line.transfers, sum.ideal += line.ideal;
        sum.bytes += line.lanes * line.bytes, sum.lines += line.lines;
    }
    if (!found) throw ArgumentError(fmt::format("{}: there is no buffer '{}' there; there is {}", asked.question, shortened(buffer), joined(known)));
    return sum;
}

Answer share(std::int64_t of, std::int64_t by, std::string unit) { return counted(by ? static_cast<double>(of) / static_cast<double>(by) : 0, std::move(unit)); }

Answer max_error_of(const Asked& asked) {
    if (asked.run && asked.run->manifest().parameters == asked.setup.parameters && asked.run->manifest().seed == asked.setup.seed)
        if (const auto known = asked.run->value_at("max_error", 0)) return computed(*known);
    return computed(max_error(KernelProcess(asked.setup).run(0)));
}
Answer sectors_per_request(const Asked& asked) {
    const Sum sum = total(asked, *counted_trace(asked), simt::Space::global);
    return share(sum.transfers, sum.steps, "sectors");
}
Answer wavefronts_per_request(const Asked& asked) {
    const Sum sum = total(asked, *counted_trace(asked), simt::Space::shared);
    return share(sum.transfers, sum.steps, "wavefronts");
}
Answer sectors(const Asked& asked) { return counted(static_cast<double>(total(asked, *counted_trace(asked), simt::Space::global).transfers), "sectors"); }
Answer wavefronts(const Asked& asked) { return counted(static_cast<double>(total(asked, *counted_trace(asked), simt::Space::shared).transfers), "wavefronts"); }
Answer requests(const Asked& asked) { return counted(static_cast<double>(total(asked, *counted_trace(asked), {}).steps)); }
Answer bytes(const Asked& asked) { return counted(static_cast<double>(total(asked, *counted_trace(asked), {}).bytes), "bytes"); }
Answer bank_conflicts(const Asked& asked) {
    const Sum sum = total(asked, *counted_trace(asked), simt::Space::shared);
    return counted(static_cast<double>(sum.transfers - sum.ideal), "wavefronts");
}
Answer lines_per_request(const Asked& asked) {
    const Sum sum = total(asked, *counted_trace(asked), simt::Space::global);
    return share(sum.lines, sum.steps, "lines");
}
Answer useful_share(const Asked& asked) {
    const Sum sum = total(asked, *counted_trace(asked), simt::Space::global);
    return share(100 * sum.bytes, 32 * sum.transfers, "%");
}
/// Of the kernels of the launches, by what NVIDIA's compiler says of the rung's own file; none where it cannot.
std::optional<std::int64_t> compiled_shared_bytes(const Asked& asked) {
    const Settings settings = read_settings(asked.setup);
    const auto nvcc = simt::find_nvcc();
    if (!nvcc || asked.setup.parameters.at("source") != "own") return std::nullopt;
    const simt::PreparedRun prepared(*settings.request.ladder, *settings.request.rung, settings.request.sizes, settings.request.block, 1);
    std::optional<std::int64_t> most;
    for (const simt::KernelResources& resources : simt::kernel_resources(*nvcc, simt::file_of(*settings.request.ladder, *settings.request.rung), settings.architecture->capability))
        for (const KernelStep& launch : prepared.plan.steps)
            if (simt::matches(resources, launch.kernel)) most = std::max(most.value_or(0), static_cast<std::int64_t>(resources.static_shared) + launch.shared_bytes);
    return most;
}

Answer shared_bytes(const Asked& asked) {
    const auto trace = counted_trace(asked);
    std::set<std::string> names;
    for (const KernelTrace::Variable& each : trace->variables)
        if (!names.insert(each.name).second) { // of several kernels in its file, or a template's instances: the trace does not say whose
            const auto bytes = compiled_shared_bytes(asked);
            if (!bytes) return {std::string("not known: no nvcc is here, which says whose the variables are"), "", Provenance::counted};
            return counted(static_cast<double>(*bytes), "bytes");
        }
    std::int64_t variables = 0, dynamic = 0;
    for (const KernelTrace::Variable& each : trace->variables) variables = std::max(variables, static_cast<std::int64_t>(each.offset + each.bytes));
    for (const KernelTrace::Launch& each : trace->launches) dynamic = std::max(dynamic, each.shared_bytes);
    return counted(static_cast<double>(variables + dynamic), "bytes");
}
Answer findings(const Asked& asked) { return counted(static_cast<double>(counted_trace(asked)->findings.size())); }

Answer active_lanes(const Asked& asked) {
    const std::int64_t number = asked.integer("line", "0");
    std::int64_t steps = 0, lanes = 0;
    const auto trace = counted_trace(asked);
    for (const Line& line : trace->lines)
        if (number <= 0 || line.place.line == number) steps += line.steps, lanes += line.lanes;
    return share(lanes, steps, "lanes");
}

/// Registers and static shared memory are what NVIDIA's compiler says of the rung's own file.
std::variant<Occupancy, std::string> occupancy_of(const Asked& asked) {
    const Settings settings = read_settings(asked.setup);
    const int lowest = settings.request.rung->lowest;
    if (settings.architecture->capability < lowest) return fmt::format("the rung needs compute capability {}.{}", lowest / 10, lowest % 10);
    const auto nvcc = simt::find_nvcc();
    if (!nvcc) return std::string("not known: no nvcc is here, which says how many registers the kernel takes");
    const simt::PreparedRun prepared(*settings.request.ladder, *settings.request.rung, settings.request.sizes, settings.request.block, 1);
    const std::int64_t number = asked.integer("launch", "0");
    if (number < 0 || number >= static_cast<std::int64_t>(prepared.plan.steps.size()))
        throw ArgumentError(fmt::format("{}: launch must be 0 to {}, not {}", asked.question, prepared.plan.steps.size() - 1, number));
    const KernelStep& launch = prepared.plan.steps[static_cast<std::size_t>(number)];
    try {
        const std::string file = simt::file_of(*settings.request.ladder, *settings.request.rung);
        for (const simt::KernelResources& resources : simt::kernel_resources(*nvcc, file, settings.architecture->capability))
            if (simt::matches(resources, launch.kernel))
                return occupancy(*settings.architecture, {.threads = static_cast<int>(launch.block.count()), .registers = resources.registers,
                                                          .static_shared = resources.static_shared, .dynamic_shared = launch.shared_bytes});
    } catch (const Error& error) {
        return std::string(error.what());
    }
    return std::string("not known: the compiler does not name the kernel");
}

Answer modelled(std::variant<double, std::string, std::vector<std::string>> value, std::string unit = {}) { return {std::move(value), std::move(unit), Provenance::modelled}; }

Answer occupancy_share(const Asked& asked) {
    const auto found = occupancy_of(asked);
    if (const auto* why = std::get_if<std::string>(&found)) return modelled(*why);
    return modelled(std::get<Occupancy>(found).fraction);
}

Answer limiter(const Asked& asked) {
    const auto found = occupancy_of(asked);
    if (const auto* why = std::get_if<std::string>(&found)) return modelled(*why);
    const Occupancy& occupancy = std::get<Occupancy>(found);
    if (!occupancy.refusal.empty()) return modelled(occupancy.refusal);
    std::vector<std::string> names;
    for (const Limiter each : occupancy.limiters) names.emplace_back(name_of(each));
    return modelled(std::move(names));
}

std::vector<AnswerEntry> own() {
    return {
        {{"max_error", "the error against the reference, as a share of its norm, of the output that errs most for what it is allowed", false, false}, max_error_of},
        {{"findings", "races, accesses out of bounds and the like", false, false}, findings},
        {{"sectors", "sectors of 32 bytes that were asked for, of `buffer`, by `access`, in `line`, or of all", false, false}, sectors},
        {{"wavefronts", "wavefronts of shared memory, as for sectors", false, false}, wavefronts},
        {{"requests", "warp instructions that touch memory, as for sectors", false, false}, requests},
        {{"bytes", "bytes that the lanes asked for, as for sectors", false, false}, bytes},
        {{"sectors_per_request", "sectors of each warp instruction on average, as for sectors", false, false}, sectors_per_request},
        {{"wavefronts_per_request", "wavefronts of each warp instruction on average, as for sectors", false, false}, wavefronts_per_request},
        {{"lines_per_request", "lines of 128 bytes of each warp instruction on average, as for sectors", false, false}, lines_per_request},
        {{"useful_share", "% of the bytes of the sectors that lanes asked for, as for sectors", false, false}, useful_share},
        {{"bank_conflicts", "wavefronts beyond the fewest that would do, as for sectors", false, false}, bank_conflicts},
        {{"shared_bytes", "bytes of a block's variables in shared memory, with what the launch asks for", false, false}, shared_bytes},
        {{"active_lanes", "lanes per warp instruction on average, in `line` or in all: 32 is no divergence", false, false}, active_lanes},
        {{"occupancy", "warps that an SM holds, as a share of the most, of `launch`", false, false}, occupancy_share},
        {{"limiter", "what keeps an SM from holding one block more, of `launch`", false, false}, limiter},
    };
}

} // namespace

const std::vector<AnswerEntry>& answers() {
    static const std::vector<AnswerEntry> list = [] {
        std::vector<AnswerEntry> out = own();
        for (const auto* topic : {&coverage_answers(), &warp_answers(), &comparing_answers(), &attention_basics(), &attention_answers()}) out.insert(out.end(), topic->begin(), topic->end());
        return out;
    }();
    return list;
}

} // namespace gradus::kernels
