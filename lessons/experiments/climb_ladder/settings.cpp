#include "lessons/experiments/climb_ladder/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus::kernels {

namespace {

const Ladder& ladder_of(const Setup& setup) {
    const std::string& id = setup.parameters.at("ladder");
    return *std::find_if(all_ladders().begin(), all_ladders().end(), [&](const Ladder& each) { return each.id == id; });
}

/// What run_kernel is given, with what is to be recorded as it stands.
Setup as_run_kernel(const Setup& setup, const std::string& rung) {
    Setup out = setup;
    out.parameters.erase("rungs");
    out.parameters.erase("chip");
    out.parameters["rung"] = rung;
    out.parameters["schedule"] = "0";
    out.parameters["architecture"] = architecture(chip(setup.parameters.at("chip")).capability).name();
    return out;
}

std::string clamped(const std::string& number, std::int64_t count) { return std::to_string(std::min(parse_integer(number).value_or(0), count - 1)); }

} // namespace

Settings rung_settings(const Setup& setup, const std::string& rung) {
    Setup one = as_run_kernel(setup, rung);
    one.parameters["record"] = "none";
    one.parameters["block"] = "usual";
    const Settings usual = read_settings(one);
    one.parameters["record"] = setup.parameters.at("record");
    Dim3 block = usual.request.block;
    if (const std::string& wanted = setup.parameters.at("block"); wanted != "usual") {
        const Dim3 shape = read_block(wanted);
        const auto& legal = usual.request.rung->blocks;
        if (std::find(legal.begin(), legal.end(), shape) != legal.end()) block = shape, one.parameters["block"] = wanted;
    }
    const KernelPlan plan = usual.request.rung->plan(simt::usual_problem(*usual.request.ladder, usual.request.sizes), block);
    one.parameters["record_launch"] = clamped(setup.parameters.at("record_launch"), static_cast<std::int64_t>(plan.steps.size()));
    const KernelStep& launch = plan.steps[static_cast<std::size_t>(parse_integer(one.parameters["record_launch"]).value_or(0))];
    one.parameters["record_block"] = clamped(setup.parameters.at("record_block"), launch.grid.count());
    one.parameters["record_warp"] = clamped(setup.parameters.at("record_warp"), (launch.block.count() + 31) / 32);
    return read_settings(one);
}

ClimbSettings read_climb(const Setup& setup) {
    ClimbSettings out;
    out.chip = &chip(setup.parameters.at("chip"));
    const std::string& wanted = setup.parameters.at("rungs");
    if (wanted == "all")
        for (const Rung& rung : ladder_of(setup).rungs) out.rungs.push_back(rung_settings(setup, rung.id));
    else
        for (const std::string_view name : split(wanted, ',')) out.rungs.push_back(rung_settings(setup, std::string(trimmed(name))));
    for (std::size_t i = 0; i < out.rungs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (out.rungs[i].request.rung == out.rungs[j].request.rung) throw ArgumentError(fmt::format("climb_ladder: rungs names {} twice", out.rungs[i].request.rung->id));
    return out;
}

} // namespace gradus::kernels
