#include "lessons/experiments/climb_ladder/answers.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/hardware/roofline.hpp"
#include "lessons/experiments/climb_ladder/counts.hpp"
#include "lessons/experiments/climb_ladder/settings.hpp"
#include "lessons/experiments/run_kernel/launches.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus::kernels {

namespace {

/// Units of what is counted, as its series has them.
std::string unit_of(const std::string& name) {
    for (const auto& [info, value] : rung_counts(LevelTraffic()))
        if (info.name == name) return info.unit;
    return {};
}

/// The rung that a question is about: its name, or first or last of those that are climbed.
Settings rung_of(const Asked& asked, const char* argument, const char* standard) {
    const std::string name = asked.argument(argument, standard);
    const ClimbSettings climb = read_climb(asked.setup);
    if (name == "first") return climb.rungs.front();
    if (name == "last") return climb.rungs.back();
    return rung_settings(asked.setup, name);
}

/// What is counted of a rung: as the Run has it, if it is of these parameters and climbed so far; else the rung is run, with no step recorded.
class Counts {
public:
    Counts(const Asked& asked, Settings rung) : asked_(asked), rung_(std::move(rung)) {
        const bool same = asked.run && asked.run->manifest().parameters == asked.setup.parameters && asked.run->manifest().seed == asked.setup.seed;
        const ClimbSettings climb = read_climb(asked.setup);
        for (std::size_t i = 0; same && i < climb.rungs.size(); ++i)
            if (climb.rungs[i].request.rung == rung_.request.rung && static_cast<StepIndex>(i) < asked.run->head()) iteration_ = static_cast<StepIndex>(i);
    }
    double operator()(const std::string& name) {
        if (iteration_ >= 0)
            if (const auto known = asked_.run->value_at(name, iteration_)) return *known;
        if (!traffic_) {
            rung_.request.recording = {.wanted = true, .launch = simt::Recording::no_launch};
            RungLaunches launches(rung_, asked_.setup.seed, asked_.setup.stop);
            launches.run(0);
            traffic_ = launches.traffic();
        }
        return rung_count(*traffic_, name);
    }

private:
    const Asked& asked_;
    Settings rung_;
    StepIndex iteration_ = -1;
    std::optional<LevelTraffic> traffic_;
};

Answer count(const Asked& asked) {
    const std::string of = asked.argument("of", "global_loads");
    return counted(Counts(asked, rung_of(asked, "rung", "last"))(of), unit_of(of));
}

double share(double of, double by) { return by > 0 ? of / by : 0; }

Answer times_fewer(const Asked& asked) {
    const std::string of = asked.argument("of", "global_loads");
    return counted(share(Counts(asked, rung_of(asked, "than", "first"))(of), Counts(asked, rung_of(asked, "rung", "last"))(of)));
}

Answer multiply_adds_per_load(const Asked& asked) {
    const std::string from = asked.argument("from", "shared");
    if (from != "shared" && from != "global") throw ArgumentError(fmt::format("{}: from must be shared or global, not '{}'", asked.question, shortened(from)));
    Counts counts(asked, rung_of(asked, "rung", "last"));
    return counted(share(counts("multiply_adds"), counts(from + "_loads")));
}

Answer fewest(const Asked& asked) {
    const std::string of = asked.argument("of", "global_loads");
    Answer out{std::string(), "", Provenance::counted};
    double least = 0;
    for (const Settings& rung : read_climb(asked.setup).rungs) {
        const double value = Counts(asked, rung)(of);
        const std::string& id = rung.request.rung->id;
        if (out.found.empty() || value < least) out.value = id, least = value;
        out.found[id] = value;
    }
    out.found_unit = unit_of(of);
    return out;
}

/// What is at work the longest, were each part of the chip alone: see LevelTimes.
Answer limit(const Asked& asked) {
    Counts counts(asked, rung_of(asked, "rung", "last"));
    const LevelTimes times = level_times(counts("flops"), counts("bytes_shared"), counts("bytes_l1"), *read_climb(asked.setup).chip);
    Answer out{std::string("multiply_adds"), "", Provenance::modelled};
    if (times.shared > times.arithmetic) out.value = std::string("shared");
    if (times.memory > std::max(times.arithmetic, times.shared)) out.value = std::string("global");
    out.found = {{"multiply_adds", times.arithmetic}, {"shared", times.shared}, {"global", times.memory}};
    out.found_unit = "s";
    return out;
}

Answer modelled_seconds(const Asked& asked) {
    Counts counts(asked, rung_of(asked, "rung", "last"));
    const Chip& chip = *read_climb(asked.setup).chip;
    return {roofline(counts("flops"), counts("bytes_l1"), chip.fp32_flops, chip.memory_bandwidth).seconds, "s", Provenance::modelled};
}

Answer chip_knee(const Asked& asked) {
    const Chip& chip = *read_climb(asked.setup).chip;
    return {knee(chip.fp32_flops, chip.memory_bandwidth), "FLOP/byte", Provenance::modelled};
}

} // namespace

const std::vector<AnswerEntry>& climb_answers() {
    static const std::vector<AnswerEntry> list{
        {{"count", "what is counted of `rung`: `of` is a series, such as global_loads, shared_loads, sectors, bytes_l1, multiply_adds", false, false}, count},
        {{"times_fewer", "how many times fewer of these `rung` has than the rung `than`", false, false}, times_fewer},
        {{"multiply_adds_per_load", "multiply-adds of `rung` for each load of a lane `from` shared or global memory", false, false}, multiply_adds_per_load},
        {{"fewest", "the rung with the fewest of these, of those that are climbed", false, false}, fewest},
        {{"limit", "what of the chip is at work the longest with `rung`: multiply_adds, shared or global", false, false}, limit},
        {{"modelled_seconds", "the roofline's time of `rung` on the chip", false, false}, modelled_seconds},
        {{"knee", "FLOPs per byte at which the chip's arithmetic and memory take equally long", false, false}, chip_knee},
    };
    return list;
}

} // namespace gradus::kernels
