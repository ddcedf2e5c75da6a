#include "views/rungs/rungs_model.hpp"

#include "engine/hardware/chips.hpp"
#include "views/derive/parameter_words.hpp"
#include "views/rungs/rungs_words.hpp"

#include <algorithm>

namespace gradus {

namespace {

using rungs_words::tr;

/// The source without what stands above it in comments, and without the lines that only name what is to be compiled.
std::vector<RungLine> read_code(const KernelTrace& trace, std::size_t launch, std::int32_t file) {
    std::vector<RungLine> all;
    if (file < 0 || static_cast<std::size_t>(file) >= trace.sources.size()) return all;
    for (const QString& line : QString::fromStdString(trace.sources[static_cast<std::size_t>(file)]).split('\n')) all.push_back({static_cast<std::int32_t>(all.size()) + 1, line, {}, {}});
    for (const LineCounters& counters : line_counters(trace, launch, file)) {
        if (counters.line < 1 || static_cast<std::size_t>(counters.line) > all.size()) continue;
        RungLine& line = all[static_cast<std::size_t>(counters.line) - 1];
        for (const LineAccess& access : counters.accesses) (access.space == simt::Space::shared ? line.wavefronts : line.sectors).push_back(access);
    }
    const auto head = std::find_if(all.begin(), all.end(), [](const RungLine& line) { return !line.text.trimmed().isEmpty() && !line.text.startsWith(QLatin1String("//")); });
    std::vector<RungLine> out;
    for (auto at = head; at != all.end(); ++at)
        if (!at->text.startsWith(QLatin1String("template __global__"))) out.push_back(std::move(*at));
    while (!out.empty() && out.back().text.trimmed().isEmpty()) out.pop_back();
    return out;
}

std::shared_ptr<const std::vector<SourceRow>> rows_of(const std::vector<RungLine>& left, const std::vector<RungLine>& right) {
    std::array<std::vector<std::string>, 2> texts;
    std::array<std::vector<std::string_view>, 2> lines;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const RungLine& line : side == 0 ? left : right) texts[side].push_back(line.text.toLatin1().toStdString()); // one character for each of the line's
        lines[side].assign(texts[side].begin(), texts[side].end());
    }
    return std::make_shared<const std::vector<SourceRow>>(diff_sources(lines[0], lines[1]));
}

bool has_shown(const KernelBlock& block, int warp) {
    const auto steps = block.of_warp(warp);
    return std::any_of(steps.begin(), steps.end(), [&](std::uint32_t step) { return block.trace().is_shown(step); });
}

/// The warp that is wanted, else the first of which steps are shown.
int warp_of(const KernelBlock& block, int wanted) {
    if (wanted >= 0 && wanted < block.warps() && has_shown(block, wanted)) return wanted;
    for (int warp = 0; warp < block.warps(); ++warp)
        if (has_shown(block, warp)) return warp;
    return 0;
}

/// Its block, the warp's way through it, and its source. `block`: its number in log.blocks; `warp`: -1: the first there is.
void look_at_side(RungSide& side, RungsKept::Side& kept, std::size_t block, int warp) {
    const KernelTrace& trace = *side.trace;
    if (kept.trace != side.trace || kept.block_number != block) kept = {};
    kept.trace = side.trace, kept.block_number = block;
    if (block < trace.log.blocks.size()) {
        if (!kept.block) kept.block = std::make_shared<KernelBlock>(side.trace, block);
        if (kept.block->begin() < kept.block->end()) side.block = kept.block;
    }
    if (side.block) {
        side.warp = warp_of(*side.block, warp);
        if (!kept.work || kept.warp != side.warp) kept.work = std::make_shared<WarpWork>(work_of(*side.block, side.warp)), kept.warp = side.warp;
        side.work = kept.work;
    }
    std::size_t launch = 0;
    if (side.steps()) {
        side.file = trace.sites[trace.log.site[side.work->steps.front()]].place.file;
        launch = trace.log.blocks[block].launch;
    }
    for (const KernelTrace::Line& line : trace.lines)
        if (side.file < 0) side.file = line.place.file, launch = line.launch;
    if (!kept.code || kept.file != side.file || kept.launch != launch) {
        kept.code = std::make_shared<const std::vector<RungLine>>(read_code(trace, launch, side.file));
        kept.file = side.file, kept.launch = launch;
    }
    side.code = kept.code;
    if (!side.steps()) side.why = tr("No step of %1 was recorded: only what it did as a whole can be compared.").arg(side.name);
    else if (trace.cut()) side.why = tr("The record of %1 was full before its end: it stands still there.").arg(side.name);
}

void find_line(RungSide& side) {
    if (!side.steps()) return;
    const KernelPlace& place = side.trace->sites[side.trace->log.site[side.step()]].place;
    if (place.file != side.file) return;
    for (std::size_t i = 0; i < side.code->size(); ++i)
        if ((*side.code)[i].number == place.line) side.line = static_cast<int>(i);
}

/// The rungs of the ladder, and which two stand side by side: false where there are not two.
bool choose_rungs(RungsModel& model, const Look& look) {
    const Run& run = *look.run();
    const StepIndex iteration = look.state.cursor.iteration;
    if (run.find_series("bytes_l1"))
        for (const ClimbedRung& rung : climbed_rungs(run)) {
            const QString name = QString::fromStdString(rung.id).section('/', 1);
            model.rungs.push_back({rung.iteration, name, name.section('_', 0, 0), -1});
        }
    if (model.rungs.empty()) {
        model.sentence = tr("This run climbs no ladder: it has no rungs to compare.");
        return false;
    }
    if (model.rungs.size() == 1) {
        model.sentence = tr("One rung has been climbed so far: the next one will stand beside it.");
        return false;
    }
    const std::vector<const EventSite*> launches = launches_of(look.full ? *look.full : run, iteration);
    const QString name = launches.empty() ? QString() : QString::fromStdString(launches.front()->module).section('/', 1);
    const auto count = static_cast<int>(model.rungs.size());
    int here = static_cast<int>(iteration) % count;
    for (int i = 0; i < count; ++i)
        if (model.rungs[static_cast<std::size_t>(i)].name == name) here = i;
    int beside = here > 0 ? here - 1 : 1;
    for (int i = 0; i < count; ++i)
        if (i != here && model.rungs[static_cast<std::size_t>(i)].iteration == look.state.compared) beside = i;
    for (const int number : {here, beside}) {
        RungChoice& choice = model.rungs[static_cast<std::size_t>(number)];
        choice.side = number == std::max(here, beside) ? 1 : 0;
        RungSide& side = model.sides[static_cast<std::size_t>(choice.side)];
        side.drives = number == here;
        side.iteration = side.drives ? iteration : choice.iteration;
        side.name = choice.name;
        if (side.drives && look.kernels) side.trace = {look.kernels, &look.kernels->trace()};
        else if (const auto tensors = run.tensors_of(side.iteration)) side.trace = tensors->kernels;
    }
    return true;
}

} // namespace

std::int64_t RungsModel::done(std::size_t side) const { return at_step && sides[side].steps() ? sides[side].work->of(work)[sides[side].number] : 0; }

double RungsModel::share(std::size_t side) const {
    const std::int64_t all = sides[side].steps() ? sides[side].work->total(work) : 0;
    return all ? static_cast<double>(done(side)) / static_cast<double>(all) : 0;
}

RungsModel make_rungs(const Look& look, RungsKept& kept) {
    RungsModel model;
    if (!choose_rungs(model, look)) return kept = {}, model;
    const Run& run = *look.run();
    if (const auto named = run.manifest().parameters.find("chip"); named != run.manifest().parameters.end()) model.chip = choice_words(named->second);
    const std::size_t drives = model.sides[1].drives ? 1 : 0;
    RungSide &driver = model.sides[drives], &other = model.sides[1 - drives];
    std::size_t block = 0, step = 0;
    int warp = -1;
    if (driver.trace && look.kernels) {
        model.events = look.kernels;
        const KernelTrace& trace = *driver.trace;
        const Cursor& cursor = look.state.cursor;
        const std::int32_t ordinal = cursor.level > Level::iteration ? cursor.ordinal : -1;
        if (!trace.log.blocks.empty()) block = model.events->block_of(ordinal);
        if (block >= trace.log.blocks.size()) block = 0;
        step = model.events->step_of(ordinal);
        model.at_step = step < trace.steps();
        if (model.at_step) warp = trace.log.warp[step];
        look_at_side(driver, kept.sides[drives], block, warp);
    }
    if (other.trace) look_at_side(other, kept.sides[1 - drives], block < other.trace->log.blocks.size() ? block : 0, driver.steps() ? driver.warp : warp);
    for (RungSide& side : model.sides)
        if (!side.trace) side.why = tr("What was recorded of %1 is no longer in memory: its counts are.").arg(side.name);
    if (driver.steps() && model.at_step) driver.number = driver.work->number_at(step);
    if (model.walks()) {
        model.work = common_work(*model.sides[0].work, *model.sides[1].work);
        if (model.at_step) other.number = same_share(*driver.work, driver.number, *other.work, model.work);
    }
    for (RungSide& side : model.sides) find_line(side);
    if (driver.code && other.code) {
        const std::array<std::shared_ptr<const std::vector<RungLine>>, 2> both{model.sides[0].code, model.sides[1].code};
        if (!kept.rows || kept.compared != both) kept.rows = rows_of(*both[0], *both[1]), kept.compared = both;
        model.rows = kept.rows;
    }
    model.counts = compare_counts(run, {model.sides[0].iteration, model.sides[0].trace.get()}, {model.sides[1].iteration, model.sides[1].trace.get()}, model.chip);
    return model;
}

std::optional<std::size_t> step_at_share(const RungsModel& model, double share) {
    const RungSide& driver = model.driver();
    if (!driver.steps()) return std::nullopt;
    const std::vector<std::int64_t>& done = driver.work->of(model.work);
    const double wanted = share * static_cast<double>(done.back());
    const auto at = std::partition_point(done.begin(), done.end(), [&](std::int64_t each) { return static_cast<double>(each) < wanted; });
    return driver.work->steps[std::min(static_cast<std::size_t>(at - done.begin()), done.size() - 1)];
}

std::optional<std::size_t> step_at_line(const RungsModel& model, std::size_t side, int line) {
    const RungSide &driver = model.driver(), &asked = model.sides[side];
    if (!driver.steps() || !asked.steps() || line < 0 || static_cast<std::size_t>(line) >= asked.code->size()) return std::nullopt;
    const std::int32_t wanted = (*asked.code)[static_cast<std::size_t>(line)].number;
    const std::vector<std::uint32_t>& steps = asked.work->steps;
    const auto is_there = [&](std::size_t number) {
        const KernelPlace& place = asked.trace->sites[asked.trace->log.site[steps[number]]].place;
        return place.file == asked.file && place.line == wanted;
    };
    std::optional<std::size_t> found;
    const std::size_t from = model.at_step ? asked.number + 1 : 0;
    for (std::size_t i = from; i < steps.size() && !found; ++i)
        if (is_there(i)) found = i;
    for (std::size_t i = 0; i < std::min(from, steps.size()) && !found; ++i)
        if (is_there(i)) found = i;
    if (!found) return std::nullopt;
    if (asked.drives) return steps[*found];
    // As far as the other is then: the first of the driver's steps that brings it there.
    std::size_t low = 0, high = driver.work->steps.size() - 1;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (same_share(*driver.work, middle, *asked.work, model.work) >= *found) high = middle;
        else low = middle + 1;
    }
    return driver.work->steps[low];
}

} // namespace gradus
