#include "views/hierarchy/hierarchy_model.hpp"

#include "engine/hardware/architectures.hpp"
#include "engine/hardware/chips.hpp"
#include "views/hierarchy/hierarchy_words.hpp"
#include "views/theme/numbers.hpp"

#include <algorithm>

namespace gradus {

namespace {

using hierarchy_words::tr;

QString binary(std::int64_t bytes) {
    constexpr std::int64_t mib = 1 << 20;
    return bytes >= mib && bytes % mib == 0 ? QStringLiteral("%1 MiB").arg(bytes / mib) : QStringLiteral("%1 KiB").arg(bytes / 1024);
}

struct Machine {
    const Architecture* architecture = nullptr;
    const Chip* chip = nullptr; ///< null: only the architecture is known
};

/// The chip that the Run names, else the architecture it names with a chip that is known of it, else the A100.
Machine machine_of(const Run& run) {
    const auto& given = run.manifest().parameters;
    Machine out;
    if (const auto named = given.find("chip"); named != given.end())
        for (const Chip& one : all_chips())
            if (one.id == named->second) out.chip = &one;
    if (const auto named = given.find("architecture"); !out.chip && named != given.end())
        for (const Architecture& one : all_architectures())
            if (one.name() == named->second) out.architecture = &one;
    if (!out.chip && !out.architecture) out.chip = &all_chips().front();
    for (const Chip& one : all_chips())
        if (out.architecture && !out.chip && one.capability == out.architecture->capability) out.chip = &one;
    if (!out.architecture) out.architecture = &architecture(out.chip->capability);
    return out;
}

void describe(HierarchyPlace& place, const Machine& on) {
    const Chip* chip = on.chip;
    switch (place.level) {
    case MemoryLevel::registers:
        place.name = tr("Registers");
        place.capacity = tr("%1 per SM").arg(binary(std::int64_t{on.architecture->registers_per_sm} * 4));
        place.meaning = tr("what each lane loads and stores");
        return;
    case MemoryLevel::shared:
        place.name = tr("Shared memory");
        place.capacity = tr("up to %1 per SM").arg(binary(on.architecture->shared_per_sm));
        place.meaning = tr("wavefronts × 128 bytes");
        return;
    case MemoryLevel::l1:
        place.name = tr("L1 cache");
        if (chip) place.capacity = tr("%1 per SM with shared memory").arg(binary(chip->l1_and_shared_per_sm));
        place.meaning = tr("sectors asked × 32 bytes");
        return;
    case MemoryLevel::l2:
        place.name = tr("L2 cache");
        if (chip) place.capacity = binary(chip->l2_bytes);
        place.meaning = tr("what is asked of L1, where L1 holds none of it");
        place.bound = HierarchyPlace::Bound::at_most;
        return;
    case MemoryLevel::memory:
        place.name = chip ? QString::fromStdString(chip->memory) : tr("Memory");
        if (chip) place.capacity = tr("%1 at %2").arg(with_prefix(static_cast<double>(chip->memory_bytes), "B"), with_prefix(chip->memory_bandwidth, "B/s"));
        place.meaning = tr("distinct sectors × 32 bytes: each once");
        place.bound = HierarchyPlace::Bound::at_least;
        return;
    }
}

QString event_words(const TrafficAt& at, const KernelTrace& trace) {
    switch (at.of) {
    case TrafficAt::Of::iteration:
    case TrafficAt::Of::launch: return trace.launches.size() > 1 && at.of == TrafficAt::Of::iteration ? tr("all launches") : tr("the whole launch");
    case TrafficAt::Of::block: return tr("block %1").arg(trace.log.blocks[at.number].number);
    case TrafficAt::Of::step: return tr("one warp step");
    }
    return {};
}

/// "matmul/3_shared" -> "3_shared"
QString rung_name(const std::string& id) { return QString::fromStdString(id).section('/', 1); }

std::optional<HierarchyTiles> tiles_of_step(const std::shared_ptr<const KernelEvents>& kernels, std::size_t step, HierarchyKept& kept) {
    const std::shared_ptr<const KernelTrace> trace(kernels, &kernels->trace());
    const std::size_t block = trace->block_of(step);
    if (kept.kernels != kernels || !kept.motion || kept.motion->block().number() != block)
        kept = {kernels, std::make_shared<const TileMotion>(std::make_shared<const KernelBlock>(trace, block))};
    return tiles_at(*kept.motion, step);
}

std::optional<double> rung_bytes(const Run& run, MemoryLevel level, StepIndex iteration) {
    const MemoryLevel asked = level == MemoryLevel::l2 ? MemoryLevel::l1 : level; // as much as that, at most
    return run.value_at("bytes_" + std::string(name_of(asked)), iteration);
}

} // namespace

HierarchyModel make_hierarchy(const Look& look, HierarchyKept& kept) {
    HierarchyModel model;
    if (!look.kernels) return model;
    const Run& run = *look.run();
    const StepIndex iteration = look.state.cursor.iteration;
    const std::vector<const EventSite*> launches = launches_of(look.full ? *look.full : run, iteration);
    const TrafficAt at = traffic_at(*look.kernels, look.state.cursor.ordinal, launches);
    const Machine on = machine_of(run);
    model.of = event_words(at, look.kernels->trace());
    if (at.of == TrafficAt::Of::step) model.tiles = tiles_of_step(look.kernels, at.number, kept);
    if (model.tiles) model.of = tr("one warp step, phase %1 of %2").arg(model.tiles->phase + 1).arg(model.tiles->phases);
    model.chip = on.chip ? QString::fromStdString(on.chip->name) : tr("compute capability %1").arg(QString::fromStdString(on.architecture->name()));
    model.source = on.chip ? QString::fromStdString(on.chip->source) : QStringLiteral("CUDA Programming Guide 13");
    if (run.find_series("bytes_l1"))
        for (const ClimbedRung& rung : climbed_rungs(run)) {
            const QString name = rung_name(rung.id);
            const bool here = !launches.empty() && launches.front()->module == rung.id;
            model.rungs.push_back({here ? iteration : rung.iteration, name.section('_', 0, 0), name, here});
        }
    for (const MemoryLevel level : memory_levels) {
        HierarchyPlace place;
        place.level = level;
        describe(place, on);
        if (const auto bytes = bytes_at(at.traffic, level)) place.bytes = static_cast<double>(*bytes);
        if (const auto ideal = ideal_at(at.traffic, level)) place.ideal = static_cast<double>(*ideal);
        for (const HierarchyRung& rung : model.rungs) place.rungs.push_back(rung_bytes(run, level, rung.iteration));
        model.places.push_back(std::move(place));
    }
    return model;
}

QString bytes_text(const HierarchyPlace& place) {
    if (!place.bytes) return QStringLiteral("–");
    const QString number = with_prefix(*place.bytes, "B");
    if (place.bound == HierarchyPlace::Bound::counted || *place.bytes == 0) return number;
    return (place.bound == HierarchyPlace::Bound::at_most ? QStringLiteral("≤ ") : QStringLiteral("≥ ")) + number;
}

QString ideal_text(const HierarchyPlace& place) {
    if (!place.ideal || !(place.bytes.value_or(0) > 0)) return {};
    const QString number = with_prefix(*place.ideal, "B");
    return place.bound == HierarchyPlace::Bound::at_most ? tr("at least %1").arg(number) : tr("ideal %1").arg(number);
}

} // namespace gradus
