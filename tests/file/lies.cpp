#include "tests/file/support.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

#include <cstdio>
#include <exception>
#include <functional>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

namespace gradus::test {

namespace {

/// Lies told with SQL, each in a sound database file.
const std::vector<std::pair<const char*, const char*>>& lies() {
    static const std::vector<std::pair<const char*, const char*>> list{
        {"no manifest", "UPDATE run SET manifest = ''"},
        {"manifest of numbers", "UPDATE run SET manifest = '[1,2]'"},
        {"manifest without hash", "UPDATE run SET manifest = replace(manifest, '\"seed\"', '\"sead\"')"},
        {"unknown state", "UPDATE run SET state = 'happy'"},
        {"runs with a gap", "UPDATE run SET run = 7 WHERE run = 1"},
        {"run deleted", "DELETE FROM run WHERE run = 0"},
        {"events cut", "UPDATE event_chunk SET data = substr(data, 1, length(data) - 1) WHERE first = 0"},
        {"events empty", "UPDATE event_chunk SET data = x''"},
        {"event count lies", "UPDATE event_chunk SET count = count + 1"},
        {"event count huge", "UPDATE event_chunk SET count = 9223372036854775807"},
        {"event count negative", "UPDATE event_chunk SET count = -1"},
        {"event hash stale", "UPDATE event_chunk SET hash = hash + 1"},
        {"event chunk missing", "DELETE FROM event_chunk WHERE run = 0"},
        {"event first shifted", "UPDATE event_chunk SET first = first + 1"},
        {"observed cut", "UPDATE observed_chunk SET data = substr(data, 5)"},
        {"observed count", "UPDATE observed_chunk SET count = 1000000000000"},
        {"observed hash", "UPDATE observed_chunk SET hash = 0"},
        {"iterations lost", "DELETE FROM iteration_chunk"},
        {"iteration count", "UPDATE iteration_chunk SET count = count * 2"},
        {"series without data", "DELETE FROM series_chunk WHERE series = 0"},
        {"series data cut", "UPDATE series_chunk SET data = x'00'"},
        {"series hash", "UPDATE series_chunk SET hash = 1 WHERE series = 1"},
        {"series provenance", "UPDATE series SET provenance = 'guessed'"},
        {"series gap", "UPDATE series SET series = 99 WHERE series = 2"},
        {"site json", "UPDATE site SET description = '{' WHERE site = 0"},
        {"site hash", "UPDATE site SET hash = 5 WHERE site = 3"},
        {"site missing", "DELETE FROM site WHERE site = 1"},
        {"sites all missing", "DELETE FROM site"},
        {"edit nonsense", "UPDATE edit SET edit = 'please'"},
        {"edit gap", "UPDATE edit SET seq = seq + 10"},
        {"tensor dtype", "UPDATE tensor SET dtype = 'fp3'"},
        {"tensor shape", "UPDATE tensor SET shape = '-1,4'"},
        {"tensor shape huge", "UPDATE tensor SET shape = '4611686018427387904,4611686018427387904'"},
        {"tensor shape words", "UPDATE tensor SET shape = 'big'"},
        {"tensor rank", "UPDATE tensor SET shape = '1,1,1,1,1,1,1,1,1'"},
        {"tensor data cut", "UPDATE tensor SET data = substr(data, 1, 2) WHERE data IS NOT NULL"},
        {"tensor data changed", "UPDATE tensor SET data = zeroblob(length(data)) WHERE name = 'W1'"},
        {"tensor hash", "UPDATE tensor SET hash = hash + 1"},
        {"tensor role", "UPDATE tensor SET role = 'villain'"},
        {"tensor ordinal", "UPDATE tensor SET ordinal = -5 WHERE rowid = 1"},
        {"tensor ordinal huge", "UPDATE tensor SET ordinal = 99999999999 WHERE rowid = 1"},
        {"tensors missing", "DELETE FROM tensor WHERE rowid % 3 = 0"},
        {"kept cut", "UPDATE kept SET data = substr(data, 3)"},
        {"kept hash", "UPDATE kept SET hash = 12"},
        {"kept count", "UPDATE kept SET count = 4000000000"},
        {"an edit deleted", "DELETE FROM edit WHERE run = 0 AND seq = 2"},
        {"edits deleted", "DELETE FROM edit"},
        {"series deleted", "DELETE FROM series"},
        {"series and their data deleted", "DELETE FROM series; DELETE FROM series_chunk"},
        {"series of every second iteration", "UPDATE series SET every_iteration = 2 WHERE every_iteration = 1"},
        {"kept deleted", "DELETE FROM kept"},
        {"one iteration kept less", "DELETE FROM kept WHERE iteration = 7"},
        {"kept of setup changed", "UPDATE kept SET iteration = -1 WHERE rowid = (SELECT max(rowid) FROM kept)"},
        {"observed deleted", "DELETE FROM observed_chunk"},
        {"events and observed deleted", "DELETE FROM observed_chunk; DELETE FROM event_chunk; DELETE FROM kept; DELETE FROM tensor"},
        {"a fork deleted", "DELETE FROM run WHERE run = 2"},
        {"runs deleted", "DELETE FROM run"},
        {"a fork deleted with all that is its own",
         "DELETE FROM run WHERE run = 2; DELETE FROM edit WHERE run = 2; DELETE FROM site WHERE run = 2; "
         "DELETE FROM event_chunk WHERE run = 2; DELETE FROM observed_chunk WHERE run = 2; "
         "DELETE FROM iteration_chunk WHERE run = 2; DELETE FROM series WHERE run = 2; DELETE FROM series_chunk WHERE run = 2; "
         "DELETE FROM kept WHERE run = 2; DELETE FROM tensor WHERE run = 2; DELETE FROM tally WHERE run = 2"},
        {"the last steps deleted",
         "DELETE FROM series_chunk WHERE first = (SELECT max(first) FROM series_chunk); "
         "DELETE FROM iteration_chunk WHERE first = (SELECT max(first) FROM iteration_chunk)"},
        {"contents of a tensor deleted", "UPDATE tensor SET data = NULL WHERE name = 'W1'"},
        {"a tensor that nobody kept", "INSERT INTO tensor SELECT run, 999, ordinal, output, name, role, dtype, shape, axes, "
                                      "hash, row_hash, data FROM tensor LIMIT 1"},
        {"an edit of no run", "INSERT INTO edit SELECT 77, seq, iteration, edit, hash FROM edit LIMIT 1"},
        {"axes with a zero byte", "UPDATE tensor SET axes = axes || char(0) WHERE rowid = 1"},
        {"a size with a leading zero", "UPDATE tensor SET shape = '0' || shape WHERE rowid = 1"},
        {"a role of two lines", "UPDATE tensor SET role = 'a' || char(10) || char(0) || 'b'"},
        {"a name of two lines", "UPDATE tensor SET name = 'a' || char(10) || 'b', shape = 'x'"},
        {"a key of two lines", "UPDATE meta SET key = 'a' || char(10) || char(0) || 'b' WHERE key = 'format'"},
        {"format in meta", "UPDATE meta SET value = '99' WHERE key = 'format'"},
        {"more in meta", "INSERT INTO meta VALUES ('more', '1')"},
        {"dropped tensors", "UPDATE meta SET value = '1' WHERE key = 'dropped_tensors'"},
        {"meta deleted", "DELETE FROM meta"},
        {"tally deleted", "DELETE FROM tally"},
        {"a tally deleted", "DELETE FROM tally WHERE run = 1 AND name = 'edit'"},
        {"the tally of tallies deleted", "DELETE FROM tally WHERE name = 'tally'"},
        {"an edit deleted and its tally lowered", "DELETE FROM edit WHERE run = 0 AND seq = 2; "
                                                  "UPDATE tally SET rows = rows - 1 WHERE run = 0 AND name = 'edit'"},
        {"everything deleted",
         "DELETE FROM run; DELETE FROM edit; DELETE FROM site; DELETE FROM event_chunk; DELETE FROM observed_chunk; "
         "DELETE FROM iteration_chunk; DELETE FROM series; DELETE FROM series_chunk; DELETE FROM kept; DELETE FROM tensor"},
        {"an older format", "PRAGMA user_version = 1"},
        {"an older format without its tally", "PRAGMA user_version = 1; DROP TABLE tally"},
        {"a table more", "CREATE TABLE extra (x)"},
        {"a view", "CREATE VIEW w AS SELECT * FROM run"},
        {"a trigger", "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM run; END"},
        {"an index", "CREATE INDEX i ON tensor (name)"},
        {"a table less", "DROP TABLE kept"},
        {"a column more", "ALTER TABLE meta ADD COLUMN more TEXT"},
        {"newer format", "PRAGMA user_version = 99"},
        {"other application", "PRAGMA application_id = 1"},
        {"fork of nobody", "UPDATE run SET manifest = replace(manifest, '\"parent\":\"run\"', '\"parent\":\"xyz\"')"},
    };
    return list;
}

void tell(const std::filesystem::path& file, const char* sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    char* message = nullptr;
    CHECK(sqlite3_exec(database, sql, nullptr, nullptr, &message) == SQLITE_OK, message ? message : "");
    sqlite3_free(message);
    sqlite3_close(database);
}

/// Tables with their columns' names and types.
std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> tables_of(const std::filesystem::path& file) {
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> out;
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    const auto note = [](void* to, int, char** values, char**) {
        auto& tables = *static_cast<decltype(out)*>(to);
        if (tables.empty() || tables.back().first != values[0]) tables.push_back({values[0], {}});
        tables.back().second.push_back({values[1], values[2]});
        return 0;
    };
    sqlite3_exec(database, "SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c "
                           "WHERE m.type = 'table' ORDER BY m.name, c.cid", note, &out, nullptr);
    sqlite3_close(database);
    return out;
}

/// The most memory that a child process has held which does this; it must give true there.
long peak_kib_of(const std::function<bool()>& run) {
    const pid_t child = fork();
    if (child == 0) _exit(run() ? 0 : 1);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child failed");
    return usage.ru_maxrss;
}

bool refused_with(const std::filesystem::path& file, const std::string& part) {
    try {
        read_run_file(file);
        fmt::print("believed\n");
    } catch (const FileError& error) {
        if (std::string(error.what()).find(part) != std::string::npos) return true;
        fmt::print("{}\n", error.what());
    } catch (const std::exception& error) {
        fmt::print("threw something else: {}\n", error.what());
    }
    std::fflush(stdout);
    return false;
}

} // namespace

TEST(lies_told_with_sql_are_found) {
    const Folder folder;
    record_example(folder / "good.gradus");
    for (const auto& [name, sql] : lies()) {
        const Row row(name);
        const auto file = folder / "lie.gradus";
        std::filesystem::copy_file(folder / "good.gradus", file, std::filesystem::copy_options::overwrite_existing);
        tell(file, sql);
        CHECK(refused(file), "the lie was believed");
    }
}

/// Each table: rows removed, added, and changed in each column. What is said names the table.
TEST(no_row_can_be_removed_added_or_changed) {
    const Folder folder;
    record_example(folder / "good.gradus");
    record_kernel(folder / "kernel.gradus");
    const auto file = folder / "lie.gradus";
    int told = 0;
    std::string good; ///< a file whose table has rows
    const auto lie = [&](const std::string& sql) {
        const Row row(sql);
        std::filesystem::copy_file(folder / good, file, std::filesystem::copy_options::overwrite_existing);
        tell(file, sql.c_str());
        CHECK(refused(file), "the lie was believed");
        ++told;
    };
    for (const auto& [table, columns] : tables_of(folder / "good.gradus")) {
        good = table == "kernel" ? "kernel.gradus" : "good.gradus";
        lie(fmt::format("DELETE FROM {}", table));
        for (const char* order : {"ASC", "DESC"})
            lie(fmt::format("DELETE FROM {0} WHERE rowid = (SELECT rowid FROM {0} ORDER BY rowid {1} LIMIT 1)", table, order));
        std::string copied;
        for (const auto& [name, type] : columns) {
            const bool first = &name == &columns.front().first;
            copied += fmt::format("{}{}{}", first ? "" : ", ", name,
                                  !first ? "" : type == "TEXT" ? " || 'x'" : type == "INTEGER" ? " + 50" : "");
            const std::string other = type == "TEXT"      ? name + " || 'x'"
                                      : type == "INTEGER" ? name + " + 1000"
                                                          : "CAST(coalesce(" + name + ", x'') || 'x' AS BLOB)";
            for (const char* order : {"ASC", "DESC"})
                lie(fmt::format("UPDATE {0} SET {1} = {2} WHERE rowid = (SELECT rowid FROM {0} ORDER BY rowid {3} LIMIT 1)",
                                table, name, other, order));
        }
        lie(fmt::format("INSERT INTO {0} SELECT {1} FROM {0} LIMIT 1", table, copied));
    }
    fmt::print("    {} lies\n", told);
    CHECK(told > 150);
}

TEST(what_is_missing_is_named) {
    const Folder folder;
    record_example(folder / "good.gradus");
    const std::tuple<const char*, const char*, const char*> rows[] = {
        {"DELETE FROM edit", "run 0", "edit"},
        {"DELETE FROM kept WHERE run = 1", "run 1", "kept"},
        {"DELETE FROM run WHERE run = 2", "run 2", "table run"},
        {"UPDATE kept SET iteration = 0 WHERE run = 1 AND iteration = 21", "run 1", "kept"},
        {"UPDATE meta SET value = '99' WHERE key = 'format'", "meta", "99"},
        {"INSERT INTO edit VALUES (9, 0, 1, 'lr = 1', 0)", "run 9", "edit"},
    };
    for (const auto& [sql, one, other] : rows) {
        const Row row(sql);
        const auto file = folder / "lie.gradus";
        std::filesystem::copy_file(folder / "good.gradus", file, std::filesystem::copy_options::overwrite_existing);
        tell(file, sql);
        CHECK_THROWS(read_run_file(file), FileError, "lie.gradus", one, other);
    }
}

/// No value is loaded, let alone parsed, before its length is known to be one that a recorder writes.
TEST(huge_values_are_refused_unread) {
    const Folder folder;
    record_example(folder / "good.gradus");
    const std::pair<const char*, const char*> rows[] = {
        {"UPDATE run SET manifest = hex(zeroblob(12000000)) WHERE run = 1", "run 1: table run"},
        {"UPDATE site SET description = hex(zeroblob(12000000)) WHERE rowid = 2", "run 0: table site"},
        {"UPDATE edit SET edit = hex(zeroblob(12000000)) WHERE rowid = 1", "table edit"},
        {"UPDATE meta SET value = hex(zeroblob(12000000))", "table meta"},
        {"UPDATE tally SET name = hex(zeroblob(12000000)) WHERE name = 'kept' AND run = 0", "table tally"},
        {"UPDATE tensor SET name = hex(zeroblob(12000000)) WHERE rowid = 1", "table tensor"},
        {"UPDATE tensor SET data = zeroblob(24000000) WHERE rowid = 1", "does not take 24000000 bytes"},
        {"UPDATE event_chunk SET data = zeroblob(24000000) WHERE rowid = 1", "table event_chunk"},
        {"UPDATE kept SET data = zeroblob(24000000) WHERE rowid = 1", "table kept"},
    };
    for (const auto& [sql, part] : rows) {
        const Row row(sql);
        const auto file = folder / "huge.gradus";
        std::filesystem::copy_file(folder / "good.gradus", file, std::filesystem::copy_options::overwrite_existing);
        tell(file, sql); // takes memory of its own
        // Beside what the sound file takes: pages of the program's own code count, too, and how many are there is the system's choice.
        const long sound = peak_kib_of([&] { return !read_run_file(folder / "good.gradus").runs.empty(); });
        const long huge = peak_kib_of([&] { return refused_with(file, part); });
        CHECK(huge - sound < 12'000, fmt::format("{} KiB", huge - sound));
    }
}

} // namespace gradus::test
