// What an export refuses, and what it leaves behind then.
#include "engine/core/error.hpp"
#include "tests/export/hand_run.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

std::size_t files_in(const TemporaryFolder& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

/// No file of this process may grow beyond `bytes` while it lives, as on a disk that is full.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    void (*handler_)(int);
    rlimit before_{};
};

} // namespace

TEST(unknown_formats_are_refused) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    for (const char* format : {"", "CSV", "onnx"}) {
        const Row row(format);
        CHECK_THROWS(exported(folder, *run, format, "a"), ArgumentError, "kineto, perfetto, npz, csv", format);
    }
    CHECK_EQUAL(files_in(folder), 0u);
}

TEST(iterations_that_are_not_there_are_refused) {
    const TemporaryFolder folder;
    const auto run = hand_run(); // 0 until 4
    const ExportOptions rows[] = {{-1, 2}, {-5, {}}, {2, 2}, {3, 1}, {0, 5}, {4, {}}, {{}, 0}, {{}, 99}};
    for (const std::string_view format : export_formats())
        for (const ExportOptions& row : rows) {
            const Row name(fmt::format("{} {} {}", format, row.from.value_or(-9), row.until.value_or(-9)));
            CHECK_THROWS(exported(folder, *run, format, "a", row), ArgumentError, "0 until 4");
        }
    CHECK_THROWS(exported(folder, *empty_run(), "csv", "a", {0, 1}), ArgumentError, "'empty' has no iterations");
    CHECK_THROWS(exported(folder, *hand_fork(run), "kineto", "a", {0, {}}), ArgumentError, "before 3", "run \"A\"");
    CHECK_EQUAL(files_in(folder), 0u);
    exported(folder, *run, "csv", "a", {3, 4});
    CHECK_EQUAL(files_in(folder), 1u);
}

TEST(places_that_cannot_be_written_are_refused) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const std::string plain = folder.write("plain", {});
    struct {
        std::string path, part;
    } const rows[] = {
        {folder.path(), "it is a folder"},
        {folder.path() + "/none/a", "there is no folder"},
        {plain + "/a", "there is no folder"},
        {"/dev/full", "it is not a regular file"},
        {"/proc/gradus", "/proc/gradus cannot be written"},
        {"", "the name of the file to write is empty"},
    };
    for (const std::string_view format : export_formats())
        for (const auto& row : rows) {
            const Row name(fmt::format("{} {}", format, row.path));
            CHECK_THROWS(export_run(*run, format, row.path), FileError, row.path, row.part);
        }
    CHECK_EQUAL(files_in(folder), 1u);
    CHECK(fs::is_character_file("/dev/full"));
}

TEST(a_full_disk_leaves_the_old_file_and_no_half_one) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "0"}}, 4000, 100);
    for (const std::string_view format : export_formats()) {
        const Row row{std::string(format)};
        const std::string path = folder.path() + "/a." + std::string(format);
        const std::uint8_t old[] = {'o', 'l', 'd'};
        folder.write("a." + std::string(format), old);
        bool threw = false;
        try {
            const SmallDisk disk(2000);
            export_run(*run, format, path);
        } catch (const FileError& error) {
            threw = std::string(error.what()).starts_with(path + " cannot be written: ");
        }
        CHECK(threw);
        CHECK_EQUAL(contents_of(path), "old");
    }
    CHECK_EQUAL(files_in(folder), export_formats().size());
}

TEST(an_export_replaces_a_file_and_keeps_a_link) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    for (const std::string_view format : export_formats()) {
        const Row row{std::string(format)};
        exported(folder, *run, format, "a", {0, 1});
        const std::string part = contents_of(folder.path() + "/a");
        exported(folder, *run, format, "a");
        const std::string whole = contents_of(folder.path() + "/a");
        CHECK(whole != part);
        fs::create_symlink("a", folder.path() + "/link");
        exported(folder, *run, format, "link", {0, 1});
        CHECK(fs::is_symlink(folder.path() + "/link"));
        CHECK_EQUAL(contents_of(folder.path() + "/a"), part); // the same Run gives the same bytes
        fs::remove(folder.path() + "/link");
    }
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    export_run(*run, "csv", "here.csv"); // a name without a folder
    fs::current_path(before);
    CHECK(fs::exists(folder.path() + "/here.csv"));
}

TEST(no_export_is_written_over_a_recording) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() + "/mine.gradus") << "a recording";
    for (const std::string_view format : export_formats())
        CHECK_THROWS(exported(folder, *hand_run(), format, "mine.gradus"), FileError, "mine.gradus cannot be written", "choose another name");
    CHECK_EQUAL(contents_of(folder.path() + "/mine.gradus"), "a recording");
    exported(folder, *hand_run(), "csv", "odd.gradus"); // an odd name, but there is nothing to lose
    CHECK_EQUAL(files_in(folder), 2u);
}

TEST(what_killed_exports_left_is_removed) {
    const TemporaryFolder folder;
    const auto old = fs::path(folder.path()) / ".a.csv.gradus-4194300-0.part", new_one = fs::path(folder.path()) / ".a.csv.gradus-4194301-0.part"; // of no process
    const auto mine = fs::path(folder.path()) / ".a.csv.part"; // somebody's own
    for (const auto& part : {old, new_one, mine}) std::ofstream(part) << "half written";
    for (const auto& part : {old, mine}) fs::last_write_time(part, fs::file_time_type::clock::now() - std::chrono::minutes(5));
    exported(folder, *hand_run(), "csv", "b");
    CHECK(!fs::exists(old) && fs::exists(new_one) && fs::exists(mine));
    CHECK_EQUAL(files_in(folder), 3u);
}
