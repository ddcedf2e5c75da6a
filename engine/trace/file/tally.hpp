#pragma once

#include "engine/trace/file/database.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace gradus::file {

/// How many rows a table was given, and the sum of their hashes, modulo 2^64. A sum needs no order and no second
/// look at earlier rows, so that a flush pays for its own rows only; whichever row is removed, added or changed
/// later, the table no longer fits it.
struct Tally {
    std::int64_t rows = 0;
    std::uint64_t sum = 0;
    void add(std::uint64_t row) {
        ++rows;
        sum += row;
    }
    void remove(std::uint64_t row) {
        --rows;
        sum -= row;
    }
    bool operator==(const Tally&) const = default;
};

/// Hash of a row's columns; a text or blob stands there by its own hash.
std::uint64_t hash_row(std::initializer_list<std::int64_t> columns);
std::uint64_t hash_meta(std::string_view key, std::string_view value);
inline std::int64_t as_integer(std::uint64_t hash) { return static_cast<std::int64_t>(hash); }

/// Stands where a run's number would, for the tables that belong to the file: run, meta and the tally itself.
constexpr std::int64_t whole_file = -1;

using TallyKey = std::pair<std::int64_t, std::string>; ///< run, table

/// The tallies of a file that is being written. write() belongs into the transaction of the rows that they count.
class TallyWriter {
public:
    /// A row that is about to be written.
    void add(std::int64_t run, const char* table, std::uint64_t row);
    /// A row that is about to be replaced.
    void remove(std::int64_t run, const char* table, std::uint64_t row);
    /// Every table of this run (or of the whole file) has a tally from now on, of no rows if it has none.
    void open(std::int64_t run);
    /// Writes those that changed.
    void write(Database& database);

private:
    struct Entry {
        Tally now, written;
        bool is_written = false;
    };
    std::map<TallyKey, Entry> entries_;
    Tally own_; ///< of the table of tallies
};

/// Puts one row's hash in the place of another's, in a file that nobody else writes.
void retally(Database& database, std::int64_t run, const char* table, std::uint64_t before, std::uint64_t after);

/// The tallies of a file that is read. Every refusal names the file, the run and the table.
class TallyReader {
public:
    /// Reads them and counts the rows of every table. Throws FileError where there are fewer or more than were written.
    TallyReader(Database& database, std::int64_t format);
    /// Throws FileError unless these are the rows that were written.
    void check(std::int64_t run, const char* table, const Tally& found) const;

private:
    void check_own(Database& database);
    void check_counts(Database& database, const char* table) const;

    std::string name_; ///< of the file
    std::map<TallyKey, Tally> written_;
};

} // namespace gradus::file
