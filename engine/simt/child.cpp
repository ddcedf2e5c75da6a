#include "engine/simt/child.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace gradus::simt {

namespace {

constexpr int arena_file = 3; // the child's number for it

std::string program_of_child() {
    std::error_code error;
    if (const char* named = std::getenv("GRADUS_SIMT"); named && *named) return named;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (std::filesystem::path folder = program.parent_path(); !folder.empty() && folder != folder.root_path(); folder = folder.parent_path())
        for (const char* below : {"gradus-simt", "engine/gradus-simt", "app/gradus-simt"})
            if (std::filesystem::is_regular_file(folder / below, error)) return (folder / below).string();
    throw UnavailableError(fmt::format("no gradus-simt beside or above {}, which runs kernels step by step", program.string()));
}

std::string ended_by(int signal) {
    switch (signal) {
    case SIGSEGV: return "touched memory that is not its own, or its stack ran over";
    case SIGABRT: return "gave up (abort)";
    case SIGFPE: return "divided an integer by zero";
    case SIGILL: return "met an instruction that this processor has not";
    case SIGKILL: return "was stopped by the system: out of memory, or out of time";
    case SIGXCPU: return "used up its processor time";
    case SIGXFSZ: return "tried to change a file";
    case SIGSYS: return "tried to start a process, or something else that a kernel may not"; // where signals are blocked, its name is lost
    default: return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
    }
}

} // namespace

ChildEnd run_child(const Arena& arena, std::chrono::milliseconds at_most, const std::stop_token& stop) {
    const std::string program = program_of_child();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, arena.file(), arena_file);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> environment;
    for (char** entry = environ; *entry; ++entry)
        if (!std::string_view(*entry).starts_with("GLIBC_TUNABLES=")) environment.emplace_back(*entry);
    environment.emplace_back("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=524288"); // shared memory is thread-local there
    std::vector<char*> words;
    for (std::string& entry : environment) words.push_back(entry.data());
    words.push_back(nullptr);
    std::string name = "gradus-simt";
    char* arguments[] = {name.data(), nullptr};
    pid_t process = 0;
    const int failed = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, words.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed) throw UnavailableError(fmt::format("{}: cannot be started: {}", program, std::strerror(failed)));

    const auto deadline = std::chrono::steady_clock::now() + at_most;
    int status = 0;
    ChildEnd end;
    auto pause = std::chrono::microseconds(200);
    for (;;) {
        const pid_t got = waitpid(process, &status, WNOHANG);
        if (got == process) break;
        const bool late = std::chrono::steady_clock::now() >= deadline;
        if (late || stop.stop_requested()) {
            kill(process, SIGKILL);
            while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
            end.why = late ? fmt::format("was still at work after {} s", std::chrono::duration<double>(at_most).count()) : "was stopped";
            return end;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(5000));
    }
    const auto words_left = arena.end_words();
    const std::string told(reinterpret_cast<const char*>(words_left.data()), strnlen(reinterpret_cast<const char*>(words_left.data()), words_left.size()));
    if (WIFSIGNALED(status)) end.why = ended_by(WTERMSIG(status));
    else if (WEXITSTATUS(status) == 3) end.why = "tried to " + told;
    else if (WEXITSTATUS(status) != 0) end.why = told.empty() ? fmt::format("ended with code {}", WEXITSTATUS(status)) : told;
    else if (arena.answer().empty()) end.why = "ended without an answer";
    else end.done = true;
    return end;
}

} // namespace gradus::simt
