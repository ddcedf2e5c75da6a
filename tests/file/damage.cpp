#include "tests/file/support.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "engine/data/idx.hpp"
#include "engine/trace/derive/diff.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <sqlite3.h>
#include <sys/resource.h>

namespace gradus::test {

namespace {

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) { return read_file(file, std::size_t{1} << 30); }

void write(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

long resident_kib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/// Either one sentence names the file, or it reads as the undamaged one does, which damage to bytes that carry
/// nothing allows.
bool refused(const std::filesystem::path& file, const RunFile* good = nullptr) {
    try {
        const RunFile read = read_run_file(file);
        if (!good) return false;
        REQUIRE(read.runs.size() == good->runs.size());
        for (std::size_t i = 0; i < read.runs.size(); ++i) {
            const Run &a = *read.runs[i], &b = *good->runs[i];
            CHECK_EQUAL(a.manifest().to_json(), b.manifest().to_json());
            CHECK(!diff_runs(a, b).first, "the damage was believed");
            CHECK_EQUAL(a.event_count(), b.event_count());
            CHECK(a.state() == b.state());
        }
        return false;
    } catch (const FileError& error) {
        const std::string sentence = error.what();
        CHECK(sentence.find(file.filename().string()) != std::string::npos, sentence);
        CHECK(sentence.find('\n') == std::string::npos, sentence);
        CHECK(sentence.size() < 600, sentence);
        return true;
    } catch (const std::exception& error) {
        report(false, fmt::format("threw something else: {}", error.what()), Where::current());
        return true;
    }
}

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

TEST(files_that_are_cut_or_flipped_are_found) {
    const Folder folder;
    record_example(folder / "good.gradus");
    const std::vector<std::uint8_t> good = bytes_of(folder / "good.gradus");
    const Philox random(99, 1);
    const long before = resident_kib();
    const auto file = folder / "bad.gradus";
    const RunFile reference = read_run_file(folder / "good.gradus");
    int believed = 0;
    for (std::uint64_t i = 0; i < 120; ++i) { // cut: everywhere, and finely near both ends
        const Row row(fmt::format("cut {}", i));
        std::size_t size = i < 40 ? i * 16 : i < 80 ? good.size() - (i - 39) * 100 : random.below(i, static_cast<std::uint32_t>(good.size()));
        auto bad = good;
        bad.resize(std::min(size, good.size() - 1));
        write(file, bad);
        CHECK(refused(file), fmt::format("a file cut to {} of {} bytes was believed", bad.size(), good.size()));
    }
    for (std::uint64_t i = 0; i < 130; ++i) { // flipped: one byte, or a stretch of them
        const Row row(fmt::format("flip {}", i));
        auto bad = good;
        const std::size_t at = i < 30 ? i * 3 : random.below(1000 + i, static_cast<std::uint32_t>(good.size()));
        const std::size_t length = i % 3 == 0 ? 64 : 1;
        for (std::size_t k = at; k < std::min(at + length, bad.size()); ++k) bad[k] ^= static_cast<std::uint8_t>(1 + random.below(5000 + i, 255));
        write(file, bad);
        believed += !refused(file, &reference);
    }
    fmt::print("    130 flips, {} of them in free space that nothing reads\n", believed);
    CHECK(believed < 100, std::to_string(believed));
    CHECK(resident_kib() - before < 200'000, "a damaged file made memory grow");
}

} // namespace gradus::test
