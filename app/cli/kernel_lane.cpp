// One lane of a kernel, step by step: what it touches, hands in and gets, and what it keeps in its variables.
#include "app/cli/kernel_lane.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/kernel/locals_cursor.hpp"

#include <bit>
#include <fmt/format.h>

namespace gradus::cli {

using nlohmann::json;

namespace {

std::span<const std::byte> low_bytes(ValueKind kind, const std::uint64_t& value) {
    return {reinterpret_cast<const std::byte*>(&value), size_of(kind) ? size_of(kind) : sizeof value};
}

json local_json(const KernelTrace& trace, const LocalsCursor::Value& value) {
    const LocalVariable& variable = *value.variable;
    json out{{"name", variable.name},
             {"type", variable.type},
             {"function", variable.function},
             {"line", variable.line},
             {"changed", value.changed}};
    if (!value.why.empty()) {
        out["why"] = value.why;
        return out;
    }
    out["value"] = local_text(trace, variable, value.bytes);
    out["bits"] = value_bits(value.bytes);
    if (value.changed) out["before"] = local_text(trace, variable, value.before);
    if (value.to.line) out["changed_between_lines"] = {value.from.line ? json(value.from.line) : json(), value.to.line};
    return out;
}

json access_json(const KernelTrace& trace, std::size_t step, int lane) {
    json out;
    const KernelTrace::Accesses touched = trace.accesses(step);
    for (const KernelTrace::Access& access : touched.all()) {
        if (access.lane != lane) continue;
        const KernelTrace::Range& range = trace.ranges[access.range];
        out = {{"buffer", trace.name_at(access.range, access.offset)},
               {"space", simt::name_of(range.space)},
               {"offset", access.offset},
               {"bytes", access.before.size()},
               {"before", trace.text_at(access.range, access.offset, access.before)}};
        if (!access.after.empty()) out["after"] = trace.text_at(access.range, access.offset, access.after);
    }
    return out;
}

json collective_json(const KernelTrace& trace, std::size_t step, int lane) {
    const KernelTrace::Collective met = trace.collective(step);
    if (met.name.empty()) return {};
    json out{{"name", met.name}};
    for (const KernelTrace::Handed& handed : met.all()) {
        if (handed.lane != lane) continue;
        const auto given = low_bytes(met.given, handed.given), got = low_bytes(met.got, handed.got);
        out.update({{"handed_in", value_text(met.given, given)},
                    {"handed_in_bits", value_bits(given)},
                    {"got", value_text(met.got, got)},
                    {"got_bits", value_bits(got)}});
        if (handed.asks >= 0) out["from_lane"] = handed.asks;
    }
    return out;
}

} // namespace

void record_lane(const LaneWanted& wanted, simt::KernelRequest& request) {
    const KernelPlan plan = request.rung->plan(simt::usual_problem(*request.ladder, request.sizes),
                                               request.block.count() ? request.block : request.rung->blocks.front());
    const auto check = [](const char* option, std::int64_t value, std::int64_t count) {
        if (value < 0 || value >= count)
            throw ArgumentError(fmt::format("{} must be 0 to {}, not {}", option, count - 1, value));
    };
    check("--launch", wanted.launch, static_cast<std::int64_t>(plan.steps.size()));
    const KernelStep& launch = plan.steps[static_cast<std::size_t>(wanted.launch)];
    check("--of-block", wanted.block, launch.grid.count());
    check("--lane", *wanted.thread, launch.block.count());
    request.recording = {.wanted = true,
                         .launch = static_cast<std::int32_t>(wanted.launch),
                         .block = wanted.block,
                         .warps = 1u << *wanted.thread / 32};
}

json lane_json(const LaneWanted& wanted, const std::shared_ptr<const KernelTrace>& trace) {
    const auto thread = static_cast<std::uint32_t>(*wanted.thread);
    const int lane = static_cast<int>(thread % 32);
    if (wanted.step && static_cast<std::size_t>(*wanted.step) >= trace->steps())
        throw ArgumentError(fmt::format("--at {}: {} steps were recorded, the first is 0", *wanted.step, trace->steps()));
    LocalsCursor cursor(trace);
    json steps = json::array();
    for (std::size_t step = 0; step < trace->steps(); ++step) {
        if (trace->log.warp[step] != thread / 32 || !(trace->log.mask[step] >> lane & 1)) continue;
        if (wanted.step && static_cast<std::size_t>(*wanted.step) != step) continue;
        const KernelLog::Site& at = trace->log.sites[trace->log.site[step]];
        const KernelPlace& place = trace->sites[trace->log.site[step]].place;
        json one{{"step", step},
                 {"line", place.line},
                 {"column", place.column},
                 {"op", simt::name_of(at.op)},
                 {"active_lanes", std::popcount(trace->log.mask[step])}};
        if (json access = access_json(*trace, step, lane); !access.is_null()) one["access"] = std::move(access);
        if (json collective = collective_json(*trace, step, lane); !collective.is_null())
            one["collective"] = std::move(collective);
        cursor.go_to(step);
        const LocalsCursor::Lane found = cursor.lane(thread);
        if (!found.why.empty()) one["locals_unknown"] = found.why;
        json locals = json::array();
        for (const LocalsCursor::Value& value : found.values)
            if (wanted.step || (value.changed && value.why.empty())) locals.push_back(local_json(*trace, value));
        one["locals"] = std::move(locals);
        steps.push_back(std::move(one));
    }
    if (wanted.step && steps.empty())
        throw ArgumentError(fmt::format("--at {}: lane {} takes no part in that step", *wanted.step, thread));
    const KernelLog::Locals& log = trace->log.locals;
    return {{"launch", wanted.launch},
            {"block", wanted.block},
            {"thread", thread},
            {"provenance", "computed"},
            {"steps", std::move(steps)},
            {"log_bytes", trace->log.bytes()},
            {"locals_bytes", log.changes.size()},
            {"locals_missed", log.missed}};
}

void print_lane(const json& lane) {
    fmt::print("thread {} of block {}, launch {}: as it comes to each step\n", lane["thread"].get<int>(),
               lane["block"].get<int>(), lane["launch"].get<int>());
    for (const json& step : lane["steps"]) {
        std::string words = step["op"].get<std::string>();
        if (step.contains("access")) {
            const json& access = step["access"];
            words += fmt::format(" {} + {}: {}", access["buffer"].get<std::string>(),
                                 access["offset"].get<std::uint64_t>(), access["before"].get<std::string>());
            if (access.contains("after")) words += " -> " + access["after"].get<std::string>();
        }
        if (step.contains("collective")) {
            const json& met = step["collective"];
            words += " " + met["name"].get<std::string>();
            if (met.contains("got"))
                words += fmt::format(": hands in {}, gets {}", met["handed_in"].get<std::string>(),
                                     met["got"].get<std::string>());
            if (met.contains("from_lane")) words += fmt::format(" from lane {}", met["from_lane"].get<int>());
        }
        fmt::print("  step {:<6}line {:<5}{}\n", step["step"].get<std::size_t>(), step["line"].get<int>(), words);
        if (step.contains("locals_unknown")) fmt::print("      {}\n", step["locals_unknown"].get<std::string>());
        for (const json& local : step["locals"]) {
            const std::string value =
                local.contains("why") ? local["why"].get<std::string>() : local["value"].get<std::string>();
            fmt::print("      {} {} = {}{}\n", local["type"].get<std::string>(), local["name"].get<std::string>(),
                       value,
                       local.contains("before") ? fmt::format("   (was {})", local["before"].get<std::string>()) : "");
        }
    }
}

} // namespace gradus::cli
