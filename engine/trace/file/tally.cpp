#include "engine/trace/file/tally.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"

#include <fmt/format.h>

namespace gradus::file {

namespace {

std::uint64_t hash_entry(const TallyKey& key, const Tally& tally) {
    return hash_row({key.first, as_integer(hash_text(key.second)), tally.rows, as_integer(tally.sum)});
}

const TallyKey own_key{whole_file, "tally"};

std::string row_count(std::int64_t rows) { return fmt::format("{} row{}", rows, rows == 1 ? "" : "s"); }

std::string place(const std::string& file, std::int64_t run, std::string_view table) {
    return run == whole_file ? fmt::format("{}: table {}", file, table) : fmt::format("{}: run {}: table {}", file, run, table);
}

} // namespace

std::uint64_t hash_row(std::initializer_list<std::int64_t> columns) {
    return hash_bytes(columns.begin(), columns.size() * sizeof(std::int64_t));
}

std::uint64_t hash_meta(std::string_view key, std::string_view value) {
    return hash_row({as_integer(hash_text(key)), as_integer(hash_text(value))});
}

void TallyWriter::add(std::int64_t run, const char* table, std::uint64_t row) { entries_[{run, table}].now.add(row); }
void TallyWriter::remove(std::int64_t run, const char* table, std::uint64_t row) { entries_[{run, table}].now.remove(row); }

void TallyWriter::open(std::int64_t run) {
    if (run == whole_file) entries_.try_emplace({run, "run"}), entries_.try_emplace({run, "meta"});
    else
        for (const char* table : run_tables()) entries_.try_emplace({run, table});
}

void TallyWriter::write(Database& database) {
    Statement statement(database, "INSERT OR REPLACE INTO tally VALUES (?, ?, ?, ?)");
    const auto row = [&](const TallyKey& key, const Tally& tally) {
        statement.bind(key.first).bind(key.second).bind(tally.rows).bind(as_integer(tally.sum)).run();
    };
    const Tally before = own_;
    for (auto& [key, entry] : entries_) {
        if (entry.is_written && entry.now == entry.written) continue;
        if (entry.is_written) own_.remove(hash_entry(key, entry.written));
        own_.add(hash_entry(key, entry.now));
        row(key, entry.now);
        entry.written = entry.now;
        entry.is_written = true;
    }
    if (!(own_ == before)) row(own_key, own_);
}

void retally(Database& database, std::int64_t run, const char* table, std::uint64_t before, std::uint64_t after) {
    const auto replace = [&](const TallyKey& key, std::uint64_t old_row, std::uint64_t new_row) {
        Statement at(database, "SELECT rows, sum FROM tally WHERE run = ? AND name = ?");
        at.bind(key.first).bind(key.second);
        if (!at.step()) database.fail("has no tally");
        const Tally was{at.integer(0), static_cast<std::uint64_t>(at.integer(1))};
        Tally is = was;
        is.remove(old_row);
        is.add(new_row);
        Statement change(database, "UPDATE tally SET sum = ? WHERE run = ? AND name = ?");
        change.bind(as_integer(is.sum)).bind(key.first).bind(key.second).run();
        return std::pair(hash_entry(key, was), hash_entry(key, is));
    };
    const auto [was, is] = replace({run, table}, before, after);
    replace(own_key, was, is);
}

TallyReader::TallyReader(Database& database, std::int64_t format) : name_(database.name()) {
    check_own(database);
    check_counts(database, "run");
    for (const char* table : run_tables(format)) check_counts(database, table);
}

void TallyReader::check_own(Database& database) {
    Tally found;
    Statement rows(database, "SELECT run, name, rows, sum FROM tally");
    while (rows.step()) {
        const TallyKey key{rows.integer(0), rows.text(1)};
        const Tally tally{rows.integer(2), static_cast<std::uint64_t>(rows.integer(3))};
        if (key != own_key) found.add(hash_entry(key, tally));
        written_.emplace(key, tally);
    }
    check(whole_file, "tally", found);
}

/// A run has one row in the table run, and as many in the others as their tallies say; nobody else has any.
void TallyReader::check_counts(Database& database, const char* table) const {
    const bool runs = std::string_view(table) == "run";
    std::map<std::int64_t, std::int64_t> expected;
    for (const auto& [key, tally] : written_)
        if (key.first != whole_file && (runs || key.second == table)) expected[key.first] = runs ? 1 : tally.rows;
    const auto compare = [&](std::int64_t run, std::int64_t found, std::int64_t written) {
        if (found != written)
            throw FileError(fmt::format("{} holds {} where {} {} written", place(name_, run, table), row_count(found),
                                        written == 0 ? "none" : row_count(written), written < 2 ? "was" : "were"));
    };
    Statement groups(database, fmt::format("SELECT run, count(*) FROM {} GROUP BY run", table).c_str());
    while (groups.step()) {
        const auto at = expected.find(groups.integer(0));
        compare(groups.integer(0), groups.integer(1), at == expected.end() ? 0 : at->second);
        if (at != expected.end()) expected.erase(at);
    }
    for (const auto& [run, written] : expected) compare(run, 0, written);
}

void TallyReader::check(std::int64_t run, const char* table, const Tally& found) const {
    const auto at = written_.find({run, table});
    if (at == written_.end()) throw FileError(fmt::format("{}: its tally is missing", place(name_, run, table)));
    if (at->second.rows != found.rows)
        throw FileError(fmt::format("{} holds {} where {} {} written", place(name_, run, table), row_count(found.rows),
                                    at->second.rows, at->second.rows == 1 ? "was" : "were"));
    if (at->second.sum != found.sum)
        throw FileError(fmt::format("{}: a row is not as it was written", place(name_, run, table)));
}

} // namespace gradus::file
