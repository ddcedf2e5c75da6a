#include "engine/simt/tool_process.hpp"

#include "tests/simt/compiled.hpp"
#include "tests/simt/running.hpp"
#include "tests/support/check.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;
using namespace std::chrono_literals;

namespace {
ToolEnd shell(const std::string& script, const ToolLimits& limits = {20s}) { return run_tool({"sh", "-c", script}, limits); }
} // namespace

TEST(a_tool_tells_how_it_ended) {
    const ToolEnd end = shell("echo one; echo two >&2; read line || exit 7");
    CHECK_EQUAL(end.code, 7);
    CHECK_EQUAL(end.output, "one\ntwo\n");
    CHECK_EQUAL(shell("kill -SEGV $$").code, -1);
    CHECK_EQUAL(run_tool({"no such tool"}, {20s}).code, 127);
    CHECK_EQUAL(run_tool({"printf", "%s|", "a b", "", "$HOME", "'\"\\"}, {20s}).output, "a b||$HOME|'\"\\|");
    const Variable korean("LANGUAGE", "ko"), locale("LC_ALL", "ko_KR.UTF-8");
    CHECK_EQUAL(shell("echo $LC_ALL $LANGUAGE").output, "C.UTF-8 C\n");
}

TEST(a_tool_has_limits) {
    const Folder folder;
    const ToolEnd late = shell("sleep 600 & sleep 600", {1s});
    CHECK(late.too_long && late.code == -1);
    const ToolEnd loud = shell("yes");
    CHECK(loud.too_much && !loud.too_long && loud.output.size() == 4 << 20);
    CHECK(has(shell("dd if=/dev/zero of=/dev/null bs=1G count=1", {20s, 512 << 20}).output, "memory exhausted"));
    CHECK_EQUAL(shell("dd if=/dev/zero of=/dev/null bs=1G count=1", {20s, std::uint64_t{3} << 30}).code, 0);
    const std::string file = (folder.path() / "file").string();
    CHECK(shell("dd if=/dev/zero of=" + file + " bs=1M count=8 2>&1", {20s, 1 << 30, 1 << 20}).code != 0);
    CHECK_EQUAL(fs::file_size(file), std::uintmax_t{1} << 20);
}

/// What it starts ends with it when the lab is killed; and neither open files nor blocked signals are handed down.
TEST(a_tool_ends_with_its_parent) {
    const Folder folder;
    const std::string told = folder.path() / "told", script = folder.write("tool", "#!/bin/sh\nsleep 600 &\nls -l /proc/self/fd >\"$1.files\"; grep SigBlk /proc/self/status >\"$1.signals\"; echo $$ $! >\"$1.part\"; mv \"$1.part\" \"$1\"; wait\n");
    fs::permissions(script, fs::perms::owner_all);
    const int open_here = open("/dev/null", O_RDONLY); // without O_CLOEXEC
    const pid_t parent = fork();
    if (parent == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        run_tool({script, told}, {std::chrono::seconds(60)});
        _exit(0);
    }
    close(open_here);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!fs::exists(told) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pid_t shell = 0, sleeper = 0;
    std::ifstream(told) >> shell >> sleeper;
    REQUIRE(shell > 0 && sleeper > 0 && runs(shell) && runs(sleeper));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    while ((runs(shell) || runs(sleeper)) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(!runs(shell) && !runs(sleeper));
    CHECK(!has(text_of(told + ".files"), fmt::format(" {} -> /dev/null", open_here)), text_of(told + ".files"));
    CHECK_EQUAL(text_of(told + ".signals"), "SigBlk:\t0000000000000000\n");
}

/// Who stays behind in the background holds nobody up.
TEST(nothing_that_a_tool_started_outlives_it) {
    const ToolEnd end = shell("sleep 600 & echo $!");
    CHECK(end.code == 0 && !end.too_long);
    const pid_t sleeper = static_cast<pid_t>(std::atoi(end.output.c_str()));
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (runs(sleeper) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(5ms);
    CHECK(sleeper > 0 && !runs(sleeper));
    CHECK(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);
}
