#include "engine/trace/file/reader.hpp"

#include "engine/core/text.hpp"
#include "engine/trace/file/recording_lock.hpp"
#include "engine/trace/file/run_reader.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gradus {

namespace {

using file::Database;
using file::Statement;
using file::Tally;

constexpr std::int64_t most_runs = 10'000;

/// The file's format.
std::int64_t check_schema(Database& database) {
    Statement version(database, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version");
    if (!version.step() || version.integer(0) != file::application_id)
        throw FileError(fmt::format("{}: not a Gradus run file", database.name()));
    const std::int64_t format = version.integer(1);
    if (format > file::format_version)
        throw FileError(fmt::format("{}: it was written by a later Gradus, in format {}; this one reads formats up to {}", database.name(),
                                    format, file::format_version));
    if (format < 1) throw FileError(fmt::format("{}: there is no format {}", database.name(), format));
    std::multiset<std::string> expected;
    for (const char* table : file::schema(format)) expected.insert(table);
    Statement statement(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL");
    while (statement.step()) {
        const auto at = expected.find(statement.text(0));
        if (at == expected.end())
            throw FileError(fmt::format("{}: its tables are not those of a run file of format {}", database.name(), format));
        expected.erase(at);
    }
    if (!expected.empty()) throw FileError(fmt::format("{}: a table is missing", database.name()));
    return format;
}

/// `check`: quick_check for the pages; integrity_check also for the indexes, whose keys it reads.
void check_pages(Database& database, const char* check) {
    Statement statement(database, fmt::format("PRAGMA {}(1)", check).c_str());
    const std::string verdict = statement.step() ? statement.text(0) : "";
    if (verdict != "ok")
        throw FileError(fmt::format("{}: is damaged: {}", database.name(), verdict.substr(verdict.rfind('\n') + 1)));
}

/// How long the values of a table may be, in bytes (characters of a text, which are no more).
struct Longest {
    const char *table, *columns;
    std::int64_t bytes;
};
constexpr std::int64_t word = 4096, text = 1 << 20,
                       chunk = 4 * 24 * static_cast<std::int64_t>(file::chunk_records); // format 1 had longer ones at times
constexpr Longest longest[] = {
    {"meta", "max(length(key), length(value))", word},
    {"tally", "length(name)", word},
    {"run", "max(length(manifest), length(state), length(failure))", text},
    {"edit", "length(edit)", text},
    {"site", "length(description)", text},
    {"series", "max(length(name), length(unit), length(provenance))", text},
    {"tensor", "max(length(name), length(role), length(dtype), length(shape), length(axes))", text},
    {"event_chunk", "length(data)", chunk},
    {"observed_chunk", "length(data)", chunk},
    {"iteration_chunk", "length(data)", chunk},
    {"series_chunk", "length(data)", chunk},
    {"kept", "length(data)", 16 << 20}, // of a million tensors
    {"memory", "length(data)", 64 << 20},
    {"kernel", "length(data)", KernelTrace::most_bytes},
};

/// Refuses values that no recorder writes, before they are read. A tensor's contents are measured against its shape
/// where they are read.
void check_lengths(Database& database, std::int64_t format) {
    for (const Longest& rule : longest) {
        if (format < 2 && rule.table == std::string_view("tally")) continue;
        if (format < 3 && rule.table == std::string_view("memory")) continue;
        if (format < 4 && rule.table == std::string_view("kernel")) continue;
        const std::int64_t before = database.limit_length(rule.bytes);
        const bool of_file = rule.table == std::string_view("meta");
        std::int64_t row = 0;
        bool too_long = false;
        try { // a text beyond the limit is not even measured; a blob's length stands before it
            Statement lengths(database, fmt::format("SELECT {} FROM {} NOT INDEXED", rule.columns, rule.table).c_str());
            for (; !too_long && lengths.step(); ++row) too_long = lengths.integer(0) > rule.bytes;
            if (too_long) --row;
        } catch (const file::TooLongError&) {
            too_long = true;
        }
        database.limit_length(before);
        if (!too_long) continue;
        std::string run;
        if (!of_file) {
            Statement number(database, fmt::format("SELECT run FROM {} NOT INDEXED LIMIT 1 OFFSET {}", rule.table, row).c_str());
            if (number.step()) run = fmt::format("run {}: ", number.integer(0));
        }
        throw FileError(fmt::format("{}: {}table {}: a value is longer than {} bytes", database.name(), run, rule.table,
                                    rule.bytes));
    }
}

void read_meta(Database& database, std::int64_t format, const file::TallyReader* tally, RunFile& out) {
    Tally found;
    Statement meta(database, "SELECT key, value FROM meta");
    while (meta.step()) {
        const std::string key = meta.text(0), value = meta.text(1);
        const auto number = parse_integer(value);
        const bool known = key == "format" || key == "dropped_tensors";
        if (!known || !number || *number < 0 || (key == "format" && *number != format))
            throw FileError(fmt::format("{}: table meta: {} cannot be {}", database.name(), file::in_quotes(key),
                                        file::in_quotes(value)));
        if (key == "dropped_tensors") out.dropped_tensors = static_cast<std::size_t>(*number);
        found.add(file::hash_meta(key, value));
    }
    if (tally) tally->check(file::whole_file, "meta", found);
}

/// The Run that another says it left, among those read before it.
std::shared_ptr<const Run> parent_of(const Manifest& manifest, const RunFile& file, const std::string& where) {
    std::shared_ptr<const Run> parent;
    for (const auto& run : file.runs)
        if (run->manifest().id == manifest.parent) parent = run;
    if (!manifest.parent.empty() && !parent)
        throw FileError(fmt::format("{}: its parent '{}' is not there", where, manifest.parent));
    if (manifest.parent.empty() && manifest.fork_iteration != 0)
        throw FileError(fmt::format("{}: begins at iteration {} without a parent", where, manifest.fork_iteration));
    if (parent && (manifest.fork_iteration < parent->first_iteration() || manifest.fork_iteration > parent->head()))
        throw FileError(fmt::format("{}: leaves its parent at iteration {}, where it never was", where,
                                    manifest.fork_iteration));
    return parent;
}

void read_runs(Database& database, const file::TallyReader* tally, RunFile& out) {
    Tally found;
    Statement statement(database, "SELECT run, manifest, state, failure, hash FROM run ORDER BY run");
    while (statement.step()) {
        const auto number = static_cast<std::int64_t>(out.runs.size());
        const std::string where = fmt::format("{}: run {}", database.name(), number), manifest_text = statement.text(1);
        if (statement.integer(0) != number || number >= most_runs)
            throw FileError(fmt::format("{}: the numbering has a gap", where));
        const std::int64_t hash = statement.integer(4);
        if (file::hash_fields({manifest_text, statement.text(2), statement.text(3)}) != static_cast<std::uint64_t>(hash))
            throw FileError(fmt::format("{}: the hash of the manifest does not match", where));
        found.add(file::hash_row({number, hash}));
        Manifest manifest = Manifest::from_json(manifest_text, where);
        std::shared_ptr<const Run> parent = parent_of(manifest, out, where);
        const RunState state = file::state_from_text(statement.text(2), where);
        out.whole &= state != RunState::growing;
        file::RunReader reader(database, out.format, tally, number, std::move(manifest), std::move(parent));
        out.runs.push_back(reader.read(state, statement.text(3)));
        out.tensors += reader.tensors;
        out.tensor_hashes += reader.hashes;
        out.last_event_unix_ns = std::max(out.last_event_unix_ns, out.runs.back()->last_event_unix_ns());
    }
    if (tally) tally->check(file::whole_file, "run", found);
}

} // namespace

RunFile read_run_file(const std::filesystem::path& path) {
    RunFile out;
    out.recording = file::is_being_recorded(path); // asked first: what ends now is whole below
    Database database(path, Database::Mode::read);
    database.execute("BEGIN"); // one snapshot, also of a file that is being written
    out.format = check_schema(database);
    check_pages(database, "quick_check");
    check_lengths(database, out.format);
    check_pages(database, "integrity_check"); // a key in a row that is not the one in the index
    std::optional<file::TallyReader> tally;
    if (out.format >= 2) tally.emplace(database, out.format);
    const file::TallyReader* counted = tally ? &*tally : nullptr;
    read_meta(database, out.format, counted, out);
    out.whole = true;
    read_runs(database, counted, out);
    if (out.runs.empty()) out.whole = false;
    return out;
}

} // namespace gradus
