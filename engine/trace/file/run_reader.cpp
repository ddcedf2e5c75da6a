#include "engine/trace/file/run_reader.hpp"

#include "engine/core/hash.hpp"
#include "engine/trace/file/kernel_codec.hpp"
#include "engine/trace/file/memory_codec.hpp"

#include <fmt/format.h>
#include <limits>

namespace gradus::file {

RunReader::RunReader(Database& database, std::int64_t format, const TallyReader* tally, std::int64_t number, Manifest manifest,
                     std::shared_ptr<const Run> parent)
    : database_(database), format_(format), tally_(tally), number_(number), where_(fmt::format("{}: run {}", database.name(), number)) {
    RunBudget budget;
    budget.tensors = budget.events = budget.checkpoints = std::numeric_limits<std::size_t>::max() / 2;
    run_ = std::make_shared<Run>(std::move(manifest), read_series_infos(), std::move(parent), budget);
    writer_ = std::make_unique<RunWriter>(run_);
}

std::shared_ptr<const Run> RunReader::read(RunState state, const std::string& failure) {
    read_sites();
    read_edits();
    read_events();
    read_observed();
    read_series();
    read_iterations();
    read_tensors();
    if (format_ >= 3) read_memory();
    if (format_ >= 4) read_kernels();
    read_kept();
    writer_->finish(state, failure);
    return run_;
}

std::string RunReader::place(const char* table) const { return fmt::format("{}: {}", where_, table); }

void RunReader::refuse(const char* table, const std::string& what) const {
    throw FileError(fmt::format("{}: {}", place(table), what));
}

void RunReader::check_hash(const char* table, std::int64_t expected, std::span<const std::byte> bytes) const {
    if (hash_bytes(bytes.data(), bytes.size()) != static_cast<std::uint64_t>(expected))
        refuse(table, "the hash of a chunk does not match its bytes");
}

void RunReader::check_tally(const char* table, const Tally& found) const {
    if (tally_) tally_->check(number_, table, found);
}

std::vector<SeriesInfo> RunReader::read_series_infos() {
    std::vector<SeriesInfo> out;
    Tally tally;
    Statement statement(database_, "SELECT series, name, unit, provenance, every_iteration, hash FROM series "
                                   "WHERE run = ? ORDER BY series");
    statement.bind(number_);
    while (statement.step()) {
        if (statement.integer(0) != static_cast<std::int64_t>(out.size()) || out.size() > 1000)
            refuse("series", "the numbering has a gap");
        const auto provenance = provenance_named(statement.text(3));
        if (!provenance) refuse("series", "an unknown provenance");
        const std::int64_t every = statement.integer(4);
        if (every != 0 && every != 1) refuse("series", fmt::format("every_iteration is {}, not 0 or 1", every));
        out.push_back({statement.text(1), statement.text(2), *provenance, every == 1});
        if (hash_of(out.back()) != static_cast<std::uint64_t>(statement.integer(5)))
            refuse("series", "a hash does not match");
        tally.add(hash_row({number_, statement.integer(0), statement.integer(5)}));
    }
    check_tally("series", tally);
    return out;
}

void RunReader::read_sites() {
    Tally tally;
    Statement statement(database_, "SELECT site, description, hash FROM site WHERE run = ? ORDER BY site");
    statement.bind(number_);
    for (std::int64_t expected = 0; statement.step(); ++expected) {
        const std::string text = statement.text(1);
        if (statement.integer(0) != expected) refuse("site", "the numbering has a gap");
        if (hash_text(text) != static_cast<std::uint64_t>(statement.integer(2)))
            refuse("site", "a hash does not match");
        writer_->add_site(site_from_json(text, place("site")));
        tally.add(hash_row({number_, expected, statement.integer(2)}));
    }
    check_tally("site", tally);
}

void RunReader::read_edits() {
    Tally tally;
    Statement statement(database_, "SELECT seq, iteration, edit, hash FROM edit WHERE run = ? ORDER BY seq");
    statement.bind(number_);
    for (std::int64_t expected = 0; statement.step(); ++expected) {
        if (statement.integer(0) != expected) refuse("edit", "the numbering has a gap");
        if (hash_fields({std::to_string(statement.integer(1)), statement.text(2)}) !=
            static_cast<std::uint64_t>(statement.integer(3)))
            refuse("edit", "a hash does not match");
        try {
            writer_->log_edit(Edit::parse(statement.text(2)), statement.integer(1));
        } catch (const ArgumentError& error) {
            refuse("edit", error.what());
        }
        tally.add(hash_row({number_, expected, statement.integer(3)}));
    }
    check_tally("edit", tally);
}

void RunReader::chunks(const char* table, std::size_t record_bytes, std::int64_t series, Tally& tally,
                       const std::function<void(ColumnReader&)>& use) {
    Statement statement(database_, fmt::format("SELECT first, count, hash, data FROM {} WHERE run = ?{} ORDER BY first",
                                               table, series >= 0 ? " AND series = ?" : "")
                                       .c_str());
    statement.bind(number_);
    if (series >= 0) statement.bind(series);
    std::int64_t expected = 0;
    while (statement.step()) {
        const auto bytes = statement.blob(3);
        const std::int64_t first = statement.integer(0), count = statement.integer(1), hash = statement.integer(2);
        if (first != expected) refuse(table, fmt::format("a chunk is missing at {}", expected));
        ColumnReader reader(bytes, count, record_bytes, place(table));
        check_hash(table, hash, bytes);
        use(reader);
        tally.add(series >= 0 ? hash_row({number_, series, first, count, hash}) : hash_row({number_, first, count, hash}));
        expected += count;
    }
}

void RunReader::chunks(const char* table, std::size_t record_bytes, const std::function<void(ColumnReader&)>& use) {
    Tally tally;
    chunks(table, record_bytes, -1, tally, use);
    check_tally(table, tally);
}

void RunReader::read_events() {
    const auto sites = static_cast<std::int32_t>(run_->sites().size());
    chunks("event_chunk", 24, [&](ColumnReader& reader) {
        const auto ordinals = reader.column<std::int32_t>(), numbers = reader.column<std::int32_t>();
        const auto starts = reader.column<std::uint64_t>(), ends = reader.column<std::uint64_t>();
        for (std::size_t i = 0; i < reader.count(); ++i) {
            if (numbers[i] < 0 || numbers[i] >= sites) refuse("event_chunk", "an event names a site that is not there");
            if (ends[i] < starts[i] || ordinals[i] < 0) refuse("event_chunk", "an event ends before it starts");
            writer_->append_event({ordinals[i], numbers[i], starts[i], ends[i]});
        }
    });
}

void RunReader::read_observed() {
    StepIndex before = -2;
    std::uint64_t next = 0;
    chunks("observed_chunk", 20, [&](ColumnReader& reader) {
        const auto iterations = reader.column<std::int64_t>();
        const auto firsts = reader.column<std::uint64_t>();
        const auto counts = reader.column<std::uint32_t>();
        for (std::size_t i = 0; i < reader.count(); ++i) {
            if (iterations[i] <= before || firsts[i] != next || counts[i] > run_->event_count() - next)
                refuse("observed_chunk", "an iteration's events are not where it says");
            before = iterations[i];
            next += counts[i];
            writer_->append_observed({iterations[i], firsts[i], counts[i]});
        }
    });
}

void RunReader::read_series() {
    Tally tally;
    for (std::size_t s = 0; s < run_->series().size(); ++s) {
        const bool every = run_->series()[s]->info().every_iteration;
        StepIndex before = std::numeric_limits<StepIndex>::min();
        chunks("series_chunk", every ? 8 : 16, static_cast<std::int64_t>(s), tally, [&](ColumnReader& reader) {
            const auto iterations = every ? std::vector<std::int64_t>(reader.count()) : reader.column<std::int64_t>();
            const auto values = reader.column<double>();
            for (std::size_t i = 0; i < reader.count(); ++i) {
                if (!every && iterations[i] <= before) refuse("series_chunk", "iterations do not rise");
                if (!every) before = iterations[i];
                writer_->push_at(s, iterations[i], values[i]);
            }
        });
    }
    check_tally("series_chunk", tally);
}

void RunReader::read_iterations() {
    chunks("iteration_chunk", 8, [&](ColumnReader& reader) {
        for (const Ticks end : reader.column<std::uint64_t>()) writer_->append_iteration_end(end);
    });
    for (const auto& series : run_->series())
        if (series->info().every_iteration && series->size() != run_->iteration_ends().size())
            refuse("series_chunk", fmt::format("{} has {} values for {} iterations", series->info().name, series->size(),
                                               run_->iteration_ends().size()));
}

void RunReader::read_tensors() {
    const auto pool = std::make_shared<BufferPool>();
    Tally tally;
    Statement rows(database_, "SELECT iteration, ordinal, output, name, role, dtype, shape, axes, hash, length(data), "
                              "row_hash, rowid FROM tensor WHERE run = ?");
    Statement contents(database_, "SELECT data FROM tensor WHERE rowid = ?");
    rows.bind(number_);
    while (rows.step()) {
        RecordedTensor tensor;
        const auto narrow = [&](int column) {
            const std::int64_t value = rows.integer(column);
            if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) refuse("tensor", "an id is out of range");
            return static_cast<std::int32_t>(value);
        };
        tensor.id = {{rows.integer(0), narrow(1)}, narrow(2)};
        tensor.name = rows.text(3);
        const std::string spot = place("tensor ") + in_quotes(tensor.name);
        tensor.role = role_from_text(rows.text(4), spot);
        const DType dtype = dtype_from_text(rows.text(5), spot);
        const Shape shape = shape_from_text(rows.text(6), rows.text(7), spot);
        tensor.hash = static_cast<std::uint64_t>(rows.integer(8));
        if (hash_of(tensor, shape, dtype, tensor.hash) != static_cast<std::uint64_t>(rows.integer(10)))
            throw FileError(fmt::format("{}: the hash of its row does not match", spot));
        const bool whole = !rows.is_null(9);
        tally.add(hash_row({number_, rows.integer(10), std::int64_t{whole}}));
        ++hashes;
        if (whole) {
            const auto size = static_cast<std::uint64_t>(rows.integer(9)); // known before anything of it is read
            if (size / size_of(dtype) != static_cast<std::uint64_t>(shape.elements()) || size % size_of(dtype) != 0)
                throw FileError(
                    fmt::format("{}: {} {} does not take {} bytes", spot, name_of(dtype), shape.text(), size));
            contents.rewind().bind(rows.integer(11));
            if (!contents.step()) refuse("tensor", "a row is gone");
            const auto bytes = contents.blob(0);
            StorageRef storage = pool->allocate(bytes.size());
            if (!bytes.empty()) std::memcpy(storage.data(), bytes.data(), bytes.size());
            tensor.tensor = Tensor(std::move(storage), shape, dtype);
            if (hash_tensor(tensor.tensor) != tensor.hash)
                throw FileError(fmt::format("{} of iteration {}: its hash does not match its contents", spot,
                                            tensor.id.event.iteration));
            ++tensors;
        }
        all_tensors_.emplace(tensor.id, std::move(tensor));
    }
    check_tally("tensor", tally);
}

void RunReader::read_memory() {
    Tally tally;
    Statement rows(database_, "SELECT iteration, segments, blocks, events, hash, data FROM memory WHERE run = ? ORDER BY iteration");
    rows.bind(number_);
    while (rows.step()) {
        const auto bytes = rows.blob(5);
        check_hash("memory", rows.integer(4), bytes);
        auto record = std::make_shared<AllocatorRecord>(
            memory_from_bytes(bytes, {rows.integer(1), rows.integer(2), rows.integer(3)}, place("memory")));
        tally.add(hash_row({number_, rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3), rows.integer(4)}));
        memory_.emplace(rows.integer(0), std::move(record));
    }
    check_tally("memory", tally);
}

void RunReader::read_kernels() {
    Tally tally;
    Statement rows(database_, "SELECT iteration, hash, data FROM kernel WHERE run = ? ORDER BY iteration");
    rows.bind(number_);
    while (rows.step()) {
        const auto bytes = rows.blob(2);
        check_hash("kernel", rows.integer(1), bytes);
        tally.add(hash_row({number_, rows.integer(0), rows.integer(1)}));
        kernels_.emplace(rows.integer(0), std::make_shared<KernelTrace>(kernel_from_bytes(bytes, place("kernel"))));
    }
    check_tally("kernel", tally);
}

void RunReader::read_kept() {
    Tally tally;
    Statement kept(database_, "SELECT iteration, count, hash, data FROM kept WHERE run = ? ORDER BY iteration");
    kept.bind(number_);
    while (kept.step()) {
        const auto bytes = kept.blob(3);
        ColumnReader reader(bytes, kept.integer(1), 16, place("kept"));
        check_hash("kept", kept.integer(2), bytes);
        const auto iterations = reader.column<std::int64_t>();
        const auto ordinals = reader.column<std::int32_t>(), outputs = reader.column<std::int32_t>();
        auto tensors_kept = std::make_shared<IterationTensors>();
        tensors_kept->iteration = kept.integer(0);
        if (!run_->find_observed(tensors_kept->iteration))
            refuse("kept", fmt::format("iteration {} kept tensors but was not observed", tensors_kept->iteration));
        for (std::size_t i = 0; i < reader.count(); ++i) {
            const auto at = all_tensors_.find({{iterations[i], ordinals[i]}, outputs[i]});
            if (at == all_tensors_.end()) refuse("kept", "a tensor that an iteration kept is not there");
            tensors_kept->tensors.push_back(at->second);
        }
        if (const auto memory = memory_.extract(tensors_kept->iteration)) tensors_kept->memory = memory.mapped();
        if (const auto kernels = kernels_.extract(tensors_kept->iteration)) tensors_kept->kernels = kernels.mapped();
        tally.add(hash_row({number_, kept.integer(0), kept.integer(1), kept.integer(2)}));
        writer_->keep(std::move(tensors_kept));
    }
    check_tally("kept", tally);
    if (!memory_.empty())
        refuse("memory", fmt::format("iteration {} has an allocator's record but kept no tensors", memory_.begin()->first));
    if (!kernels_.empty())
        refuse("kernel", fmt::format("iteration {} has a record of kernels but kept no tensors", kernels_.begin()->first));
}

} // namespace gradus::file
