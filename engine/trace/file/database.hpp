#pragma once

#include "engine/core/error.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace gradus::file {

/// A value is longer than the connection's limit; nothing of it was read.
class TooLongError : public FileError {
    using FileError::FileError;
};

/// A file whose bytes are not what SQLite wrote.
class DamagedError : public FileError {
public:
    using FileError::FileError;
};

/// A SQLite connection that closes itself. Every failure is a FileError naming the file.
class Database {
public:
    enum class Mode { create, read, keep };
    /// create: a new file, refused where one exists. read: an untrusted file, never written to. keep: the lab's own file,
    /// made where there is none.
    Database(const std::filesystem::path& path, Mode mode);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void execute(const char* sql);
    /// What was written to the file and its log is on the disk when it returns. Not in a transaction.
    void sync();
    /// Whether its name no longer leads to the file that was opened.
    bool has_moved() const;
    /// No longer value is read from here on, not even in part. Gives the limit before.
    std::int64_t limit_length(std::int64_t bytes);
    [[noreturn]] void fail(std::string_view doing) const;
    sqlite3* handle() const { return handle_; }
    const std::string& name() const { return name_; }

    bool is_read_only() const { return mode_ == Mode::read; }

private:
    Database(std::string name, Mode mode);

    sqlite3* handle_ = nullptr;
    std::string name_;
    Mode mode_;
};

/// One prepared statement; bind in order, then step.
class Statement {
public:
    Statement(Database& database, const char* sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(std::int64_t value);
    Statement& bind(double value);
    Statement& bind(std::string_view text);
    Statement& bind(std::span<const std::byte> blob); ///< the bytes must live until the step
    Statement& bind_null();
    /// True if there is a row.
    bool step();
    /// Makes it ready for other values.
    Statement& rewind();
    /// Runs a statement without rows and makes it ready for the next use.
    void run();

    std::int64_t integer(int column) const;
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const; ///< valid until the next step
    bool is_null(int column) const;

private:
    Database& database_;
    sqlite3_stmt* statement_ = nullptr;
    int next_ = 1;
};

constexpr std::int64_t application_id = 0x47524453; // "GRDS"
/// 1: no table tally, so rows that somebody removed are not missed. 2: the first that has it. 3: with what the allocator did, in
/// the table memory. 4: with what was recorded below kernels, in the table kernel. 5: with what lanes hand to each other and keep in their
/// variables, in the same table.
constexpr std::int64_t format_version = 5;

/// The tables of a format, each as the exact SQL that creates it; a file must hold these and nothing else.
std::span<const char* const> schema(std::int64_t format = format_version);
/// Names of the tables whose rows belong to one run each, but for the table run.
std::span<const char* const> run_tables(std::int64_t format = format_version);

} // namespace gradus::file
