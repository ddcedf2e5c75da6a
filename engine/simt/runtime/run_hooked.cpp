#include "engine/simt/runtime/launch_request.hpp"

#include "engine/simt/runtime/kernel_library.hpp"
#include "engine/simt/runtime/race_check.hpp"
#include "engine/simt/runtime/touched_sectors.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

namespace gradus::simt {

namespace {

/// Tells several: all of them of steps, and what is told of each lane's access only those that listen.
class Watchers : public StepWatcher {
public:
    void add(StepWatcher* watcher) { watchers_.push_back(watcher); }
    void add_for_values(StepWatcher* watcher) { add(watcher), for_values_.push_back(watcher); }
    void drop(StepWatcher* watcher) {
        for (auto* list : {&watchers_, &for_values_}) std::erase(*list, watcher);
    }
    void block_begins(std::uint32_t block) override {
        for (StepWatcher* each : watchers_) each->block_begins(block);
    }
    void step(const WarpStep& step) override {
        for (StepWatcher* each : watchers_) each->step(step);
    }
    void met(std::uint32_t warp, std::uint32_t mask, const Meeting& meeting) override {
        for (StepWatcher* each : for_values_) each->met(warp, mask, meeting);
    }
    void warp_ordered(std::uint32_t warp, std::uint32_t mask) override {
        for (StepWatcher* each : watchers_) each->warp_ordered(warp, mask);
    }
    void block_ordered() override {
        for (StepWatcher* each : watchers_) each->block_ordered();
    }
    void fence(ThreadName thread, int scope) override {
        for (StepWatcher* each : watchers_) each->fence(thread, scope);
    }
    void late_before(ThreadName thread, Word value) override {
        for (StepWatcher* each : for_values_) each->late_before(thread, value);
    }
    void late_after(ThreadName thread, Word value, std::size_t back) override {
        for (StepWatcher* each : for_values_) each->late_after(thread, value, back);
    }
    void multiply_add(ThreadName thread, std::uint32_t ahead, Site site, float a, float b, float c, float result) override {
        for (StepWatcher* each : for_values_) each->multiply_add(thread, ahead, site, a, b, c, result);
    }

private:
    std::vector<StepWatcher*> watchers_, for_values_;
};

MemoryMap map_of(const LaunchRequest& request, const KernelLibrary& library, std::byte* memory, int shared_unit) {
    MemoryMap map;
    for (const LaunchRequest::Buffer& buffer : request.buffers)
        map.add({reinterpret_cast<std::uint64_t>(memory) + buffer.offset, buffer.bytes, Space::global, buffer.unit, buffer.name});
    if (const auto shared = library.shared(); shared.bytes) map.add({shared.begin, shared.bytes, Space::shared, shared_unit, "shared memory"});
    for (const auto& data : library.data()) map.add({data.begin, data.bytes, Space::module, 1, "the kernel's own variables"});
    return map;
}

/// Fills shared memory with a pattern that is no sensible number, as it holds what the last block of a GPU left.
void spoil(const KernelLibrary::Segment& shared) { std::memset(reinterpret_cast<void*>(shared.begin), 0xcd, shared.bytes); }

/// The library's own variables, as they are before its first kernel runs.
class OwnVariables {
public:
    explicit OwnVariables(const KernelLibrary& library) : segments_(library.data()) {
        for (const auto& segment : segments_) {
            const auto* bytes = reinterpret_cast<const std::byte*>(segment.begin);
            before_.emplace_back(bytes, bytes + segment.bytes);
        }
    }
    /// Writes only what has changed: not all of it may be written.
    void begin_again() const {
        for (std::size_t i = 0; i < segments_.size(); ++i)
            for (std::size_t at = 0; at < before_[i].size(); ++at)
                if (auto& now = reinterpret_cast<std::byte*>(segments_[i].begin)[at]; now != before_[i][at]) now = before_[i][at];
    }

private:
    std::vector<KernelLibrary::Segment> segments_;
    std::vector<std::vector<std::byte>> before_;
};

struct Once {
    const LaunchRequest& request;
    const KernelLibrary& library;
    OwnMemory& own;
    RunOptions options;
    std::byte* memory = own.data();
    int shared_unit = 4; ///< bytes
    std::vector<bool> remembered = {}; ///< ranges, see RaceCheck
    bool missed = false;               ///< reads that count: it stopped where they did
    bool lost = false;                 ///< values that were to be recorded: it stopped there
    std::int64_t blocks_run = 0;
    std::optional<LaunchRecorder> log = {};
    std::optional<LocalsRecorder> locals = {};

    LaunchAnswer run() {
        LaunchAnswer answer;
        MemoryMap map = map_of(request, library, memory, shared_unit);
        HookedRunner runner(map, library.text().begin, library.text().bytes, library.hooked());
        map.add(runner.stack_range());
        for (const MemoryRange& range : map.ranges()) answer.ranges.push_back({range.name, range.space, range.size, range.space == Space::module ? range.begin - library.base() : 0});
        answer.text_offset = library.text().begin - library.base();
        answer.shared_begin = where(Space::shared);
        answer.base = where(Space::global);
        runner.tell_used(own.steps());
        HookedRunner::attach(&runner);
        answer.whole = true;
        missed = lost = false;
        blocks_run = 0;
        if (request.recording.wanted) log.emplace(map, request.recording, own.given() - memory);
        if (!request.frames.empty())
            locals.emplace(map, request.frames, answer.text_offset, request.recording.wanted ? request.recording.warps : request.watched.warps, request.recording.most_locals);
        for (std::size_t i = 0; i < request.steps.size() && answer.whole; ++i) answer.whole = step(i, map, runner, answer);
        HookedRunner::attach(nullptr);
        if (missed || lost) return answer; // all of it comes again
        if (log) answer.log = log->take();
        log.reset();
        if (locals) answer.locals = locals->take();
        locals.reset();
        for (std::uint32_t path = 0; path < runner.paths().count(); ++path) answer.paths.push_back(runner.paths().calls(path));
        answer.printed = runner.printed();
        if (answer.record) place(answer.record->addresses, map);
        return answer;
    }

    /// Where a kind of memory begins in recorded addresses. In the child it lies somewhere else each time.
    static constexpr std::uint64_t where(Space space) { return (static_cast<std::uint64_t>(space) + 1) << 40; }

    void place(std::vector<std::uint64_t>& addresses, const MemoryMap& map) const {
        std::size_t last = 0;
        for (std::uint64_t& address : addresses) {
            if (!map.bounds(last).holds(address, 1)) {
                const int found = map.find(address, 1);
                if (found == MemoryMap::nowhere) continue;
                last = static_cast<std::size_t>(found);
            }
            const Space space = map[last].space;
            const std::uint64_t begin = space == Space::global   ? reinterpret_cast<std::uint64_t>(memory)
                                        : space == Space::module ? library.base()
                                                                 : map[last].begin;
            address = where(space) + (address - begin);
        }
    }

    bool step(std::size_t number, MemoryMap& map, HookedRunner& runner, LaunchAnswer& answer) {
        const LaunchRequest::Step& step = request.steps[number];
        if (request.dynamic_shared >= 0) // shared memory ends where this launch's does
            map.resize(request.buffers.size(), std::min(library.shared().bytes, static_cast<std::uint64_t>(request.dynamic_shared + step.shape.shared_bytes)));
        std::vector<std::uint64_t> values;
        for (const LaunchRequest::Argument& argument : step.arguments)
            values.push_back(argument.buffer < 0 ? argument.bits : reinterpret_cast<std::uint64_t>(memory) + request.buffers[static_cast<std::size_t>(argument.buffer)].offset);
        std::vector<void*> arguments;
        for (std::uint64_t& value : values) arguments.push_back(&value);

        Findings findings;
        Watchers watchers;
        AccessCounters counters(map, library.shared().begin, library.text().bytes);
        RaceCheck races(map, findings, remembered);
        StepRecorder recorder(request.watched.warps);
        if (request.count) watchers.add(&counters);
        if (request.check_races) watchers.add(&races);
        std::optional<TouchedSectors> touched;
        if (log) watchers.add(&touched.emplace(map));
        const std::int64_t before = runner.used(), multiply_adds_before = runner.multiply_adds();
        const auto began = std::chrono::steady_clock::now();
        bool whole = true;
        const KernelEntry entry = library.entry(step.entry);
        for (std::int64_t block = 0; block < step.shape.blocks() && whole; ++block) {
            const bool watched = request.watched.step == static_cast<int>(number) && request.watched.block == block;
            const bool recorded = log && request.recording.wants(static_cast<std::int32_t>(number), block);
            if (request.recording.wanted && request.recording.alone && request.recording.launch == static_cast<int>(number) && !recorded) continue;
            if (request.watched.alone && request.watched.step == static_cast<int>(number) && !watched) continue;
            RunOptions of_block = options;
            of_block.values = watched || recorded;
            if (watched) watchers.add_for_values(&recorder);
            LocalsRecorder* const with_locals = locals && (recorded || (watched && !request.recording.wanted)) ? &*locals : nullptr;
            if (with_locals) with_locals->block_begins();
            spoil(library.shared());
            if (recorded) {
                if (!request.check_races) of_block.log_length = 1;
                of_block.multiply_adds = true;
                log->launch_begins(static_cast<std::uint32_t>(number), blocks_run == 0);
                watchers.add_for_values(&*log);
            }
            try {
                whole = runner.run_block(step.shape, block, entry, arguments.data(), of_block, watchers, findings, with_locals);
            } catch (const RaceCheck::ReadsMissing& of) {
                remembered.resize(map.ranges().size());
                remembered[of.range] = missed = true;
                return false;
            }
            own.tell_blocks(++blocks_run);
            if (recorded && (log->lost() || runner.lost_values())) {
                lost = true;
                return false;
            }
            if (recorded) {
                log->block_ends();
                if (const auto& fault = runner.fault()) log->fault(fault->thread, fault->site);
                watchers.drop(&*log);
            }
            if (with_locals) with_locals->block_ends();
            if (!watched) continue;
            watchers.drop(&recorder);
            answer.record = recorder.take();
        }
        answer.steps.push_back({counters.counts(), runner.used() - before, runner.multiply_adds() - multiply_adds_before,
                                std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
                                touched ? touched->read() : 0, touched ? touched->written() : 0});
        for (const Findings::Seen& seen : findings.all()) answer.findings.push_back({seen.first, seen.times, static_cast<std::int32_t>(number), seen.threads, seen.seconds});
        return whole;
    }
};

} // namespace

LaunchAnswer run_hooked(const LaunchRequest& request, OwnMemory& memory) {
    const KernelLibrary library(request.library);
    library.attach(HookedRunner::runtime());
    const OwnVariables variables(library);
    const auto begin_again = [&] { memory.begin_again(), variables.begin_again(); };
    Once once{request, library, memory, request.options};
    const auto run = [&] { // each time with one range more of which all is known
        LaunchAnswer answer = once.run();
        while (once.missed || once.lost) {
            if (once.lost) once.options.log_length = 1;
            begin_again();
            answer = once.run();
        }
        return answer;
    };
    LaunchAnswer answer = run();
    const bool depends = std::any_of(answer.findings.begin(), answer.findings.end(), [](const LaunchAnswer::Found& found) {
        return found.finding.kind != Finding::Kind::mismatched_barrier;
    });
    for (const LaunchAnswer::Step& step : answer.steps) // neighbours in one word do not race
        for (const PlaceCount& count : step.counts)
            if (count.space == Space::shared && touches_memory(count.op)) once.shared_unit = std::min<int>(once.shared_unit, std::max<int>(count.bytes, 1));
    const bool ahead = once.options.log_length > 1 && !request.options.schedule;
    if (!depends || (!ahead && once.shared_unit == 4)) return answer;
    begin_again();
    once.options.log_length = 1;
    answer = run();
    answer.lockstep = true;
    return answer;
}

} // namespace gradus::simt
