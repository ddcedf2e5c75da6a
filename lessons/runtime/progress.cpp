#include "lessons/runtime/progress.hpp"

#include "engine/core/error.hpp"
#include "engine/core/user_folder.hpp"
#include "engine/trace/file/database.hpp"

#include <chrono>
#include <fmt/format.h>

namespace gradus {

using file::Database;
using file::Statement;

namespace {
constexpr std::int64_t application_id = 0x47524450; // "GRDP"
constexpr std::int64_t version = 1;

std::int64_t pragma(Database& database, const char* sql) {
    Statement statement(database, sql);
    return statement.step() ? statement.integer(0) : 0;
}
} // namespace

Progress::Progress(const std::filesystem::path& path)
    : database_(std::make_unique<Database>(path, Database::Mode::keep)) {
    Database& db = *database_;
    const std::int64_t id = pragma(db, "PRAGMA application_id"), found = pragma(db, "PRAGMA user_version");
    if (id == 0 && found == 0 && pragma(db, "SELECT count(*) FROM sqlite_schema") == 0) {
        db.execute("PRAGMA journal_mode = WAL");
        db.execute("BEGIN IMMEDIATE");
        db.execute("CREATE TABLE IF NOT EXISTS answer (id INTEGER PRIMARY KEY, card TEXT NOT NULL, check_id TEXT NOT NULL, "
                   "typed TEXT NOT NULL, right INTEGER NOT NULL, unix_ns INTEGER NOT NULL) STRICT");
        db.execute("CREATE INDEX IF NOT EXISTS answer_card ON answer (card)");
        db.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
        db.execute(fmt::format("PRAGMA user_version = {}", version).c_str());
        db.execute("COMMIT");
    } else if (id != application_id) {
        throw FileError(fmt::format("{}: this is not a file of the learner's progress", db.name()));
    } else if (found > version) {
        throw FileError(fmt::format("{}: written by a newer lab (version {}, this one knows {})", db.name(), found, version));
    }
    db.execute("PRAGMA synchronous = FULL");
}

Progress::~Progress() = default;

std::filesystem::path Progress::standard_path() {
    return user_folder(Keeps::data) / "progress.sqlite";
}

void Progress::answer(std::string_view card, std::string_view check, std::string_view typed, bool right) {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    Statement(*database_, "INSERT INTO answer (card, check_id, typed, right, unix_ns) VALUES (?, ?, ?, ?, ?)")
        .bind(card).bind(check).bind(typed).bind(std::int64_t{right}).bind(now).run();
    passed_.clear();
}

std::vector<GivenAnswer> Progress::answers(std::string_view card) const {
    Statement rows(*database_, "SELECT check_id, typed, right, unix_ns FROM answer WHERE card = ? ORDER BY id");
    rows.bind(card);
    std::vector<GivenAnswer> out;
    while (rows.step())
        out.push_back({std::string(card), rows.text(0), rows.text(1), rows.integer(2) != 0, rows.integer(3)});
    return out;
}

const std::vector<std::string>& Progress::passed(std::string_view card) const {
    if (const auto known = passed_.find(card); known != passed_.end()) return known->second;
    Statement rows(*database_, "SELECT DISTINCT check_id FROM answer WHERE card = ? AND right = 1 ORDER BY check_id");
    rows.bind(card);
    std::vector<std::string> out;
    while (rows.step()) out.push_back(rows.text(0));
    return passed_.emplace(card, std::move(out)).first->second;
}

} // namespace gradus
