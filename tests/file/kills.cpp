#include "tests/file/support.hpp"

#include "engine/core/clock.hpp"
#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "tests/support/check.hpp"
#include "tests/support/slowed.hpp"
#include "tests/support/stolen.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gradus::test {

namespace {

struct Killed {
    std::int64_t unix_ns = 0; ///< just before the signal
    std::vector<std::pair<std::int64_t, std::vector<double>>> stolen; ///< by the host of a virtual machine until then, by time
    bool recording = false;   ///< there was a file

    /// What one processor lost at most from then on until the kill.
    double stolen_since(std::int64_t then) const {
        const std::vector<double>* before = &stolen.front().second;
        for (const auto& [at, lost] : stolen)
            if (at <= then) before = &lost;
        return most_stolen(*before, stolen.back().second);
    }
};

/// Records in a child process and kills it after some milliseconds.
Killed record_and_kill(const std::filesystem::path& file, int milliseconds, const char* data, const char* layers) {
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // whoever stops the test stops this too
        const int null = open("/dev/null", O_RDWR);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        const std::string set_data = std::string("data=") + data, set_layers = std::string("layers=") + layers;
        execl(GRADUS_PROGRAM, "gradus", "run", "train_mlp", "--set", set_data.c_str(), "--set", set_layers.c_str(), "--set",
              "batch=4", "--steps", "1000000000", "--threads", "1", "--observe", "50", "--edit", "40:lr = 0.05", "--record",
              file.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    Killed killed;
    killed.stolen.emplace_back(unix_time_ns(), stolen_ms());
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    constexpr std::chrono::milliseconds between(20);
    for (auto now = std::chrono::steady_clock::now(); now < until; now = std::chrono::steady_clock::now()) {
        std::this_thread::sleep_until(std::min(until, now + between));
        killed.stolen.emplace_back(unix_time_ns(), stolen_ms());
    }
    killed.unix_ns = unix_time_ns();
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status), "the recording ended by itself");
    killed.recording = std::filesystem::exists(file);
    return killed;
}

void kill_many(int count) {
    const Folder folder;
    const Philox random(20'26, 7);
    double worst_ms = 0, stolen = 0;
    int opened = 0, with_steps = 0, undecided = 0;
    for (int i = 0; i < count; ++i) {
        const Row row(fmt::format("kill {}", i));
        const auto file = folder / fmt::format("{}.gradus", i);
        // Now and then so late that the log has been brought to the disk twice and has begun anew.
        constexpr std::uint64_t start = slowed > 1 ? 2 : 1; // under a sanitizer a second may pass before there is anything to kill
        const int milliseconds = 20 + static_cast<int>(random.below(static_cast<std::uint64_t>(i), start * (i % 8 == 7 ? 4000 : 900)));
        const Killed killed = i % 2 == 0 ? record_and_kill(file, milliseconds, "xor", "2,2,1")
                                         : record_and_kill(file, milliseconds, "spirals", "2,16,16,1");
        if (!killed.recording) continue;
        try {
            const RunFile read = read_run_file(file);
            ++opened;
            CHECK(!read.whole && !read.recording);
            if (!read.runs.empty() && read.runs[0]->head() > 0) {
                ++with_steps;
                const double lost_ms = static_cast<double>(killed.unix_ns - read.last_event_unix_ns) * 1e-6;
                // What the host took from this machine meanwhile, nobody could have written.
                const double taken = killed.stolen_since(read.last_event_unix_ns);
                if (lost_ms > worst_ms) {
                    worst_ms = lost_ms;
                    stolen = taken;
                }
                // Beside a host that took a processor for half a second, what was left is no measure of ours: this moment again.
                if (lost_ms - taken > 200 && taken > 500 && undecided < count / 20) {
                    ++undecided;
                    --with_steps;
                    --i;
                } else CHECK_ERROR(lost_ms - taken, 200.0, fmt::format("of {:.0f} milliseconds lost, {:.0f} stolen meanwhile", lost_ms, taken));
                CHECK(read.runs[0]->observed().size() > 0);
                CHECK(read.runs[0]->value_at("loss", read.runs[0]->head() - 1).has_value());
            } else { // nothing flushed yet: only right after the start
                const double taken = killed.stolen_since(killed.stolen.front().first);
                CHECK(milliseconds - taken < 500 * slowed, fmt::format("no step in the file after {} ms, {:.0f} of them stolen", milliseconds, taken));
            }
        } catch (const FileError& error) {
            CHECK(false, error.what());
        }
        std::filesystem::remove(file);
        std::filesystem::remove(file.string() + "-wal");
        std::filesystem::remove(file.string() + "-shm");
    }
    fmt::print("    {} kills: {} files opened, {} with steps, at most {:.0f} ms lost, {:.0f} of them stolen by the host; {} tried again\n", count,
               opened, with_steps, worst_ms, stolen, undecided);
    CHECK(with_steps > count / 3);
}

} // namespace

TEST(a_killed_recording_opens) { kill_many(6); }
SLOW_TEST(two_hundred_killed_recordings_open) { kill_many(200); }

} // namespace gradus::test
