#include "lessons/experiments/run_kernel/topic_answers.hpp"

#include "engine/core/error.hpp"
#include "lessons/experiments/run_kernel/process.hpp"
#include "lessons/experiments/run_kernel/traces.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus::kernels {

namespace {

/// The setup with another rung, which may be of another ladder.
Setup with_rung(const Asked& asked, const std::string& rung) {
    Setup out = asked.setup;
    out.parameters = asked.experiment.with(out.parameters, "rung", rung);
    if (const std::string sizes = asked.argument("sizes", ""); !sizes.empty()) out.parameters["sizes"] = sizes; // of all of them
    out.parameters["record"] = "none";
    return out;
}

/// A question's answer for each of `among`: the values of the parameter `vary`.
std::vector<std::pair<std::string, Answer>> measured(const Asked& asked) {
    const std::string measure = asked.argument("measure", ""), vary = asked.argument("vary", "rung");
    if (measure.empty() || measure == asked.question) throw ArgumentError(fmt::format("{}: measure must name a question", asked.question));
    Arguments arguments = asked.arguments;
    for (const char* own : {"among", "measure", "vary"}) arguments.erase(own);
    std::vector<std::pair<std::string, Answer>> out;
    for (const auto& [id, value] : named_values(asked, "among")) {
        Setup setup = asked.setup;
        setup.parameters = asked.experiment.with(setup.parameters, vary, value);
        out.emplace_back(id, asked.experiment.answer(measure, arguments, setup, asked.run));
        if (!out.back().second.is_number()) throw ArgumentError(fmt::format("{}: {} is no number", asked.question, measure));
    }
    if (out.empty()) throw ArgumentError(fmt::format("{}: there is nothing in `among`", asked.question));
    return out;
}

Answer told(const std::vector<std::pair<std::string, Answer>>& all) {
    Answer out;
    for (const auto& [id, answer] : all) out.found[id] = answer.number();
    out.found_unit = all.front().second.unit, out.provenance = all.front().second.provenance;
    return out;
}

Answer largest(const Asked& asked) {
    const auto all = measured(asked);
    Answer out = told(all);
    out.value = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second.number() < b.second.number(); })->first;
    return out;
}

Answer ascending(const Asked& asked) {
    auto all = measured(asked);
    Answer out = told(all);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second.number() < b.second.number(); });
    std::vector<std::string> names;
    for (const auto& each : all) names.push_back(each.first);
    out.value = std::move(names);
    return out;
}

Answer effect(const Asked& asked) {
    const std::string against = asked.argument("against", "");
    if (against.empty()) throw ArgumentError(fmt::format("{}: against must name a rung", asked.question));
    const auto sectors = [](const simt::KernelRun& run) {
        std::int64_t sum = 0;
        for (const simt::StepReport& launch : run.steps)
            for (const simt::LineCount& line : launch.lines) sum += simt::touches_memory(line.op) && line.space == simt::Space::global ? line.transfers : 0;
        return sum;
    };
    Setup own = asked.setup, other = asked.setup;
    other.parameters["rung"] = against; // with the sizes and the block of this one
    own.parameters["record"] = other.parameters["record"] = "none";
    KernelProcess one(own), two(other);
    const bool wrong = !one.run(0).right(), slower = sectors(one.run(0)) > sectors(two.run(0));
    return {std::string(wrong && slower ? "both" : wrong ? "wrong" : slower ? "slower" : "neither"), "", Provenance::counted};
}

Answer clean(const Asked& asked) {
    std::vector<std::string> names;
    for (const auto& [id, rung] : named_values(asked, "among"))
        if (KernelProcess(with_rung(asked, rung)).run(0).right()) names.push_back(id);
    return {std::move(names), "", Provenance::counted};
}

Answer repeats(const Asked& asked) {
    const std::int64_t schedules = asked.integer("schedules", "12");
    if (schedules < 2 || schedules > 100) throw ArgumentError(fmt::format("{}: schedules must be 2 to 100, not {}", asked.question, schedules));
    std::vector<std::string> names;
    for (const auto& [id, rung] : named_values(asked, "among")) {
        Setup setup = with_rung(asked, rung);
        std::optional<KernelValues> first;
        bool same = true;
        for (std::int64_t seed = 1; seed <= schedules && same; ++seed) {
            setup.parameters["schedule"] = std::to_string(seed);
            const KernelValues outputs = KernelProcess(setup).run(0).outputs();
            same = !first || *first == outputs;
            first = outputs;
        }
        if (same) names.push_back(id);
    }
    return {std::move(names), "", Provenance::computed};
}

/// Where an output parts from the reference: in elements by which borders.
Answer wrong_at(const Asked& asked) {
    const std::int64_t reach = asked.integer("reach", "1");
    Setup setup = asked.setup;
    setup.parameters["record"] = "none";
    KernelProcess process(setup);
    const simt::KernelRun& run = process.run(0);
    KernelValues right = run.prepared.initial_numbers();
    run.prepared.ladder->reference(run.prepared.problem, right);
    const std::int64_t threads = run.prepared.block.count();
    bool any = false, blocks = true, warps = true;
    const auto near = [&](std::int64_t at, std::int64_t size) { return at % size < reach || at % size >= size - reach; };
    for (const auto& [name, values] : run.outputs()) {
        const std::vector<double>& wanted = right.at(name);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            if (std::abs(values[i] - wanted[i]) <= 1e-5 * std::abs(wanted[i])) continue; // NaN is not
            any = true, blocks = blocks && near(at, threads), warps = warps && near(at, 32);
        }
    }
    return {std::string(!any ? "nowhere" : blocks ? "blocks" : warps ? "warps" : "everywhere"), "", Provenance::computed};
}

} // namespace

const std::vector<AnswerEntry>& comparing_answers() {
    static const std::vector<AnswerEntry> list{
        {{"largest", "for which of the values `among` of the parameter `vary` the question `measure` has the largest answer", false, true}, largest},
        {{"ascending", "the names in `among` in the order of their answers, the smallest first, as for largest", false, true}, ascending},
        {{"effect", "beside the rung `against`: wrong, slower (more sectors), both or neither", false, true}, effect},
        {{"wrong_at", "where outputs are wrong: nowhere, within `reach` elements of the borders of blocks, or of warps, or everywhere", false, true}, wrong_at},
        {{"clean", "which of the rungs `among` give what the reference does, with nothing found", false, true}, clean},
        {{"repeats", "which of the rungs `among` give the same bits at each of `schedules` schedules", false, true}, repeats},
    };
    return list;
}

} // namespace gradus::kernels
