#include "engine/trace/file/database.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace gradus::file {

namespace {

constexpr std::array tables{
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    "CREATE TABLE run (run INTEGER PRIMARY KEY, manifest TEXT NOT NULL, state TEXT NOT NULL, failure TEXT NOT NULL, "
    "hash INTEGER NOT NULL) STRICT",
    "CREATE TABLE edit (run INTEGER NOT NULL, seq INTEGER NOT NULL, iteration INTEGER NOT NULL, edit TEXT NOT NULL, "
    "hash INTEGER NOT NULL, PRIMARY KEY (run, seq)) STRICT",
    "CREATE TABLE site (run INTEGER NOT NULL, site INTEGER NOT NULL, description TEXT NOT NULL, hash INTEGER NOT NULL, "
    "PRIMARY KEY (run, site)) STRICT",
    "CREATE TABLE event_chunk (run INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, "
    "hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, first)) STRICT",
    "CREATE TABLE observed_chunk (run INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, "
    "hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, first)) STRICT",
    "CREATE TABLE iteration_chunk (run INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, "
    "hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, first)) STRICT",
    "CREATE TABLE series (run INTEGER NOT NULL, series INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, "
    "provenance TEXT NOT NULL, every_iteration INTEGER NOT NULL, hash INTEGER NOT NULL, PRIMARY KEY (run, series)) STRICT",
    "CREATE TABLE series_chunk (run INTEGER NOT NULL, series INTEGER NOT NULL, first INTEGER NOT NULL, "
    "count INTEGER NOT NULL, hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, series, first)) STRICT",
    "CREATE TABLE kept (run INTEGER NOT NULL, iteration INTEGER NOT NULL, count INTEGER NOT NULL, "
    "hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, iteration)) STRICT",
    "CREATE TABLE tensor (run INTEGER NOT NULL, iteration INTEGER NOT NULL, ordinal INTEGER NOT NULL, "
    "output INTEGER NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, "
    "axes TEXT NOT NULL, hash INTEGER NOT NULL, row_hash INTEGER NOT NULL, data BLOB, PRIMARY KEY (run, iteration, ordinal, output)) STRICT",
    "CREATE TABLE tally (run INTEGER NOT NULL, name TEXT NOT NULL, rows INTEGER NOT NULL, sum INTEGER NOT NULL, "
    "PRIMARY KEY (run, name)) STRICT", // format 1 has none
    "CREATE TABLE memory (run INTEGER NOT NULL, iteration INTEGER NOT NULL, segments INTEGER NOT NULL, blocks INTEGER NOT NULL, "
    "events INTEGER NOT NULL, hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, iteration)) STRICT", // from format 3 on
    "CREATE TABLE kernel (run INTEGER NOT NULL, iteration INTEGER NOT NULL, hash INTEGER NOT NULL, data BLOB NOT NULL, "
    "PRIMARY KEY (run, iteration)) STRICT", // from format 4 on
};
constexpr std::array names_of_run_tables{"edit",   "site",         "event_chunk", "observed_chunk", "iteration_chunk",
                                         "series", "series_chunk", "kept",        "tensor",         "memory",
                                         "kernel"};

} // namespace

std::span<const char* const> schema(std::int64_t format) {
    return std::span<const char* const>(tables).first(tables.size() - (format < 2 ? 3 : format < 3 ? 2 : format < 4 ? 1 : 0));
}

std::span<const char* const> run_tables(std::int64_t format) {
    return std::span<const char* const>(names_of_run_tables).first(names_of_run_tables.size() - (format < 3 ? 2 : format < 4 ? 1 : 0));
}

Database::Database(std::string name, Mode mode) : name_(std::move(name)), mode_(mode) {}

Database::Database(const std::filesystem::path& path, Mode mode)
    : Database(path.string(), mode) { // from here on what throws is closed: SQLite gives a handle even where it cannot open
    std::error_code error;
    if (mode == Mode::create) {
        if (std::filesystem::exists(path, error))
            throw FileError(fmt::format("{}: exists already; choose another name", name_));
        const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
        if (!std::filesystem::is_directory(folder, error))
            throw FileError(fmt::format("{}: there is no folder {}", name_, folder.string()));
        // SQLite would say only that it cannot; the system says why.
        const int file = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (file < 0) throw FileError(fmt::format("{}: cannot be created: {}", name_, std::strerror(errno)));
        ::close(file);
        if (sqlite3_open_v2(name_.c_str(), &handle_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) fail("cannot be created");
        return;
    }
    if (mode == Mode::keep) {
        std::filesystem::create_directories(path.parent_path(), error);
        if (sqlite3_open_v2(name_.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) != SQLITE_OK)
            fail("cannot be opened");
        sqlite3_busy_timeout(handle_, 2000); // another lab may be writing
        return;
    }
    if (path.empty()) throw NoFileError("the name of the file is empty");
    if (!std::filesystem::is_regular_file(path, error)) {
        const bool missing = !error || error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
        throw NoFileError(fmt::format("{}: {}", name_,
                                      std::filesystem::exists(path, error) ? "is not a file"
                                      : missing                            ? "no such file"
                                                                           : error.message()));
    }
    // Not tried by opening it: closing it again would drop the locks of a recorder in this process.
    if (::eaccess(name_.c_str(), R_OK) != 0)
        throw NoFileError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    // A recording that was cut off has its last flushes beside it; without them the file is whole and may lie in a
    // folder where nothing can be written.
    const bool has_log = std::filesystem::exists(name_ + "-wal", error);
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path, error).string())
        uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned>(c)) : std::string(1, c);
    uri += has_log ? "?mode=ro" : "?mode=ro&immutable=1";
    if (sqlite3_open_v2(uri.c_str(), &handle_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) != SQLITE_OK)
        fail("cannot be opened");
    std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (has_log) bytes += std::filesystem::file_size(name_ + "-wal", error);
    // No value can be longer than the file; a lying length is refused before it is allocated.
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::clamp<std::uintmax_t>(bytes, 65'536, std::uintmax_t{1} << 30)));
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    execute("PRAGMA cell_size_check = ON");
    if (!has_log) return;
    const int primary = sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr) & 0xff;
    if (primary == SQLITE_READONLY || primary == SQLITE_CANTOPEN)
        throw FileError(fmt::format("{}: the recording was cut off, and its end, {}-wal, can only be read in a folder that "
                                    "can be written; copy both files to one", name_, name_));
}

Database::~Database() { sqlite3_close_v2(handle_); }

void Database::execute(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("failed");
}

void Database::sync() {
    for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
        sqlite3_file* file = nullptr; // the connection's own: a second one, once closed, would take SQLite's locks with it
        if (sqlite3_file_control(handle_, "main", which, &file) != SQLITE_OK || !file || !file->pMethods) continue;
        if (file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) != SQLITE_OK) fail("cannot be brought to the disk");
    }
}

bool Database::has_moved() const {
    int moved = 0;
    return sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

std::int64_t Database::limit_length(std::int64_t bytes) {
    return sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, static_cast<int>(std::clamp<std::int64_t>(bytes, 0, 1 << 30)));
}

void Database::fail(std::string_view doing) const {
    std::string reason = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
    const int code = handle_ ? sqlite3_errcode(handle_) & 0xff : SQLITE_NOMEM;
    const int system = handle_ ? sqlite3_system_errno(handle_) : 0;
    if (code == SQLITE_NOTADB) throw DamagedError(fmt::format("{}: not a Gradus run file", name_));
    if (code == SQLITE_CORRUPT) throw DamagedError(fmt::format("{}: {}: the file is damaged, or a part of it is missing", name_, doing));
    if (code == SQLITE_BUSY) reason = "another program holds it";
    if (code == SQLITE_FULL) reason = "the disk is full";
    else if (code == SQLITE_READONLY) reason = "it was moved, deleted or made read-only meanwhile";
    else if ((code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && system != 0) reason = std::strerror(system);
    throw FileError(fmt::format("{}: {}: {}", name_, doing, reason));
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
    if (sqlite3_prepare_v2(database.handle(), sql, -1, &statement_, nullptr) != SQLITE_OK)
        database_.fail(database_.is_read_only() ? "cannot be read" : "failed");
}
Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::int64_t value) {
    sqlite3_bind_int64(statement_, next_++, value);
    return *this;
}
Statement& Statement::bind(double value) {
    sqlite3_bind_double(statement_, next_++, value);
    return *this;
}
Statement& Statement::bind(std::string_view text) {
    sqlite3_bind_text(statement_, next_++, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
}
Statement& Statement::bind(std::span<const std::byte> blob) {
    if (blob.empty()) sqlite3_bind_zeroblob(statement_, next_++, 0);
    else sqlite3_bind_blob64(statement_, next_++, blob.data(), blob.size(), SQLITE_STATIC);
    return *this;
}
Statement& Statement::bind_null() {
    sqlite3_bind_null(statement_, next_++);
    return *this;
}

bool Statement::step() {
    const int status = sqlite3_step(statement_);
    if (status == SQLITE_ROW) return true;
    if (status == SQLITE_TOOBIG) throw TooLongError(fmt::format("{}: a value is too long", database_.name()));
    if (status != SQLITE_DONE) database_.fail(status == SQLITE_CORRUPT ? "is damaged" : "failed");
    return false;
}

Statement& Statement::rewind() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
    next_ = 1;
    return *this;
}

void Statement::run() {
    step();
    rewind();
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
std::string Statement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                 : std::string();
}
std::span<const std::byte> Statement::blob(int column) const {
    const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
    return {bytes, bytes ? static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)) : 0};
}
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

} // namespace gradus::file
