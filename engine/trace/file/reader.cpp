#include "engine/trace/file/reader.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/file/codec.hpp"
#include "engine/trace/file/database.hpp"
#include "engine/trace/run_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gradus {

namespace {

using file::ColumnReader;
using file::Database;
using file::Statement;

constexpr std::int64_t most_runs = 10'000;

void check_schema(Database& database) {
    Statement version(database, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version");
    if (!version.step() || version.integer(0) != file::application_id)
        throw FileError(fmt::format("{}: not a Gradus run file", database.name()));
    if (version.integer(1) != file::format_version)
        throw FileError(fmt::format("{}: format {} is not known to this program (it knows {})", database.name(),
                                    version.integer(1), file::format_version));
    std::multiset<std::string> expected;
    for (const char* table : file::schema()) expected.insert(table);
    Statement statement(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL");
    while (statement.step()) {
        const auto at = expected.find(statement.text(0));
        if (at == expected.end())
            throw FileError(fmt::format("{}: its tables are not those of a run file", database.name()));
        expected.erase(at);
    }
    if (!expected.empty()) throw FileError(fmt::format("{}: a table is missing", database.name()));
}

void check_pages(Database& database) {
    Statement statement(database, "PRAGMA quick_check(1)");
    const std::string verdict = statement.step() ? statement.text(0) : "";
    if (verdict != "ok")
        throw FileError(fmt::format("{}: is damaged: {}", database.name(), verdict.substr(verdict.rfind('\n') + 1)));
}

/// Reads one Run's rows. Every refusal names the file, the run and the table.
class RunReader {
public:
    RunReader(Database& database, std::int64_t number, Manifest manifest, std::shared_ptr<const Run> parent)
        : database_(database), number_(number), where_(fmt::format("{}: run {}", database.name(), number)) {
        RunBudget budget;
        budget.tensors = budget.events = budget.checkpoints = std::numeric_limits<std::size_t>::max() / 2;
        run_ = std::make_shared<Run>(std::move(manifest), read_series_infos(), std::move(parent), budget);
        writer_ = std::make_unique<RunWriter>(run_);
    }

    std::shared_ptr<const Run> read(RunState state, const std::string& failure) {
        read_sites();
        read_edits();
        read_events();
        read_observed();
        read_series();
        read_iterations();
        read_tensors();
        writer_->finish(state, failure);
        return run_;
    }
    std::size_t tensors = 0, hashes = 0;

private:
    std::string place(const char* table) const { return fmt::format("{}: {}", where_, table); }

    [[noreturn]] void refuse(const char* table, const std::string& what) const {
        throw FileError(fmt::format("{}: {}", place(table), what));
    }

    void check_hash(const char* table, std::int64_t expected, std::span<const std::byte> bytes) const {
        if (hash_bytes(bytes.data(), bytes.size()) != static_cast<std::uint64_t>(expected))
            refuse(table, "the hash of a chunk does not match its bytes");
    }

    std::vector<SeriesInfo> read_series_infos() {
        std::vector<SeriesInfo> out;
        Statement statement(database_, "SELECT series, name, unit, provenance, every_iteration, hash FROM series "
                                       "WHERE run = ? ORDER BY series");
        statement.bind(number_);
        while (statement.step()) {
            if (statement.integer(0) != static_cast<std::int64_t>(out.size()) || out.size() > 1000)
                refuse("series", "the numbering has a gap");
            const auto provenance = provenance_named(statement.text(3));
            if (!provenance) refuse("series", "an unknown provenance");
            out.push_back({statement.text(1), statement.text(2), *provenance, statement.integer(4) != 0});
            if (file::hash_of(out.back()) != static_cast<std::uint64_t>(statement.integer(5)))
                refuse("series", "a hash does not match");
        }
        return out;
    }

    void read_sites() {
        Statement statement(database_, "SELECT site, description, hash FROM site WHERE run = ? ORDER BY site");
        statement.bind(number_);
        for (std::int64_t expected = 0; statement.step(); ++expected) {
            const std::string text = statement.text(1);
            if (statement.integer(0) != expected) refuse("site", "the numbering has a gap");
            if (hash_text(text) != static_cast<std::uint64_t>(statement.integer(2)))
                refuse("site", "a hash does not match");
            writer_->add_site(file::site_from_json(text, place("site")));
        }
    }

    void read_edits() {
        Statement statement(database_, "SELECT seq, iteration, edit, hash FROM edit WHERE run = ? ORDER BY seq");
        statement.bind(number_);
        for (std::int64_t expected = 0; statement.step(); ++expected) {
            if (statement.integer(0) != expected) refuse("edit", "the numbering has a gap");
            if (file::hash_fields({std::to_string(statement.integer(1)), statement.text(2)}) !=
                static_cast<std::uint64_t>(statement.integer(3)))
                refuse("edit", "a hash does not match");
            try {
                writer_->log_edit(Edit::parse(statement.text(2)), statement.integer(1));
            } catch (const ArgumentError& error) {
                refuse("edit", error.what());
            }
        }
    }

    /// Calls use(reader) for each chunk of a table, in order, sizes, numbering and hashes checked.
    template <class Use>
    void chunks(const char* table, const std::string& sql, std::size_t record_bytes, Use use, std::int64_t extra = -1) {
        Statement statement(database_, sql.c_str());
        statement.bind(number_);
        if (extra >= 0) statement.bind(extra);
        std::int64_t expected = 0;
        while (statement.step()) {
            const auto bytes = statement.blob(3);
            if (statement.integer(0) != expected) refuse(table, fmt::format("a chunk is missing at {}", expected));
            ColumnReader reader(bytes, statement.integer(1), record_bytes, place(table));
            check_hash(table, statement.integer(2), bytes);
            use(reader);
            expected += statement.integer(1);
        }
    }
    static std::string chunk_sql(const char* table) {
        return fmt::format("SELECT first, count, hash, data FROM {} WHERE run = ? ORDER BY first", table);
    }

    void read_events() {
        const auto sites = static_cast<std::int32_t>(run_->sites().size());
        chunks("event_chunk", chunk_sql("event_chunk"), 24, [&](ColumnReader& reader) {
            const auto ordinals = reader.column<std::int32_t>(), numbers = reader.column<std::int32_t>();
            const auto starts = reader.column<std::uint64_t>(), ends = reader.column<std::uint64_t>();
            for (std::size_t i = 0; i < reader.count(); ++i) {
                if (numbers[i] < 0 || numbers[i] >= sites) refuse("event_chunk", "an event names a site that is not there");
                if (ends[i] < starts[i] || ordinals[i] < 0) refuse("event_chunk", "an event ends before it starts");
                writer_->append_event({ordinals[i], numbers[i], starts[i], ends[i]});
            }
        });
    }

    void read_observed() {
        StepIndex before = -2;
        std::uint64_t next = 0;
        chunks("observed_chunk", chunk_sql("observed_chunk"), 20, [&](ColumnReader& reader) {
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

    void read_series() {
        for (std::size_t s = 0; s < run_->series().size(); ++s) {
            const bool every = run_->series()[s]->info().every_iteration;
            StepIndex before = std::numeric_limits<StepIndex>::min();
            chunks(
                "series_chunk",
                "SELECT first, count, hash, data FROM series_chunk WHERE run = ? AND series = ? ORDER BY first",
                every ? 8 : 16,
                [&](ColumnReader& reader) {
                    const auto iterations = every ? std::vector<std::int64_t>(reader.count())
                                                  : reader.column<std::int64_t>();
                    const auto values = reader.column<double>();
                    for (std::size_t i = 0; i < reader.count(); ++i) {
                        if (!every && iterations[i] <= before) refuse("series_chunk", "iterations do not rise");
                        if (!every) before = iterations[i];
                        writer_->push_at(s, iterations[i], values[i]);
                    }
                },
                static_cast<std::int64_t>(s));
        }
    }

    void read_iterations() {
        chunks("iteration_chunk", chunk_sql("iteration_chunk"), 8, [&](ColumnReader& reader) {
            for (const Ticks end : reader.column<std::uint64_t>()) writer_->append_iteration_end(end);
        });
        for (const auto& series : run_->series())
            if (series->info().every_iteration && series->size() != run_->iteration_ends().size())
                refuse("series_chunk", fmt::format("{} has {} values for {} iterations", series->info().name,
                                                   series->size(), run_->iteration_ends().size()));
    }

    void read_tensors() {
        const auto pool = std::make_shared<BufferPool>();
        std::map<TensorId, RecordedTensor> all;
        Statement rows(database_, "SELECT iteration, ordinal, output, name, role, dtype, shape, axes, hash, data, row_hash "
                                  "FROM tensor WHERE run = ?");
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
            const std::string spot = place("tensor " ) + tensor.name;
            tensor.role = file::role_from_text(rows.text(4), spot);
            const DType dtype = file::dtype_from_text(rows.text(5), spot);
            const Shape shape = file::shape_from_text(rows.text(6), rows.text(7), spot);
            tensor.hash = static_cast<std::uint64_t>(rows.integer(8));
            if (file::hash_of(tensor, shape, dtype, tensor.hash) != static_cast<std::uint64_t>(rows.integer(10)))
                throw FileError(fmt::format("{}: the hash of its row does not match", spot));
            ++hashes;
            if (!rows.is_null(9)) {
                const auto bytes = rows.blob(9);
                if (bytes.size() / size_of(dtype) != static_cast<std::uint64_t>(shape.elements()) ||
                    bytes.size() % size_of(dtype) != 0)
                    throw FileError(fmt::format("{}: {} {} does not take {} bytes", spot, name_of(dtype), shape.text(),
                                                bytes.size()));
                StorageRef storage = pool->allocate(bytes.size());
                if (!bytes.empty()) std::memcpy(storage.data(), bytes.data(), bytes.size());
                tensor.tensor = Tensor(std::move(storage), shape, dtype);
                if (hash_tensor(tensor.tensor) != tensor.hash)
                    throw FileError(fmt::format("{} of iteration {}: its hash does not match its contents", spot,
                                                tensor.id.event.iteration));
                ++tensors;
            }
            all.emplace(tensor.id, std::move(tensor));
        }
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
            for (std::size_t i = 0; i < reader.count(); ++i) {
                const auto at = all.find({{iterations[i], ordinals[i]}, outputs[i]});
                if (at == all.end()) refuse("kept", "a tensor that an iteration kept is not there");
                tensors_kept->tensors.push_back(at->second);
            }
            writer_->keep(std::move(tensors_kept));
        }
    }

    Database& database_;
    std::int64_t number_;
    std::string where_;
    std::shared_ptr<Run> run_;
    std::unique_ptr<RunWriter> writer_;
};

} // namespace

RunFile read_run_file(const std::filesystem::path& path) {
    Database database(path, Database::Mode::read);
    database.execute("BEGIN"); // one snapshot, also of a file that is being written
    check_schema(database);
    check_pages(database);
    RunFile out;
    Statement meta(database, "SELECT value FROM meta WHERE key = 'dropped_tensors'");
    if (meta.step()) out.dropped_tensors = static_cast<std::size_t>(parse_integer(meta.text(0)).value_or(0));
    out.whole = true;
    Statement statement(database, "SELECT run, manifest, state, failure, hash FROM run ORDER BY run");
    while (statement.step()) {
        const auto number = static_cast<std::int64_t>(out.runs.size());
        const std::string where = fmt::format("{}: run {}", database.name(), number), text = statement.text(1);
        if (statement.integer(0) != number || number >= most_runs)
            throw FileError(fmt::format("{}: the numbering has a gap", where));
        if (file::hash_fields({text, statement.text(2), statement.text(3)}) != static_cast<std::uint64_t>(statement.integer(4)))
            throw FileError(fmt::format("{}: the hash of the manifest does not match", where));
        Manifest manifest = Manifest::from_json(text, where);
        std::shared_ptr<const Run> parent;
        for (const auto& run : out.runs)
            if (run->manifest().id == manifest.parent) parent = run;
        if (!manifest.parent.empty() && !parent)
            throw FileError(fmt::format("{}: its parent '{}' is not there", where, manifest.parent));
        if (manifest.parent.empty() && manifest.fork_iteration != 0)
            throw FileError(fmt::format("{}: begins at iteration {} without a parent", where, manifest.fork_iteration));
        if (parent && (manifest.fork_iteration < parent->first_iteration() || manifest.fork_iteration > parent->head()))
            throw FileError(fmt::format("{}: leaves its parent at iteration {}, where it never was", where,
                                        manifest.fork_iteration));
        const RunState state = file::state_from_text(statement.text(2), where);
        out.whole &= state != RunState::growing;
        RunReader reader(database, number, std::move(manifest), std::move(parent));
        out.runs.push_back(reader.read(state, statement.text(3)));
        out.tensors += reader.tensors;
        out.tensor_hashes += reader.hashes;
        out.last_event_unix_ns = std::max(out.last_event_unix_ns, out.runs.back()->last_event_unix_ns());
    }
    if (out.runs.empty()) out.whole = false;
    return out;
}

} // namespace gradus
