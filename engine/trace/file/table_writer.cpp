#include "engine/trace/file/table_writer.hpp"

#include "engine/core/hash.hpp"
#include "engine/core/part_file.hpp"
#include "engine/trace/file/codec.hpp"
#include "engine/trace/file/kernel_codec.hpp"
#include "engine/trace/file/memory_codec.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <sqlite3.h>

namespace gradus::file {

namespace {

constexpr int patience_ms = 30'000; // with another program that holds the file; what is new waits in memory meanwhile

/// What the table meta holds at first.
std::vector<std::pair<std::string, std::string>> first_meta() {
    return {{"format", std::to_string(format_version)}, {"dropped_tensors", "0"}};
}

TallyWriter first_tally() {
    TallyWriter tally;
    for (const auto& [key, value] : first_meta()) tally.add(whole_file, "meta", hash_meta(key, value));
    tally.open(whole_file);
    return tally;
}

/// What another file of this name left behind belongs to that one, wherever it is now. SQLite would take it for ours.
void refuse_leftovers(const std::filesystem::path& path) {
    std::error_code error;
    for (const char* suffix : {"-wal", "-journal", "-shm"}) {
        const std::filesystem::path beside = path.string() + suffix;
        if (!std::filesystem::exists(beside, error)) continue;
        throw FileError(fmt::format("{}: {} is left of an earlier recording; move it to where that one is, remove it, or "
                                    "choose another name", path.string(), beside.filename().string()));
    }
}

/// A recording with its tables and nothing in them. It is made under another name, so that a file of this name opens
/// from the first moment it is there, whenever the process is killed.
const std::filesystem::path& made(const std::filesystem::path& path) {
    if (std::error_code error; std::filesystem::exists(path, error))
        throw FileError(fmt::format("{}: exists already; choose another name", path.string()));
    refuse_leftovers(path);
    remove_old_parts(path);
    const std::filesystem::path part = part_of(path);
    std::error_code error;
    try {
        Database database(part, Database::Mode::create);
        database.execute("PRAGMA page_size = 4096");
        database.execute("PRAGMA journal_mode = WAL");
        database.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
        database.execute(fmt::format("PRAGMA user_version = {}", format_version).c_str());
        database.execute("BEGIN");
        for (const char* table : schema()) database.execute(table);
        for (const auto& [key, value] : first_meta())
            Statement(database, "INSERT INTO meta VALUES (?, ?)").bind(key).bind(value).run();
        first_tally().write(database);
        database.execute("COMMIT");
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)"); // closing would say nothing of a disk that is full, and leave the log behind
    } catch (const FileError& failure) {
        for (const char* beside : {"", "-wal", "-shm"}) std::filesystem::remove(part.string() + beside, error);
        std::string sentence = failure.what(); // speaks of the name that was asked for
        if (const std::size_t at = sentence.find(part.string()); at != std::string::npos)
            sentence.replace(at, part.string().size(), path.string());
        throw FileError(sentence);
    }
    // Two that begin at the same moment must not both take the name.
    int renamed = ::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
    if (renamed != 0 && (errno == EINVAL || errno == ENOSYS)) renamed = ::rename(part.c_str(), path.c_str()); // a disk that cannot
    if (renamed != 0) {
        const int why = errno;
        std::filesystem::remove(part, error);
        throw FileError(why == EEXIST ? fmt::format("{}: exists already; choose another name", path.string())
                                      : fmt::format("{}: cannot be created: {}", path.string(), std::strerror(why)));
    }
    return path;
}

/// Reading makes SQLite lay the log out, which is what a recorder locks.
const std::filesystem::path& with_log(Database& database, const std::filesystem::path& path) {
    Statement(database, "SELECT count(*) FROM meta").step();
    return path;
}

} // namespace

TableWriter::TableWriter(const std::filesystem::path& path)
    : database_(made(path), Database::Mode::keep), lock_(with_log(database_, path)), tally_(first_tally()) {
    sqlite3_busy_timeout(database_.handle(), patience_ms);
    // Rows never wait for a disk: a killed process loses nothing by that, and for a machine that loses its power LogSync
    // brings the log to the disk before the file. With NORMAL the first rows of a log would wait, up to a second.
    database_.execute("PRAGMA synchronous = OFF");
    database_.execute("PRAGMA wal_autocheckpoint = 0");
    least_bytes_ = std::filesystem::file_size(path);
}

void TableWriter::expect_in_place() const {
    if (database_.has_moved())
        throw FileError(fmt::format("{}: it was moved, deleted or replaced while it was recorded", database_.name()));
    std::error_code error;
    if (const std::uintmax_t bytes = std::filesystem::file_size(database_.name(), error); error || bytes < least_bytes_)
        throw FileError(fmt::format("{}: it was cut or written over while it was recorded", database_.name()));
}

std::string TableWriter::reason_for(const std::exception& failure) const {
    try {
        expect_in_place();
    } catch (const FileError& gone) {
        return gone.what();
    }
    const bool damaged = dynamic_cast<const DamagedError*>(&failure) != nullptr;
    return damaged ? fmt::format("{}: it was cut or written over while it was recorded", database_.name()) : failure.what();
}

void TableWriter::bring_in_log() {
    database_.execute("PRAGMA synchronous = NORMAL"); // the log is about to be written over
    database_.execute("PRAGMA wal_checkpoint(PASSIVE)");
    database_.execute("PRAGMA synchronous = OFF");
    std::error_code error;
    if (const std::uintmax_t bytes = std::filesystem::file_size(database_.name(), error); !error) least_bytes_ = std::max(least_bytes_, bytes);
}

void TableWriter::commit() {
    tally_.write(database_);
    database_.execute("COMMIT");
}

std::size_t TableWriter::file_bytes() {
    Statement pages(database_, "PRAGMA page_count"); // those in the log, too
    return pages.step() ? static_cast<std::size_t>(pages.integer(0)) * 4096 : 0;
}

void TableWriter::close() {
    database_.execute("PRAGMA synchronous = NORMAL");
    database_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    // Only the first page changes, and in one write: no journal, which a kill would leave beside the file.
    database_.execute("PRAGMA journal_mode = MEMORY");
}

void TableWriter::set_dropped_tensors(std::size_t count) {
    if (count == dropped_tensors_) return;
    const std::string key = "dropped_tensors", before = std::to_string(dropped_tensors_), now = std::to_string(count);
    tally_.remove(whole_file, "meta", hash_meta(key, before));
    tally_.add(whole_file, "meta", hash_meta(key, now));
    Statement(database_, "UPDATE meta SET value = ? WHERE key = ?").bind(now).bind(key).run();
    dropped_tensors_ = count;
}

void TableWriter::chunk(const char* table, std::int64_t run, std::size_t first, std::size_t count,
                        std::span<const std::byte> bytes) {
    const auto at = static_cast<std::int64_t>(first), records = static_cast<std::int64_t>(count);
    const std::int64_t hash = as_integer(hash_bytes(bytes.data(), bytes.size()));
    Statement statement(database_, fmt::format("INSERT INTO {} VALUES (?, ?, ?, ?, ?)", table).c_str());
    statement.bind(run).bind(at).bind(records).bind(hash).bind(bytes).run();
    tally_.add(run, table, hash_row({run, at, records, hash}));
}

void TableWriter::describe(RecordedRun& r, RunState state) {
    const Run& run = *r.run;
    if (r.described && state == r.state) return;
    const std::string manifest = run.manifest().to_json(), failure = run.failure();
    const std::int64_t hash = as_integer(hash_fields({manifest, std::string(name_of(state)), failure}));
    Statement statement(database_, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?)");
    statement.bind(r.number).bind(manifest).bind(name_of(state)).bind(failure).bind(hash).run();
    if (r.described) tally_.remove(whole_file, "run", r.row);
    else tally_.open(r.number);
    r.row = hash_row({r.number, hash});
    tally_.add(whole_file, "run", r.row);
    if (!r.described)
        for (std::size_t i = 0; i < run.series().size(); ++i) {
            const SeriesInfo& info = run.series()[i]->info();
            const auto number = static_cast<std::int64_t>(i);
            Statement series(database_, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?)");
            series.bind(r.number).bind(number).bind(info.name).bind(info.unit);
            series.bind(name_of(info.provenance)).bind(static_cast<std::int64_t>(info.every_iteration));
            series.bind(as_integer(hash_of(info))).run();
            tally_.add(r.number, "series", hash_row({r.number, number, as_integer(hash_of(info))}));
        }
    r.described = true;
    r.state = state;
}

void TableWriter::scalars(RecordedRun& r) {
    const Run& run = *r.run;
    // The iteration ends are counted first and bound the rest, so that a file never names an iteration whose scalars
    // it lacks.
    const std::size_t iterations = run.iteration_ends().size();
    const std::size_t observed = run.observed().size(), edits = run.edits().size(), sites = run.sites().size();
    for (; r.sites < sites; ++r.sites) {
        const std::string text = site_to_json(run.sites()[r.sites]);
        const auto number = static_cast<std::int64_t>(r.sites);
        const std::int64_t hash = as_integer(hash_text(text));
        Statement statement(database_, "INSERT INTO site VALUES (?, ?, ?, ?)");
        statement.bind(r.number).bind(number).bind(text).bind(hash).run();
        tally_.add(r.number, "site", hash_row({r.number, number, hash}));
    }
    for (; r.edits < edits; ++r.edits) add_edit(r, run.edits()[r.edits]);
    while (r.observed < observed) add_observed(r, std::min(observed, r.observed + chunk_records));
    r.series.resize(run.series().size());
    for (std::size_t s = 0; s < run.series().size(); ++s) {
        const Series& series = *run.series()[s];
        // Series of every iteration stop where the iterations do: the one under way is not whole yet.
        const std::size_t size = series.info().every_iteration ? iterations : series.size();
        while (r.series[s] < size) add_series(r, s, std::min(size, r.series[s] + chunk_records));
    }
    while (r.iterations < iterations) add_iterations(r, std::min(iterations, r.iterations + chunk_records));
}

void TableWriter::add_edit(RecordedRun& r, const LoggedEdit& edit) {
    const auto number = static_cast<std::int64_t>(r.edits);
    const std::string text = edit.edit.text();
    const std::int64_t hash = as_integer(hash_fields({std::to_string(edit.iteration), text}));
    Statement statement(database_, "INSERT INTO edit VALUES (?, ?, ?, ?, ?)");
    statement.bind(r.number).bind(number).bind(edit.iteration).bind(text).bind(hash).run();
    tally_.add(r.number, "edit", hash_row({r.number, number, hash}));
}

/// Leaves `events` empty.
void TableWriter::add_events(RecordedRun& r, std::vector<EventRecord>& events) {
    for (std::size_t at = 0; at < events.size(); at += chunk_records) {
        const std::span part = std::span(events).subspan(at, std::min(chunk_records, events.size() - at));
        ColumnWriter columns;
        columns.column<std::int32_t>(part, [](const EventRecord& e) { return e.ordinal; });
        columns.column<std::int32_t>(part, [](const EventRecord& e) { return e.site; });
        columns.column<std::uint64_t>(part, [](const EventRecord& e) { return e.start; });
        columns.column<std::uint64_t>(part, [](const EventRecord& e) { return e.end; });
        chunk("event_chunk", r.number, r.file_events, part.size(), columns.bytes());
        r.file_events += part.size();
    }
    events.clear();
}

void TableWriter::add_observed(RecordedRun& r, std::size_t until) {
    std::vector<ObservedIteration> records;
    std::vector<EventRecord> events;
    std::size_t event_until = 0;
    for (std::size_t i = r.observed; i < until; ++i) {
        ObservedIteration record = r.run->observed()[i];
        event_until = record.first_event + record.event_count;
        const auto own = r.run->events(record.first_event, record.event_count);
        // Evicted before it was recorded, in whole or in part: then the iteration has none.
        record.event_count = own.size() == record.event_count ? record.event_count : 0;
        if (events.size() >= chunk_records) add_events(r, events);
        record.first_event = r.file_events + events.size();
        records.push_back(record);
        if (record.event_count > 0) events.insert(events.end(), own.begin(), own.end());
    }
    add_events(r, events);
    r.events->store(event_until, std::memory_order_release);
    ColumnWriter columns;
    columns.column<std::int64_t>(records, [](const ObservedIteration& o) { return o.iteration; });
    columns.column<std::uint64_t>(records, [](const ObservedIteration& o) { return o.first_event; });
    columns.column<std::uint32_t>(records, [](const ObservedIteration& o) { return o.event_count; });
    chunk("observed_chunk", r.number, r.observed, records.size(), columns.bytes());
    r.observed = until;
}

void TableWriter::add_series(RecordedRun& r, std::size_t number, std::size_t until) {
    const Series& series = *r.run->series()[number];
    std::vector<SeriesPoint> points;
    for (std::size_t i = r.series[number]; i < until; ++i) points.push_back(series.at(i));
    ColumnWriter columns;
    if (!series.info().every_iteration)
        columns.column<std::int64_t>(points, [](const SeriesPoint& p) { return p.iteration; });
    columns.column<double>(points, [](const SeriesPoint& p) { return p.value; });
    const auto s = static_cast<std::int64_t>(number), first = static_cast<std::int64_t>(r.series[number]);
    const auto count = static_cast<std::int64_t>(points.size());
    const std::int64_t hash = as_integer(hash_bytes(columns.bytes().data(), columns.bytes().size()));
    Statement statement(database_, "INSERT INTO series_chunk VALUES (?, ?, ?, ?, ?, ?)");
    statement.bind(r.number).bind(s).bind(first).bind(count).bind(hash).bind(columns.bytes()).run();
    tally_.add(r.number, "series_chunk", hash_row({r.number, s, first, count, hash}));
    r.series[number] = until;
}

void TableWriter::add_iterations(RecordedRun& r, std::size_t until) {
    std::vector<Ticks> ends;
    for (std::size_t i = r.iterations; i < until; ++i) ends.push_back(r.run->iteration_ends()[i]);
    ColumnWriter columns;
    columns.column<std::uint64_t>(ends, [](Ticks ticks) { return ticks; });
    chunk("iteration_chunk", r.number, r.iterations, ends.size(), columns.bytes());
    r.iterations = until;
}

void TableWriter::tensors(RecordedRun& r, const IterationTensors& kept, std::size_t& bytes, std::size_t budget,
                          std::size_t& dropped) {
    // The last iteration's tensors have an eighth of the budget to themselves.
    const bool last = kept.iteration + 1 == r.run->manifest().planned_steps;
    const std::size_t allowed = last ? budget : budget / 8 * 7;
    Statement statement(database_, "INSERT INTO tensor VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const RecordedTensor& recorded : kept.tensors) {
        if (!r.known_tensors.insert(recorded.id).second) continue;
        const Tensor& tensor = recorded.tensor;
        const bool whole = bytes + tensor.bytes() <= allowed;
        const std::uint64_t hash = hash_tensor(tensor);
        const std::int64_t row = as_integer(hash_of(recorded, tensor.shape(), tensor.dtype(), hash));
        statement.bind(r.number)
            .bind(recorded.id.event.iteration)
            .bind(std::int64_t{recorded.id.event.ordinal})
            .bind(std::int64_t{recorded.id.output})
            .bind(recorded.name)
            .bind(name_of(recorded.role))
            .bind(name_of(tensor.dtype()))
            .bind(shape_to_text(tensor.shape()))
            .bind(axes_to_text(tensor.shape()))
            .bind(as_integer(hash))
            .bind(row);
        if (whole) {
            const Tensor in_a_row = tensor.contiguous() ? tensor : tensor.contiguous_copy(*std::make_shared<BufferPool>());
            statement.bind(std::span(in_a_row.raw(), in_a_row.bytes())).run();
            bytes += tensor.bytes();
        } else {
            statement.bind_null().run();
            ++dropped;
        }
        tally_.add(r.number, "tensor", hash_row({r.number, row, std::int64_t{whole}}));
    }
    ColumnWriter columns;
    columns.column<std::int64_t>(kept.tensors, [](const RecordedTensor& t) { return t.id.event.iteration; });
    columns.column<std::int32_t>(kept.tensors, [](const RecordedTensor& t) { return t.id.event.ordinal; });
    columns.column<std::int32_t>(kept.tensors, [](const RecordedTensor& t) { return t.id.output; });
    const auto count = static_cast<std::int64_t>(kept.tensors.size());
    const std::int64_t hash = as_integer(hash_bytes(columns.bytes().data(), columns.bytes().size()));
    Statement row(database_, "INSERT INTO kept VALUES (?, ?, ?, ?, ?)");
    row.bind(r.number).bind(kept.iteration).bind(count).bind(hash).bind(columns.bytes()).run();
    tally_.add(r.number, "kept", hash_row({r.number, kept.iteration, count, hash}));
    if (kept.memory) add_memory(r, kept.iteration, *kept.memory);
    if (kept.kernels) add_kernels(r, kept.iteration, *kept.kernels);
    // Ids only look back one iteration, so older ones need not be remembered; setup's are.
    while (r.known_tensors.size() > 4096) {
        const auto victim = r.known_tensors.upper_bound(TensorId{{-1, std::numeric_limits<std::int32_t>::max()}, 0});
        if (victim == r.known_tensors.end() || victim->event.iteration >= kept.iteration - 1) break;
        r.known_tensors.erase(victim);
    }
}

void TableWriter::add_memory(RecordedRun& r, StepIndex iteration, const AllocatorRecord& memory) {
    const MemoryCounts counts = counts_of(memory);
    const std::vector<std::byte> bytes = memory_to_bytes(memory);
    const std::int64_t hash = as_integer(hash_bytes(bytes.data(), bytes.size()));
    Statement statement(database_, "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?)");
    statement.bind(r.number).bind(iteration).bind(counts.segments).bind(counts.blocks).bind(counts.events).bind(hash);
    statement.bind(std::span<const std::byte>(bytes)).run();
    tally_.add(r.number, "memory", hash_row({r.number, iteration, counts.segments, counts.blocks, counts.events, hash}));
}

void TableWriter::add_kernels(RecordedRun& r, StepIndex iteration, const KernelTrace& kernels) {
    const std::vector<std::byte> bytes = kernel_to_bytes(kernels);
    const std::int64_t hash = as_integer(hash_bytes(bytes.data(), bytes.size()));
    Statement statement(database_, "INSERT INTO kernel VALUES (?, ?, ?, ?)");
    statement.bind(r.number).bind(iteration).bind(hash).bind(std::span<const std::byte>(bytes)).run();
    tally_.add(r.number, "kernel", hash_row({r.number, iteration, hash}));
}

} // namespace gradus::file
