#include "engine/simt/child.hpp"

#include "engine/core/error.hpp"
#include "engine/core/log.hpp"
#include "engine/core/text.hpp"
#include "tests/simt/compiled.hpp"
#include "tests/simt/running.hpp"
#include "tests/support/check.hpp"
#include "tests/support/variable.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
using namespace std::chrono_literals;

namespace {

struct Took {
    ChildEnd end;
    std::chrono::duration<double> time;
};

/// For as long as this lives.
struct InFolder {
    std::filesystem::path before = std::filesystem::current_path();
    explicit InFolder(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
    ~InFolder() { std::filesystem::current_path(before); }
};

/// The deed, by child_stub.cpp's name for it, in a folder that holds nothing and in which nothing is found afterwards.
Took did(const std::string& deed, std::chrono::milliseconds at_most = 20s, const std::stop_token& stop = {}) {
    const Row named(deed);
    const Folder folder;
    const InFolder inside(folder.path());
    const Variable stub("GRADUS_SIMT", GRADUS_CHILD_STUB);
    const Arena arena({reinterpret_cast<const std::byte*>(deed.data()), deed.size()}, 4096);
    const auto began = std::chrono::steady_clock::now();
    ChildEnd end = run_child(arena, at_most, stop);
    CHECK(std::filesystem::is_empty(folder.path()));
    if (end.done) CHECK(arena.answer().size() == 1 && arena.answer()[0] == std::byte{42});
    return {std::move(end), std::chrono::steady_clock::now() - began};
}


} // namespace

TEST(a_child_that_behaves_gives_its_answer) {
    const ChildEnd end = did("behave").end;
    CHECK(end.done, end.why);
    CHECK(has(end.output, "hello\n") && has(end.output, "and more\n"), end.output);
    CHECK_EQUAL(did("nothing").end.why, "ended without an answer");
    CHECK_EQUAL(did("exit").end.why, "ended without an answer");
    CHECK_EQUAL(did("exit 3").end.why, "ended with code 3");
}

TEST(what_a_kernel_may_not_do_ends_it_and_is_named) {
    const struct {
        const char *deed, *why;
    } rows[] = {
        {"open", "tried to open a file"},
        {"open twice", "tried to open a file"},
        {"list", "tried to open a file"},
        {"open to write", "tried to change a file"},
        {"fork", "tried to start a process"},
        {"fork bomb", "tried to start a process"},
        {"thread", "tried to start a process, or something else that a kernel may not"},
        {"system", "tried to start a process, or something else that a kernel may not"},
        {"exec", "tried to start a program"},
        {"write", "tried to change a file"},
        {"append", "tried to change a file"},
        {"truncate", "tried to change a file"},
        {"temporary", "tried to change a file"},
        {"write arena", "tried to change a file"},
        {"shrink arena", "tried to change a file"},
        {"rename", "tried to change a file"},
        {"unlink", "tried to change a file"},
        {"chmod", "tried to change a file"},
        {"mkdir", "tried to change a file"},
        {"socket", "tried to use the network"},
        {"mount", "tried to change the system"},
        {"ptrace", "tried to reach another process"},
        {"kill parent", "tried to reach another process"},
        {"kill group", "tried to reach another process"},
        {"kill all", "tried to reach another process"},
        {"stop itself", "tried to send itself a signal"},
        {"signal parent", "tried to reach another process"},
        {"read parent", "tried to reach another process"},
        {"write parent", "tried to reach another process"},
        {"hold parent", "tried to reach another process"},
        {"limit parent", "tried to reach another process"},
        {"lift limit", "tried to change its limits"},
        {"block signals and fork", "tried to start a process, or something else that a kernel may not"},
        {"ignore signals and fork", "tried to start a process, or something else that a kernel may not"},
        {"other mode", "tried to ask the system for something that a kernel may not"},
        {"keyring", "tried to ask the system for something that a kernel may not"},
    };
    for (const auto& row : rows) {
        const Row named(row.deed);
        const ChildEnd end = did(row.deed).end;
        CHECK(!end.done);
        CHECK_EQUAL(end.why, row.why);
    }
}

TEST(a_child_that_comes_to_grief_is_told_in_plain_words) {
    const struct {
        const char *deed, *why;
    } rows[] = {
        {"abort", "gave up (abort)"},
        {"segfault", "touched memory that is not its own, or its stack ran over"},
        {"divide", "divided an integer by zero"},
        {"new 100 GB", "ran out of memory"},
        {"touch all", "ran out of memory"},
        {"null", "touched memory that is not its own, or its stack ran over"},
        {"brief: loop", "used up its processor time"},
        {"flood", "wrote more than 1024 KiB"},
        {"terminal", "ended with code 5"},
    };
    for (const auto& row : rows) {
        const Row named(row.deed);
        const ChildEnd end = did(row.deed).end;
        CHECK(!end.done);
        CHECK_EQUAL(end.why, row.why);
    }
}

TEST(a_child_is_stopped_at_the_end_of_its_time) {
    for (const char* deed : {"loop", "sleep", "close and loop"}) {
        const Row named(deed);
        const Took took = did(deed, 300ms);
        CHECK_EQUAL(took.end.why, "was still at work after 0.3 s");
        CHECK(took.time < 10s);
    }
}

TEST(a_child_is_stopped_when_asked) {
    std::stop_source source;
    std::jthread impatient([&] {
        std::this_thread::sleep_for(200ms);
        source.request_stop();
    });
    const Took took = did("loop", 60s, source.get_token());
    CHECK_EQUAL(took.end.why, "was stopped");
    CHECK(took.time < 20s);
}

/// Whoever runs it may block or ignore signals, and have files open that are nobody else's business.
TEST(a_child_inherits_nothing_but_the_arena) {
    const int open_here = open("/dev/null", O_RDONLY); // without O_CLOEXEC
    CHECK(did("open files").end.done);
    close(open_here);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    CHECK_EQUAL(did("brief: loop").end.why, "used up its processor time");
    CHECK_EQUAL(did("write").end.why, "tried to change a file");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

namespace {
std::mutex protects_said;
std::vector<std::string> said;
} // namespace

/// As in some containers. It is said once, and the limits hold.
TEST(where_the_system_filters_no_calls_limits_hold) {
    set_log_callback([](LogLevel, std::string_view message) {
        const std::lock_guard lock(protects_said);
        said.emplace_back(message);
    });
    CHECK(did("unfiltered: behave").end.done);
    CHECK(did("unfiltered: shrink arena").end.done, "the arena's size is fixed");
    CHECK_EQUAL(did("unfiltered: new 100 GB").end.why, "ran out of memory");
    CHECK_EQUAL(did("unfiltered: loop", 300ms).end.why, "was still at work after 0.3 s");
    set_log_callback(nullptr);
    CHECK(said.size() == 1 && has(said[0], "the system refuses to filter calls") && has(said[0], "limits only"), joined(said));
}

/// Whoever cut it short would end the other side, which reads what is gone.
TEST(the_arena_keeps_its_size) {
    const Arena arena({}, 4096);
    CHECK(ftruncate(arena.file(), 0) != 0);
    CHECK(ftruncate(arena.file(), off_t{1} << 40) != 0);
    CHECK(fcntl(arena.file(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0);
    arena.memory()[4095] = std::byte{1};
    CHECK(arena.answer().empty());
}

TEST(children_side_by_side_do_not_meet) {
    const Variable stub("GRADUS_SIMT", GRADUS_CHILD_STUB);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([] {
            const std::string deed = "behave";
            for (int run = 0; run < 5; ++run) {
                const Arena arena({reinterpret_cast<const std::byte*>(deed.data()), deed.size()}, 4096);
                const ChildEnd end = run_child(arena, 30s);
                CHECK(end.done, end.why);
            }
        });
}

TEST(without_the_child_program_it_says_so) {
    const Variable stub("GRADUS_SIMT", "/nowhere/gradus-simt");
    const Arena arena({}, 1);
    CHECK_THROWS(run_child(arena, 1s), UnavailableError, "/nowhere/gradus-simt", "cannot be started");
}

/// Whoever ends the lab ends what it started: here a copy of this process is killed.
TEST(a_child_ends_with_its_parent) {
    const Variable stub("GRADUS_SIMT", GRADUS_CHILD_STUB);
    const std::string deed = "tell and loop";
    const Arena arena({reinterpret_cast<const std::byte*>(deed.data()), deed.size()}, 4096);
    const pid_t parent = fork();
    if (parent == 0) {
        run_child(arena, 60s);
        _exit(0);
    }
    volatile pid_t& told = *reinterpret_cast<volatile pid_t*>(arena.memory());
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!told && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(5ms);
    const pid_t child = told;
    REQUIRE(child > 0 && runs(child));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    while (runs(child) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(5ms);
    CHECK(!runs(child));
}

TEST(no_child_is_left_behind) {
    for (const char* deed : {"behave", "abort", "flood", "fork"}) did(deed);
    did("loop", 100ms);
    CHECK(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);
}
