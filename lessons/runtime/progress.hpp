#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::file {
class Database;
}

namespace gradus {

/// One prediction as it was given.
struct GivenAnswer {
    std::string card, check, typed;
    bool right = false;
    std::int64_t unix_ns = 0;
};

/// What a learner has answered, in one SQLite file in the user's data folder. Every answer is on the disk before
/// answer() returns, so that a crash loses none.
class Progress {
public:
    /// Opens the file or makes it. Throws FileError for a file that is none of ours, or of a newer lab.
    explicit Progress(const std::filesystem::path& path);
    ~Progress();
    /// Where this user's progress is kept: $XDG_DATA_HOME/gradus/progress.sqlite, or in ~/.local/share.
    static std::filesystem::path standard_path();

    void answer(std::string_view card, std::string_view check, std::string_view typed, bool right);
    /// Everything answered for a card, oldest first.
    std::vector<GivenAnswer> answers(std::string_view card) const;
    /// Checks of a card that were answered rightly at least once. Asked for whenever the track is drawn, so it is read from
    /// the file once; what another lab writes meanwhile is seen at the next start.
    const std::vector<std::string>& passed(std::string_view card) const;

private:
    std::unique_ptr<file::Database> database_;
    mutable std::map<std::string, std::vector<std::string>, std::less<>> passed_; ///< by card, as far as it was asked for
};

} // namespace gradus
