#include "engine/trace/file/recorder.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/trace/file/codec.hpp"
#include "engine/trace/file/database.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace gradus {

using file::ColumnWriter;
using file::Database;
using file::Statement;

namespace {

constexpr auto flush_interval = std::chrono::milliseconds(50);
constexpr auto tensor_time = std::chrono::milliseconds(60); ///< per flush, so that scalars never wait for tensors
constexpr auto sync_interval = std::chrono::seconds(1);
constexpr std::size_t chunk_records = 65'536;

std::int64_t as_integer(std::uint64_t hash) { return static_cast<std::int64_t>(hash); }

} // namespace

/// How far one Run has been recorded.
struct Recorder::Recorded {
    std::shared_ptr<const Run> run;
    std::int64_t number = 0;
    bool described = false;
    RunState state = RunState::growing;
    std::size_t edits = 0, sites = 0, observed = 0, iterations = 0, tensors = 0;
    std::shared_ptr<std::atomic<std::size_t>> events; ///< the writer may evict those below
    std::size_t file_events = 0; ///< in the file, which counts them without those that were evicted before
    std::vector<std::size_t> series;
    std::set<TensorId> known_tensors;
};

namespace {

/// A recording with its tables and nothing in them. It is made under another name, so that a file of this name opens
/// from the first moment it is there, whenever the process is killed.
const std::filesystem::path& made(const std::filesystem::path& path) {
    if (std::error_code error; std::filesystem::exists(path, error))
        throw FileError(fmt::format("{}: exists already; choose another name", path.string()));
    std::filesystem::path part = path;
    part.replace_filename(fmt::format(".{}.{}.part", path.filename().string(), ::getpid()));
    std::error_code error;
    std::filesystem::remove(part, error); // of an earlier process with this number that was killed here
    try {
        Database database(part, Database::Mode::create);
        database.execute("PRAGMA page_size = 4096");
        database.execute("PRAGMA journal_mode = WAL");
        database.execute(fmt::format("PRAGMA application_id = {}", file::application_id).c_str());
        database.execute(fmt::format("PRAGMA user_version = {}", file::format_version).c_str());
        database.execute("BEGIN");
        for (const char* table : file::schema()) database.execute(table);
        database.execute("INSERT INTO meta VALUES ('format', '1'), ('dropped_tensors', '0')");
        database.execute("COMMIT");
    } catch (const FileError& failure) {
        std::filesystem::remove(part, error);
        std::string sentence = failure.what(); // speaks of the name that was asked for
        if (const std::size_t at = sentence.find(part.string()); at != std::string::npos)
            sentence.replace(at, part.string().size(), path.string());
        throw FileError(sentence);
    }
    std::filesystem::rename(part, path, error);
    if (error) throw FileError(fmt::format("{}: cannot be created: {}", path.string(), error.message()));
    return path;
}

} // namespace

/// The file, with its statements prepared.
struct Recorder::Writer {
    explicit Writer(const std::filesystem::path& path) : database(made(path), Database::Mode::keep) {
        database.execute("PRAGMA synchronous = NORMAL");
        database.execute("PRAGMA wal_autocheckpoint = 0");
    }
    void set_meta(std::string_view key, std::string_view value) {
        Statement statement(database, "INSERT OR REPLACE INTO meta VALUES (?, ?)");
        statement.bind(key).bind(value).run();
    }
    void chunk(const char* table, std::int64_t run, std::size_t first, std::size_t count,
               std::span<const std::byte> bytes) {
        Statement statement(database, fmt::format("INSERT INTO {} VALUES (?, ?, ?, ?, ?)", table).c_str());
        statement.bind(run)
            .bind(static_cast<std::int64_t>(first))
            .bind(static_cast<std::int64_t>(count))
            .bind(as_integer(hash_bytes(bytes.data(), bytes.size())))
            .bind(bytes)
            .run();
    }

    bool describe(Recorded& recorded);
    std::size_t scalars(Recorded& recorded);
    void tensors(Recorded& recorded, const IterationTensors& kept, std::size_t& bytes, std::size_t budget,
                 std::size_t& dropped);

    Database database;
};

bool Recorder::Writer::describe(Recorded& r) {
    const Run& run = *r.run;
    const RunState state = run.state();
    if (r.described && state == r.state) return false;
    const std::string manifest = run.manifest().to_json(), failure = run.failure();
    Statement statement(database, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?)");
    statement.bind(r.number).bind(manifest).bind(name_of(state)).bind(failure).bind(as_integer(file::hash_fields({manifest, std::string(name_of(state)), failure}))).run();
    if (!r.described)
        for (std::size_t i = 0; i < run.series().size(); ++i) {
            const SeriesInfo& info = run.series()[i]->info();
            Statement series(database, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?)");
            series.bind(r.number).bind(static_cast<std::int64_t>(i)).bind(info.name).bind(info.unit);
            series.bind(name_of(info.provenance)).bind(static_cast<std::int64_t>(info.every_iteration));
            series.bind(as_integer(file::hash_of(info))).run();
        }
    r.described = true;
    r.state = state;
    return true;
}

/// Everything but tensors. The iteration ends come first and bound the rest, so that a file never names an
/// iteration whose scalars it lacks.
std::size_t Recorder::Writer::scalars(Recorded& r) {
    const Run& run = *r.run;
    std::size_t written = 0;
    const std::size_t iterations = run.iteration_ends().size();
    const std::size_t observed = run.observed().size(), edits = run.edits().size(), sites = run.sites().size();
    for (; r.sites < sites; ++r.sites, ++written) {
        const std::string text = file::site_to_json(run.sites()[r.sites]);
        Statement statement(database, "INSERT INTO site VALUES (?, ?, ?, ?)");
        statement.bind(r.number).bind(static_cast<std::int64_t>(r.sites)).bind(text).bind(as_integer(hash_text(text))).run();
    }
    for (; r.edits < edits; ++r.edits, ++written) {
        const LoggedEdit& edit = run.edits()[r.edits];
        Statement statement(database, "INSERT INTO edit VALUES (?, ?, ?, ?, ?)");
        statement.bind(r.number).bind(static_cast<std::int64_t>(r.edits)).bind(edit.iteration).bind(edit.edit.text())
            .bind(as_integer(file::hash_fields({std::to_string(edit.iteration), edit.edit.text()}))).run();
    }
    while (r.observed < observed) {
        const std::size_t first = r.observed, until = std::min(observed, first + chunk_records);
        std::vector<ObservedIteration> records;
        std::vector<EventRecord> events;
        const auto write_events = [&] {
            ColumnWriter columns;
            columns.column<std::int32_t>(events, [](const EventRecord& e) { return e.ordinal; });
            columns.column<std::int32_t>(events, [](const EventRecord& e) { return e.site; });
            columns.column<std::uint64_t>(events, [](const EventRecord& e) { return e.start; });
            columns.column<std::uint64_t>(events, [](const EventRecord& e) { return e.end; });
            chunk("event_chunk", r.number, r.file_events, events.size(), columns.bytes());
            r.file_events += events.size();
            events.clear();
        };
        std::size_t event_until = 0;
        for (std::size_t i = first; i < until; ++i) {
            ObservedIteration record = run.observed()[i];
            event_until = record.first_event + record.event_count;
            const auto own = run.events(record.first_event, record.event_count);
            // Evicted before it was recorded, in whole or in part: then the iteration has none.
            record.event_count = own.size() == record.event_count ? record.event_count : 0;
            record.first_event = r.file_events + events.size();
            records.push_back(record);
            if (record.event_count > 0) events.insert(events.end(), own.begin(), own.end());
            if (events.size() >= chunk_records) write_events();
        }
        if (!events.empty()) write_events();
        r.events->store(event_until, std::memory_order_release);
        ColumnWriter columns;
        columns.column<std::int64_t>(records, [](const ObservedIteration& o) { return o.iteration; });
        columns.column<std::uint64_t>(records, [](const ObservedIteration& o) { return o.first_event; });
        columns.column<std::uint32_t>(records, [](const ObservedIteration& o) { return o.event_count; });
        chunk("observed_chunk", r.number, first, records.size(), columns.bytes());
        r.observed = until;
        ++written;
    }
    r.series.resize(run.series().size());
    for (std::size_t s = 0; s < run.series().size(); ++s) {
        const Series& series = *run.series()[s];
        // Series of every iteration stop where the iterations do: the one under way is not whole yet.
        const std::size_t size = series.info().every_iteration ? iterations : series.size();
        while (r.series[s] < size) {
            const std::size_t first = r.series[s], until = std::min(size, first + chunk_records);
            std::vector<SeriesPoint> points;
            for (std::size_t i = first; i < until; ++i) points.push_back(series.at(i));
            ColumnWriter columns;
            if (!series.info().every_iteration)
                columns.column<std::int64_t>(points, [](const SeriesPoint& p) { return p.iteration; });
            columns.column<double>(points, [](const SeriesPoint& p) { return p.value; });
            Statement statement(database, "INSERT INTO series_chunk VALUES (?, ?, ?, ?, ?, ?)");
            statement.bind(r.number)
                .bind(static_cast<std::int64_t>(s))
                .bind(static_cast<std::int64_t>(first))
                .bind(static_cast<std::int64_t>(until - first))
                .bind(as_integer(hash_bytes(columns.bytes().data(), columns.bytes().size())))
                .bind(columns.bytes())
                .run();
            r.series[s] = until;
            ++written;
        }
    }
    while (r.iterations < iterations) {
        const std::size_t first = r.iterations, until = std::min(iterations, first + chunk_records);
        std::vector<Ticks> ends;
        for (std::size_t i = first; i < until; ++i) ends.push_back(run.iteration_ends()[i]);
        ColumnWriter columns;
        columns.column<std::uint64_t>(ends, [](Ticks ticks) { return ticks; });
        chunk("iteration_chunk", r.number, first, ends.size(), columns.bytes());
        r.iterations = until;
        ++written;
    }
    return written;
}

void Recorder::Writer::tensors(Recorded& r, const IterationTensors& kept, std::size_t& bytes, std::size_t budget,
                               std::size_t& dropped) {
    // The last iteration's tensors have an eighth of the budget to themselves.
    const bool last = kept.iteration + 1 == r.run->manifest().planned_steps;
    const std::size_t allowed = last ? budget : budget / 8 * 7;
    Statement statement(database, "INSERT INTO tensor VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const RecordedTensor& recorded : kept.tensors) {
        if (!r.known_tensors.insert(recorded.id).second) continue;
        const Tensor& tensor = recorded.tensor;
        const bool whole = bytes + tensor.bytes() <= allowed;
        const std::uint64_t hash = hash_tensor(tensor);
        statement.bind(r.number)
            .bind(recorded.id.event.iteration)
            .bind(std::int64_t{recorded.id.event.ordinal})
            .bind(std::int64_t{recorded.id.output})
            .bind(recorded.name)
            .bind(name_of(recorded.role))
            .bind(name_of(tensor.dtype()))
            .bind(file::shape_to_text(tensor.shape()))
            .bind(file::axes_to_text(tensor.shape()))
            .bind(as_integer(hash))
            .bind(as_integer(file::hash_of(recorded, tensor.shape(), tensor.dtype(), hash)));
        if (whole) {
            statement.bind(std::span(tensor.raw(), tensor.bytes())).run();
            bytes += tensor.bytes();
        } else {
            statement.bind_null().run();
            ++dropped;
        }
    }
    ColumnWriter columns;
    columns.column<std::int64_t>(kept.tensors, [](const RecordedTensor& t) { return t.id.event.iteration; });
    columns.column<std::int32_t>(kept.tensors, [](const RecordedTensor& t) { return t.id.event.ordinal; });
    columns.column<std::int32_t>(kept.tensors, [](const RecordedTensor& t) { return t.id.output; });
    Statement row(database, "INSERT INTO kept VALUES (?, ?, ?, ?, ?)");
    row.bind(r.number)
        .bind(kept.iteration)
        .bind(static_cast<std::int64_t>(kept.tensors.size()))
        .bind(as_integer(hash_bytes(columns.bytes().data(), columns.bytes().size())))
        .bind(columns.bytes())
        .run();
    // Ids only look back one iteration, so older ones need not be remembered; setup's are.
    while (r.known_tensors.size() > 4096) {
        const auto victim = r.known_tensors.upper_bound(TensorId{{-1, std::numeric_limits<std::int32_t>::max()}, 0});
        if (victim == r.known_tensors.end() || victim->event.iteration >= kept.iteration - 1) break;
        r.known_tensors.erase(victim);
    }
}

Recorder::Recorder(const std::filesystem::path& path, Options options)
    : path_(path), options_(options), writer_(std::make_unique<Writer>(path)), thread_([this] { work(); }) {}

Recorder::~Recorder() {
    try {
        close();
    } catch (const Error&) { // a destructor has nobody to tell; close() does
    }
}

std::string Recorder::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void Recorder::add(RunWriter& writer) {
    auto events = std::make_shared<std::atomic<std::size_t>>(0);
    writer.protect_events_from(events);
    add(writer.shared_run(), std::move(events));
}

void Recorder::add(std::shared_ptr<const Run> run) { add(std::move(run), std::make_shared<std::atomic<std::size_t>>(0)); }

void Recorder::add(std::shared_ptr<const Run> run, std::shared_ptr<std::atomic<std::size_t>> events) {
    auto recorded = std::make_unique<Recorded>();
    recorded->run = std::move(run);
    recorded->events = std::move(events);
    const std::lock_guard lock(mutex_);
    if (stop_ || !failure_.empty()) recorded->events->store(std::numeric_limits<std::size_t>::max()); // nobody will write it
    recorded->number = static_cast<std::int64_t>(runs_.size());
    runs_.push_back(std::move(recorded));
}

void Recorder::work() {
    auto next_sync = std::chrono::steady_clock::now() + sync_interval;
    for (;;) {
        bool last;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, flush_interval, [this] { return stop_; });
            last = stop_;
        }
        try {
            flush(last);
            if (!last && std::chrono::steady_clock::now() > next_sync) {
                writer_->database.execute("PRAGMA wal_checkpoint(PASSIVE)"); // brings the log to the disk
                next_sync = std::chrono::steady_clock::now() + sync_interval;
            }
        } catch (const std::exception& error) {
            const std::lock_guard lock(mutex_);
            failure_ = error.what();
            for (const auto& recorded : runs_) // nobody waits for a recorder that has failed
                recorded->events->store(std::numeric_limits<std::size_t>::max());
            return;
        }
        if (last) {
            const std::lock_guard lock(mutex_);
            for (const auto& recorded : runs_) recorded->events->store(std::numeric_limits<std::size_t>::max());
            return;
        }
    }
}

void Recorder::flush(bool last) {
    std::vector<Recorded*> runs;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& recorded : runs_) runs.push_back(recorded.get());
    }
    Database& database = writer_->database;
    database.execute("BEGIN");
    for (Recorded* recorded : runs) {
        // The state is read before the rest, so that "finished" is never written ahead of the last scalars.
        const RunState state = recorded->run->state();
        writer_->scalars(*recorded);
        if (!recorded->described || state != RunState::growing) writer_->describe(*recorded);
    }
    database.execute("COMMIT");
    const auto deadline = std::chrono::steady_clock::now() + tensor_time;
    std::size_t bytes = bytes_.load(), dropped = dropped_.load();
    database.execute("BEGIN");
    for (Recorded* recorded : runs)
        for (; recorded->tensors < recorded->observed; ++recorded->tensors) {
            if (!last && std::chrono::steady_clock::now() > deadline) break;
            const Run& run = *recorded->run;
            const StepIndex iteration = run.observed()[recorded->tensors].iteration;
            if (options_.planned_tensors_only && iteration % std::max<StepIndex>(1, run.manifest().observe_every) != 0 &&
                iteration > run.first_iteration() && iteration + 1 != run.manifest().planned_steps)
                continue;
            if (const auto kept = run.tensors_of(iteration))
                writer_->tensors(*recorded, *kept, bytes, options_.tensor_bytes, dropped);
            else ++dropped;
        }
    writer_->set_meta("dropped_tensors", std::to_string(dropped));
    database.execute("COMMIT");
    bytes_.store(bytes);
    dropped_.store(dropped);
    Statement pages(database, "PRAGMA page_count"); // those in the log, too, which are to come into the file
    if (pages.step()) file_bytes_.store(static_cast<std::size_t>(pages.integer(0)) * 4096);
    if (options_.most_bytes > 0 && file_bytes_.load() > options_.most_bytes)
        throw FileError(fmt::format("{}: the recording ends here: it has grown to {} MB", path_.string(), file_bytes_.load() / 1'000'000));
}

void Recorder::close() {
    if (closed_) return;
    closed_ = true;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
    const std::string failed = failure();
    if (failed.empty()) {
        writer_->database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        writer_->database.execute("PRAGMA journal_mode = DELETE");
    }
    writer_.reset();
    if (!failed.empty()) throw FileError(failed);
}

} // namespace gradus
