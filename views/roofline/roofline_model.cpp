#include "views/roofline/roofline_model.hpp"

#include "engine/core/text.hpp"
#include "engine/hardware/ceilings.hpp"
#include "engine/hardware/chips.hpp"
#include "engine/hardware/roofline.hpp"
#include "engine/trace/derive/launch_sites.hpp"
#include "engine/trace/derive/level_traffic.hpp"
#include "views/derive/parameter_words.hpp"
#include "views/roofline/roofline_words.hpp"
#include "views/theme/numbers.hpp"


namespace gradus {

namespace {

using roofline_words::tr;

/// The chip that the Run names, else the first of the architecture that it names; null where none is known of it.
const Chip* chip_of(const Run& run) {
    const auto& given = run.manifest().parameters;
    const auto chip = given.find("chip"), architecture = given.find("architecture");
    for (const Chip& one : all_chips()) {
        if (chip != given.end() ? one.id == chip->second : architecture == given.end()) return &one;
        if (chip == given.end() && parse_number(architecture->second).value_or(0) * 10 == one.capability) return &one;
    }
    return nullptr;
}

RooflineDot dot_of(const std::string& id, StepIndex iteration, double flops, double bytes, const Chip* chip) {
    RooflineDot dot;
    dot.iteration = iteration;
    dot.name = QString::fromStdString(id).section('/', 1);
    dot.label = dot.name.section('_', 0, 0);
    dot.intensity = flops / bytes;
    if (chip) dot.modelled = roofline(flops, bytes, chip->fp32_flops, chip->memory_bandwidth).flops_per_second;
    return dot;
}

/// The rungs as the series tell; of other Runs the iteration that one stands on.
void add_dots(RooflineModel& model, const Look& look, const std::vector<const EventSite*>& launches, const Chip* chip) {
    const Run& run = *look.run();
    const StepIndex here = look.state.cursor.iteration;
    if (!run.find_series("flops_per_byte")) {
        if (!look.kernels || launches.empty()) return;
        const LevelTraffic traffic = traffic_at(*look.kernels, -1, launches).traffic;
        model.counted = true;
        if (!traffic.multiply_adds || !traffic.sectors_asked()) return;
        const double flops = 2 * static_cast<double>(traffic.multiply_adds);
        model.dots.push_back(dot_of(launches.front()->module, here, flops, static_cast<double>(traffic.sectors_asked()), chip));
        model.dots.back().here = true;
        if (const auto least = traffic.memory_least(); least && *least > 0) model.best = flops / static_cast<double>(*least);
        return;
    }
    for (const ClimbedRung& rung : climbed_rungs(run)) {
        const bool stands = !launches.empty() && launches.front()->module == rung.id;
        const StepIndex iteration = stands ? here : rung.iteration;
        const auto value = [&](const char* name) { return run.value_at(name, iteration).value_or(0); };
        model.counted = true;
        const double flops = value("flops"), bytes = value("bytes_l1"), least = value("bytes_memory");
        if (!(flops > 0) || !(bytes > 0)) continue;
        RooflineDot dot = dot_of(rung.id, iteration, flops, bytes, chip);
        dot.here = stands;
        if (const double seconds = value("plain_seconds"); seconds > 0) // else it was not timed
            dot.measured = flops / seconds;
        if (const double seconds = value("plain_seconds_median"); seconds > 0) dot.measured_low = flops / seconds;
        if (stands && least > 0) model.best = flops / least;
        model.dots.push_back(std::move(dot));
    }
}

} // namespace

RooflineModel make_roofline(const Look& look) {
    RooflineModel model;
    const Run& run = *look.run();
    const StepIndex iteration = look.state.cursor.iteration;
    const Chip* chip = chip_of(run);
    const std::vector<const EventSite*> launches = launches_of(look.full ? *look.full : run, iteration);
    add_dots(model, look, launches, chip);
    const auto measured = [&](Ceiling ceiling) { return run.value_at(name_of(ceiling), iteration).value_or(0); };
    const double peak = measured(Ceiling::peak), memory = measured(Ceiling::memory), cache = measured(Ceiling::cache);
    if (peak > 0 && cache > 0)
        model.roofs.push_back({tr("one core here, from its cache"), cache, peak, Provenance::measured, tr("cache %1").arg(with_prefix(cache, "B/s")), tr("one core here %1").arg(with_prefix(peak, "FLOP/s")), tr("one core here"), tr("from its cache")});
    if (peak > 0 && memory > 0) model.roofs.push_back({tr("one core here, from memory"), memory, peak, Provenance::measured, tr("memory %1").arg(with_prefix(memory, "B/s")), {}, {}, tr("from memory")});
    if (chip) {
        model.chip = choice_words(chip->id);
        model.source = QString::fromStdString(chip->source);
        model.roofs.push_back({model.chip, chip->memory_bandwidth, chip->fp32_flops, Provenance::modelled, tr("memory %1").arg(with_prefix(chip->memory_bandwidth, "B/s")),
                               QStringLiteral("%1 %2").arg(model.chip, with_prefix(chip->fp32_flops, "FLOP/s")), model.chip, {}});
    }
    return model;
}

} // namespace gradus
