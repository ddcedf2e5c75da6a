#include "engine/io/export/formats.hpp"
#include "engine/io/export/kineto_parts.hpp"
#include "engine/io/export/output_file.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

// A Chrome trace in the manner of PyTorch's profiler. What HolisticTraceAnalysis (HTA) needs, found by trial with 0.5.0:
// - "rank": with a blank before the number, since HTA looks for it with a regular expression; and before the manifest.
// - A temporal breakdown needs kernels: events with a stream of 1 or more, tied to a cpu_op by `correlation`. Here the
//   kernel is the CPU implementation that the op called, and says so; no launch is pretended.
// - ProfilerStep#N for every iteration; HTA leaves the last one out unless told to keep it.
// - Times are whole microseconds. HTA rounds fractional ones inwards, which gives what is shorter than 1 µs a negative
//   length, and its breakdown fails. Starts and ends are rounded alike, so lengths add up and what was nested stays
//   so; the exact nanoseconds stand beside them in `args`. Perfetto draws fractions: its form of the trace has them.
// - "[memory]" events are instants with "Bytes", "Total Allocated" and "Total Reserved"; "Addr" is a number of the segment and
//   the offset in it, since no address is recorded.
// Perfetto wants an event before those inside it that start at the same time: events are in the order they began.

namespace gradus::exporting {

namespace {

using nlohmann::json;

class Trace {
public:
    Trace(const Run& run, const Job& job, const std::filesystem::path& path, bool fractions)
        : run_(run), job_(job), range_(job.range), file_(path), fractions_(fractions) {}

    void write() {
        std::vector<EventRecord> first;
        if (range_.from < range_.until) first = events_of(range_.from);
        // Times count from the clock's origin, or from what is written and came before it.
        origin_ = run_.manifest().clock.origin_ticks;
        for (const EventRecord& record : first) origin_ = std::min(origin_, record.start);
        if (range_.from > run_.first_iteration()) last_end_ = ns(run_.iteration_end(range_.from - 1));

        for (const auto& series : run_.series())
            if (series->info().name != "step_seconds" &&
                axis_of(series->info()) == "iteration") // a step's `dur` says it
                counters_.emplace_back(series.get(), fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":)",
                                                                 dumped(series->info().name), engine_process));

        write_header();
        write_names();
        // The events of iteration -1 are left out: they say what a Run began with, and their times mean nothing.
        for (StepIndex iteration = range_.from; iteration < range_.until; ++iteration) {
            job_.reach(iteration);
            write_iteration(iteration, iteration == range_.from ? first : events_of(iteration));
        }
        if (range_.until == run_.head())
            write_edits(range_.until, last_end_); // made, but nothing computed with them yet
        file_.text += "\n]}\n";
        file_.commit();
    }

private:
    /// As they began, so that an event stands before those within it.
    std::vector<EventRecord> events_of(StepIndex iteration) const {
        std::vector<EventRecord> events = run_.events_of(iteration);
        std::erase_if(events, [this](const EventRecord& e) {
            return e.site < 0 || static_cast<std::size_t>(e.site) >= run_.sites().size();
        });
        std::sort(events.begin(), events.end(),
                  [](const EventRecord& a, const EventRecord& b) { return a.ordinal < b.ordinal; });
        return events;
    }

    // --- time ----------------------------------------------------------------------------------------------------
    /// Nanoseconds since the origin. Ends and starts are rounded alike, so that what was nested stays nested.
    std::int64_t ns(Ticks ticks) const {
        const double exact =
            static_cast<double>(static_cast<std::int64_t>(ticks - origin_)) * run_.manifest().clock.ns_per_tick;
        return static_cast<std::int64_t>(std::round(std::clamp(exact, 0.0, 4e18)));
    }
    /// On the grid of what is written: nanoseconds, or the nearest microsecond.
    std::int64_t on_grid(std::int64_t nanoseconds) const {
        return fractions_ ? nanoseconds : (nanoseconds + 500) / 1000 * 1000;
    }
    void append_us(std::int64_t nanoseconds) {
        nanoseconds = on_grid(std::max<std::int64_t>(nanoseconds, 0));
        fmt::format_to(std::back_inserter(file_.text), "{}", nanoseconds / 1000);
        if (fractions_) fmt::format_to(std::back_inserter(file_.text), ".{:03}", nanoseconds % 1000);
    }
    /// `ts` has been begun.
    void append_span(std::int64_t start, std::int64_t end) {
        append_us(start);
        file_.text += ",\"dur\":";
        append_us(on_grid(end) - on_grid(start));
    }

    // --- the parts of the file -----------------------------------------------------------------------------------
    void write_header() {
        file_.text += "{\n\"schemaVersion\": 1,\n\"distributedInfo\": {\"rank\": 0, \"world_size\": 1},\n"
                      "\"displayTimeUnit\": \"ns\",\n";
        fmt::format_to(std::back_inserter(file_.text), "\"baseTimeNanoseconds\": {},\n",
                       run_.manifest().clock.unix_ns(origin_));
        json about = {{"run", json::parse(run_.manifest().to_json())},
                      {"state", name_of(run_.state())},
                      {"from", range_.from},
                      {"until", range_.until},
                      {"provenance", {{"ts and dur", "measured"}, {"flops and bytes", "counted"}}}};
        file_.text += "\"gradus\": " + dumped(about) + ",\n\"traceEvents\": [";
    }

    void next_event() {
        file_.written();
        file_.text += any_event_ ? ",\n" : "\n";
        any_event_ = true;
    }

    void write_name(const char* what, int process, int thread, const std::string& name) {
        next_event();
        file_.text += fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0,"args":{{"name":{}}}}})", what,
                                  process, thread, dumped(name));
    }
    void write_names() {
        const Manifest& manifest = run_.manifest();
        std::map<int, std::string> threads{{1, "engine"}};
        std::set<int> modelled;
        for (std::size_t i = 0; i < run_.sites().size(); ++i) {
            const EventSite& site = run_.sites()[i];
            threads.emplace(thread_of(site), lane_name(site));
            if (site.provenance == Provenance::modelled) modelled.insert(thread_of(site));
        }
        write_name("process_name", engine_process, 0, fmt::format("Gradus: {}", manifest.id));
        write_name("process_name", kernel_process, 0, fmt::format("kernels on {} ({})", manifest.device, manifest.isa));
        if (!modelled.empty()) write_name("process_name", modelled_process, 0, "modelled, not measured");
        for (const auto& [thread, name] : threads) {
            write_name("thread_name", engine_process, thread, name);
            write_name("thread_name", kernel_process, thread, fmt::format("stream {}", thread));
        }
        for (const int thread : modelled) write_name("thread_name", modelled_process, thread, threads.at(thread));
    }
    void write_iteration(StepIndex iteration, const std::vector<EventRecord>& events) {
        const EventRecord* whole = nullptr;
        for (const EventRecord& record : events)
            if (text_of(record.site).is_iteration) whole = &record;
        const Ticks end_ticks = run_.iteration_end(iteration);
        std::int64_t start = last_end_, end = end_ticks ? ns(end_ticks) : last_end_;
        if (whole) {
            start = ns(whole->start);
            end = ns(whole->end);
        } else { // not recorded: what the scalars say
            const double seconds = run_.value_at("step_seconds", iteration).value_or(-1);
            if (seconds >= 0 && seconds < 1e9)
                start = std::max(start, end - static_cast<std::int64_t>(std::round(seconds * 1e9)));
            end = std::max(start, end);
        }
        write_edits(iteration, start);
        if (job_.marked(iteration)) write_mark("bookmark", start, fmt::format("bookmark: step {}", iteration), "iteration", iteration);
        next_event();
        fmt::format_to(std::back_inserter(file_.text),
                       R"({{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{}","pid":{},"tid":1,"ts":)",
                       iteration, engine_process);
        append_span(start, end);
        fmt::format_to(std::back_inserter(file_.text),
                       R"(,"args":{{"Event id":"{}:{}","start ns":{},"duration ns":{},"recorded in full":{}}}}})", iteration,
                       whole ? whole->ordinal : 0, start, end - start, !events.empty());
        const auto kept = run_.tensors_of(iteration);
        MemoryTotals memory(kept ? kept->memory : nullptr);
        write_memory(memory, -1, start); // what happened before the first op
        for (const EventRecord& record : events) {
            if (&record == whole) continue;
            write_event(record, iteration);
            if (run_.sites()[static_cast<std::size_t>(record.site)].level == Level::op)
                write_memory(memory, record.ordinal, ns(record.start));
        }
        write_memory(memory, std::numeric_limits<std::int32_t>::max(), end);
        write_scalars(iteration, end);
        last_end_ = std::max(end, end_ticks ? ns(end_ticks) : end);
    }

    void write_event(const EventRecord& record, StepIndex iteration) {
        const SiteText& site = text_of(record.site);
        const std::int64_t start = ns(record.start), end = ns(record.end);
        if (site.has_kernel) ++correlation_;
        const auto write = [&](const std::string& head, const std::string& arguments) {
            next_event();
            file_.text += head;
            append_span(start, end);
            fmt::format_to(std::back_inserter(file_.text), R"(,"args":{{"Event id":"{}:{}","start ns":{},"duration ns":{},)",
                           iteration, record.ordinal, start, end - start);
            if (site.has_kernel) fmt::format_to(std::back_inserter(file_.text), "\"correlation\":{},", correlation_);
            file_.text += arguments;
            file_.text += "}}";
        };
        write(site.event, site.event_args);
        if (site.has_kernel) write(site.kernel, site.kernel_args);
    }

    /// Those up to this op, under the name and with the fields that PyTorch's profiler gives them. When within the op each
    /// happened is not recorded: they stand at its start.
    void write_memory(MemoryTotals& memory, std::int32_t ordinal, std::int64_t at) {
        if (!memory.record) return;
        for (; memory.next < memory.record->events.size() && memory.record->events[memory.next].use.ordinal <= ordinal; ++memory.next) {
            const AllocatorEvent& event = memory.record->events[memory.next];
            const std::optional<std::int64_t> bytes = memory.counted(event);
            if (!bytes) continue;
            next_event();
            file_.text += fmt::format(R"({{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":{},"tid":1,"ts":)", engine_process);
            append_us(at);
            fmt::format_to(std::back_inserter(file_.text),
                           R"(,"args":{{"Device Type":0,"Device Id":-1,"Addr":{},"Bytes":{},"Total Allocated":{},"Total Reserved":{},)"
                           R"("what":"{}","segment":{},"offset":{},"Event ordinal":{}}}}})",
                           (static_cast<std::int64_t>(event.segment) << 40) + event.offset, *bytes, memory.allocated, memory.reserved,
                           name_of(event.kind), event.segment, event.offset, event.use.ordinal);
        }
    }

    /// The iteration's scalars as counters. JSON knows no NaN and no infinity: those are marked instead.
    void write_scalars(StepIndex iteration, std::int64_t at) {
        for (const auto& [series, head] : counters_) {
            const auto value = series->value_at(iteration);
            if (!value) continue;
            if (!std::isfinite(*value)) {
                write_mark("scalar", at, fmt::format("{} is {}", series->info().name, scalar_text(*value)), "iteration",
                           iteration);
                continue;
            }
            next_event();
            file_.text += head;
            append_us(at);
            file_.text += R"(,"args":{"value":)" + scalar_text(*value) + "}}";
        }
    }

    /// Edits made before `iteration`.
    void write_edits(StepIndex iteration, std::int64_t at) {
        for (; next_edit_ < run_.edits().size() && run_.edits()[next_edit_].iteration <= iteration; ++next_edit_) {
            const LoggedEdit& edit = run_.edits()[next_edit_];
            if (edit.iteration < range_.from) continue;
            write_mark("edit", at, edit.edit.text(), "before iteration", edit.iteration);
        }
    }
    void write_mark(const char* category, std::int64_t at, const std::string& name, const char* what,
                    StepIndex iteration) {
        next_event();
        file_.text += fmt::format(R"({{"ph":"i","s":"g","cat":"{}","name":{},"pid":{},"tid":1,"ts":)", category,
                                  dumped(name), engine_process);
        append_us(at);
        fmt::format_to(std::back_inserter(file_.text), R"(,"args":{{"{}":{}}}}})", what, iteration);
    }

    // --- sites ---------------------------------------------------------------------------------------------------
    const SiteText& text_of(std::int32_t index) {
        const auto at = static_cast<std::size_t>(index);
        if (texts_.size() <= at) texts_.resize(at + 1);
        if (!texts_[at].seen) texts_[at] = site_text(run_, run_.sites()[at]);
        return texts_[at];
    }

    const Run& run_;
    const Job& job_;
    Range range_;
    TextFile file_;
    bool fractions_; // of microseconds
    Ticks origin_ = 0;
    bool any_event_ = false;
    std::int64_t last_end_ = 0; // ns, of what is written
    // HTA keeps the ids in the narrowest type that holds the largest, and then writes numbers of rows there: no trace has
    // so many rows as the first id says.
    std::int64_t correlation_ = 1'000'000'000;
    std::size_t next_edit_ = 0;
    std::vector<SiteText> texts_;                                 // by site
    std::vector<std::pair<const Series*, std::string>> counters_; // what their events begin with
};

} // namespace

void write_kineto(const Run& run, const Job& job, const std::filesystem::path& path) { Trace(run, job, path, false).write(); }
void write_perfetto(const Run& run, const Job& job, const std::filesystem::path& path) { Trace(run, job, path, true).write(); }

} // namespace gradus::exporting
