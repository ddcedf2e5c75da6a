#include "engine/trace/file/save.hpp"

#include "engine/core/error.hpp"
#include "engine/io/export/output_file.hpp"
#include "engine/trace/file/codec.hpp"
#include "engine/trace/file/database.hpp"
#include "engine/trace/file/recorder.hpp"
#include "engine/trace/file/tally.hpp"

#include <fmt/format.h>
#include <limits>

namespace gradus {

using file::Database;
using file::Statement;

namespace {

/// A failure while the part is written speaks of the file that was asked for.
[[noreturn]] void rethrow_for(const OutputFile& file, const FileError& failure) {
    const std::string sentence = failure.what(), part = file.part().string();
    const std::size_t at = sentence.find(part);
    file.fail(at == std::string::npos ? sentence : sentence.substr(std::min(sentence.size(), at + part.size() + 2)));
}

/// A Run that grew when it was copied grows no further in the copy.
void settle_states(Database& database) {
    const std::string stopped(name_of(RunState::stopped));
    struct Growing {
        std::int64_t run;
        std::uint64_t before, after; ///< hash of its row, as it is and in the new state
    };
    std::vector<Growing> all;
    {
        Statement growing(database, "SELECT run, manifest, failure, hash FROM run WHERE state = ?");
        growing.bind(name_of(RunState::growing));
        while (growing.step())
            all.push_back({growing.integer(0), static_cast<std::uint64_t>(growing.integer(3)),
                           file::hash_fields({growing.text(1), stopped, growing.text(2)})});
    }
    database.execute("BEGIN");
    for (const auto& [run, before, after] : all) {
        Statement statement(database, "UPDATE run SET state = ?, hash = ? WHERE run = ?");
        statement.bind(stopped).bind(file::as_integer(after)).bind(run).run();
        file::retally(database, file::whole_file, "run", file::hash_row({run, file::as_integer(before)}),
                      file::hash_row({run, file::as_integer(after)}));
    }
    database.execute("COMMIT");
}

void remove_logs(const std::filesystem::path& part) {
    std::error_code error;
    for (const char* suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(part.string() + suffix, error);
}

} // namespace

void copy_recording(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(from, error)) throw NoFileError(fmt::format("{}: no such file", from.string()));
    if (std::filesystem::equivalent(from, to, error))
        throw FileError(fmt::format("{} cannot be written: it is the recording itself", to.string()));
    OutputFile file(to);
    try {
        {
            Database source(from, Database::Mode::keep); // what the recorder flushes meanwhile is not in the copy
            Statement copy(source, "VACUUM INTO ?");
            copy.bind(file.part().string()).run();
        }
        Database copied(file.part(), Database::Mode::keep);
        settle_states(copied);
    } catch (const FileError& failure) {
        remove_logs(file.part());
        rethrow_for(file, failure);
    }
    file.commit();
}

void save_runs(const std::vector<std::shared_ptr<const Run>>& runs, const std::filesystem::path& to) {
    OutputFile file(to);
    try {
        Recorder::Options all;
        all.tensor_bytes = std::numeric_limits<std::size_t>::max() / 16;
        Recorder recorder(file.part(), all);
        for (const auto& run : runs) recorder.add(run);
        recorder.close();
        Database written(file.part(), Database::Mode::keep);
        settle_states(written);
    } catch (const FileError& failure) {
        remove_logs(file.part());
        rethrow_for(file, failure);
    }
    file.commit();
}

} // namespace gradus
