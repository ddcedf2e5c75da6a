#include "app/cli/cli.hpp"
#include "app/cli/kernel_lane.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/hardware/occupancy.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/nvcc.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <stop_token>
#include <thread>

namespace gradus::cli {

using namespace gradus::simt;
using nlohmann::json;

namespace {

json dim_json(const Dim3& dim) { return {dim.x, dim.y, dim.z}; }

json line_json(const LineCount& line) {
    json out{{"file", line.place.file}, {"line", line.place.line}, {"column", line.place.column}, {"op", name_of(line.op)}, {"steps", line.steps}, {"active_lanes", line.active()}};
    if (!touches_memory(line.op)) return out;
    out.update({{"buffer", line.buffer}, {"space", name_of(line.space)}, {"bytes_per_lane", line.bytes}, {"bytes", line.bytes_asked()}});
    if (line.space == Space::global) out.update({{"sectors", line.transfers}, {"sectors_ideal", line.ideal}, {"lines_of_128", line.lines}});
    if (line.space == Space::shared) out.update({{"wavefronts", line.transfers}, {"wavefronts_ideal", line.ideal}});
    return out;
}

json place_json(const SourcePlace& place) { return {{"file", place.file}, {"line", place.line}, {"column", place.column}}; }

json thread_json(const ThreadName& thread) { return {{"block", thread.block}, {"thread", thread.rank}}; }

json finding_json(const KernelFinding& finding) {
    json out{{"kind", name_of(finding.kind)}, {"sentence", finding.sentence}, {"buffer", finding.buffer}, {"times", finding.times}, {"lanes", {thread_json(finding.thread)}}};
    out.update(place_json(finding.place));
    if (finding.kind == Finding::Kind::race || finding.kind == Finding::Kind::mismatched_barrier) {
        out["other"] = place_json(finding.other);
        out["lanes"].push_back(thread_json(finding.second));
    }
    return out;
}

std::string limiter_words(const Occupancy& found) {
    std::string out = found.refusal;
    for (const Limiter limiter : found.limiters) out += (out.empty() ? "" : ", ") + std::string(name_of(limiter));
    return out;
}

/// Modelled, per architecture: with the registers that NVIDIA's compiler gives the kernel, where it is here.
json occupancy_json(const KernelRun& run, const std::string& file, const KernelStep& launch, const std::stop_token& stop) {
    json out = json::array();
    const auto nvcc = find_nvcc();
    const std::string own = file_of(*run.prepared.ladder, *run.prepared.rung), beside = own.substr(0, own.rfind('/'));
    std::vector<int> capabilities;
    for (const Architecture& architecture : all_architectures())
        if (architecture.capability >= run.prepared.rung->lowest) capabilities.push_back(architecture.capability);
    for (const Architecture& architecture : all_architectures()) {
        if (architecture.capability < run.prepared.rung->lowest) continue;
        json one{{"architecture", architecture.name()}, {"provenance", "modelled"}};
        if (!nvcc) {
            one["unknown"] = "no nvcc is here, which says how many registers the kernel takes";
            out.push_back(one);
            continue;
        }
        try {
            one["unknown"] = "the compiler does not name the kernel";
            for (const KernelResources& resources : kernel_resources(*nvcc, file, architecture.capability, capabilities, beside, stop)) {
                if (!matches(resources, launch.kernel)) continue;
                const Occupancy found = occupancy(architecture, {.threads = static_cast<int>(launch.block.count()), .registers = resources.registers, .static_shared = resources.static_shared,
                                                                 .dynamic_shared = launch.shared_bytes});
                one.erase("unknown");
                one.update({{"registers", resources.registers}, {"static_shared_bytes", resources.static_shared}, {"blocks", found.blocks}, {"warps", found.warps},
                            {"fraction", found.fraction}, {"limiter", limiter_words(found)}});
            }
        } catch (const Error& error) {
            one["unknown"] = error.what();
        }
        out.push_back(one);
    }
    return out;
}

json step_json(const KernelRun& run, const std::string& file, const StepReport& step, const std::stop_token& stop) {
    json lines = json::array();
    std::int64_t sectors = 0, sectors_ideal = 0, wavefronts = 0, wavefronts_ideal = 0, global_bytes = 0, shared_bytes = 0, barriers = 0;
    for (const LineCount& line : step.lines) {
        lines.push_back(line_json(line));
        barriers += line.op == simt::Op::barrier ? line.steps : 0;
        if (!touches_memory(line.op)) continue;
        if (line.space == Space::global) sectors += line.transfers, sectors_ideal += line.ideal, global_bytes += line.bytes_asked();
        if (line.space == Space::shared) wavefronts += line.transfers, wavefronts_ideal += line.ideal, shared_bytes += line.bytes_asked();
    }
    // FLOPs per byte that global memory moves; of multiply-adds alone, which are marked
    const json intensity = step.multiply_adds && sectors ? json(2.0 * static_cast<double>(step.multiply_adds) / (32.0 * static_cast<double>(sectors))) : json();
    return {{"launch", {{"kernel", step.launch.kernel}, {"grid", dim_json(step.launch.grid)}, {"block", dim_json(step.launch.block)}, {"dynamic_shared_bytes", step.launch.shared_bytes}}},
            {"counters",
             {{"provenance", "counted"}, {"level", "source"}, {"sectors", sectors}, {"sectors_ideal", sectors_ideal}, {"wavefronts", wavefronts}, {"wavefronts_ideal", wavefronts_ideal},
              {"global_bytes", global_bytes}, {"shared_bytes", shared_bytes}, {"barriers", barriers}, {"multiply_adds", step.multiply_adds}, {"flops_per_byte", intensity}, {"lines", lines}}},
            {"occupancy", occupancy_json(run, file, step.launch, stop)}};
}

std::int64_t number_of(const std::string& name, const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) throw ArgumentError(fmt::format("--set {}={}: a whole number is wanted", name, text));
    return value;
}

std::uint64_t not_negative(const std::string& name, const std::string& text) {
    const std::int64_t value = number_of(name, text);
    if (value < 0) throw ArgumentError(fmt::format("--set {}={}: at least 0", name, text));
    return static_cast<std::uint64_t>(value);
}

/// "32x8" or "256".
Dim3 block_of(const std::string& text) {
    Dim3 block{1, 1, 1};
    int* const sizes[] = {&block.x, &block.y, &block.z};
    const char *at = text.data(), *end = at + text.size();
    for (int i = 0; i < 3; ++i) {
        const auto [after, error] = std::from_chars(at, end, *sizes[i]);
        if (error != std::errc() || *sizes[i] < 1) break;
        if (after == end) return block;
        if (*after != 'x') break;
        at = after + 1;
    }
    throw ArgumentError(fmt::format("--set block={}: sizes of a block are wanted, as 256 or 32x8", text));
}

void print_report(const KernelRun& run) {
    for (const StepReport& step : run.steps) {
        std::int64_t sectors = 0;
        std::size_t widest = 10; // name of a buffer
        for (const LineCount& line : step.lines) widest = std::max(widest, line.buffer.size());
        fmt::print("{}  grid {}x{}x{}, block {}x{}x{}\n", step.launch.kernel, step.launch.grid.x, step.launch.grid.y, step.launch.grid.z, step.launch.block.x, step.launch.block.y, step.launch.block.z);
        for (const LineCount& line : step.lines) {
            if (line.op == simt::Op::branch && run.prepared.ladder->branches)
                fmt::print("  line {:<8}{:<11}{:>{}} times{:>42.1f} lanes\n", fmt::format("{}:{}", line.place.line, line.place.column), simt::name_of(line.op), line.steps, widest + 24, line.active());
            if (!touches_memory(line.op) || line.space == Space::local) continue;
            const double steps = static_cast<double>(line.steps);
            if (line.space == Space::global) sectors += line.transfers;
            const char* unit = line.space == Space::shared ? "wavefronts" : "sectors";
            fmt::print("  line {:<8}{:<11}{:<{}}  {:<7}{:>12} requests{:>9.2f} {} each, ideal {:.2f}{:>9.1f} lanes\n", fmt::format("{}:{}", line.place.line, line.place.column),
                       name_of(line.op), line.buffer, widest, name_of(line.space), line.steps, static_cast<double>(line.transfers) / steps, unit, static_cast<double>(line.ideal) / steps, line.active());
        }
        if (step.multiply_adds && sectors)
            fmt::print("  {} multiply-adds: {:.3g} FLOPs of theirs for each byte of global memory's sectors\n", step.multiply_adds,
                       2.0 * static_cast<double>(step.multiply_adds) / (32.0 * static_cast<double>(sectors)));
    }
    for (const KernelFinding& finding : run.findings) fmt::print("{}: {}{}\n", name_of(finding.kind), finding.sentence, finding.times > 1 ? fmt::format(" ({} times)", finding.times) : "");
    for (const OutputError& error : run.errors) fmt::print("{}: {} of {} from the reference, allowed {}\n", error.right ? "right" : "WRONG", short_number(error.error), error.name, short_number(error.allowed));
    if (!run.answer.printed.text.empty()) fmt::print("printed:\n{}\n", run.answer.printed.text);
    if (run.answer.printed.left_out) fmt::print("{}\n", left_out_words(run.answer.printed));
}

/// Requests a stop when Ctrl-C is pressed, as long as this lives.
class StopOnInterrupt {
public:
    StopOnInterrupt() { watch_interrupts(); }
    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread watch_{[this](const std::stop_token& end) {
        while (!end.stop_requested() && !interrupt_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (interrupt_requested()) source_.request_stop();
    }};
};

int report(const KernelRequest& request, const LaneWanted& lane, bool json_wanted, const std::stop_token& stop) {
    ProgressLine progress(true);
    KernelRequest told = request;
    const auto began = std::chrono::steady_clock::now();
    told.progress = [&](std::int64_t done, std::int64_t of) { // most are over before anybody could read it
        if (std::chrono::steady_clock::now() - began < std::chrono::milliseconds(500)) return;
        if (of == 0) return progress.show(0, fmt::format("{} steps of lanes so far", done));
        const bool all = done == of;
        progress.show(static_cast<double>(done) / static_cast<double>(of), all ? "all blocks are run" : fmt::format("{} of {} blocks are run", done, of));
    };
    const KernelRun run = run_kernel(told, stop);
    progress.clear();
    if (!run.end.done && stop.stop_requested()) throw Interrupted();
    const std::string& source = request.source;
    const std::string id = request.ladder->id + "/" + request.rung->id;
    if (!run.end.done) throw UnavailableError(fmt::format("{}: the kernel {}", source.empty() ? id : source, run.end.why));
    if (!json_wanted) {
        print_report(run);
        if (run.trace) print_lane(lane_json(lane, run.trace));
    } else {
        json outputs = json::array(), findings = json::array(), launches = json::array();
        for (const OutputError& error : run.errors) {
            outputs.push_back({{"name", error.name}, {"error", quantity(error.error, "", Provenance::computed)}, {"allowed", error.allowed}, {"right", error.right},
                               {"hash", output_hash(run.prepared, error.name, run.memory().data())}});
        }
        for (const KernelFinding& finding : run.findings) findings.push_back(finding_json(finding));
        const std::string file = source.empty() ? file_of(*request.ladder, *request.rung) : source;
        for (const StepReport& step : run.steps) launches.push_back(step_json(run, file, step, stop));
        json sizes;
        for (const auto& [key, value] : run.prepared.problem) sizes[key] = value;
        json out{{"schema", 1}, {"id", id}, {"title", request.rung->title}, {"sizes", sizes}, {"launches", launches}, {"findings", findings}, {"outputs", outputs},
                 {"whole", run.answer.whole}, {"tolerance", request.rung->tolerance}, {"printed", run.answer.printed.text}};
        if (run.answer.printed.left_out) out["printed_left_out"] = {{"bytes", run.answer.printed.left_out}, {"sentence", left_out_words(run.answer.printed)}};
        out["max_error"] = run.answer.whole ? quantity(worst_of(run.errors).error, "", Provenance::computed) : json();
        if (!launches.empty()) // the first, where one looks for it
            for (const char* key : {"launch", "counters", "occupancy"}) out[key] = launches[0][key];
        if (run.trace) out["lane"] = lane_json(lane, run.trace);
        print_json(out);
    }
    return run.right() ? done : check_failed;
}

} // namespace

int kernel(const std::string& name, const std::vector<std::string>& set, const std::string& source, const LaneWanted& lane, bool json_wanted) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung(name);
    request.source = source;
    std::set<std::string> given;
    for (const std::string& words : set) {
        const std::size_t equals = words.find('=');
        if (equals == std::string::npos) throw ArgumentError(fmt::format("--set {}: NAME=VALUE is wanted", words));
        const std::string key = words.substr(0, equals), value = words.substr(equals + 1);
        if (!given.insert(key).second) throw ArgumentError(fmt::format("--set {}: {} is given twice", words, key));
        if (key == "block") request.block = block_of(value);
        else if (key == "schedule") request.options.schedule = not_negative(key, value);
        else if (key == "seed") request.seed = not_negative(key, value);
        else {
            usual_problem(*request.ladder, {{key, 1}}); // that there is such a size
            request.sizes[key] = number_of(key, value);
        }
    }
    if (lane.thread) record_lane(lane, request);
    const StopOnInterrupt interrupt;
    try {
        return report(request, lane, json_wanted, interrupt.token());
    } catch (const Interrupted&) {
        return interrupted();
    }
}

} // namespace gradus::cli
