#include "engine/simt/tool_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace gradus::simt {

namespace {
constexpr std::size_t most_output = 4 << 20;
}

ToolEnd run_tool(const std::vector<std::string>& words, std::chrono::seconds at_most) {
    ToolEnd end;
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return {-1, false, "no pipe"};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    posix_spawnattr_t attributes; // a group of its own, so that what it starts is stopped with it
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int failed = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(pipe_ends[1]);
    if (failed) {
        close(pipe_ends[0]);
        return {127, false, {}};
    }
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
        pollfd waits{pipe_ends[0], POLLIN, 0};
        const int ready = left <= 0 ? 0 : poll(&waits, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            end.too_long = true;
            kill(-process, SIGKILL);
            break;
        }
        char bytes[4096];
        const ssize_t count = read(pipe_ends[0], bytes, sizeof bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        if (end.output.size() < most_output) end.output.append(bytes, static_cast<std::size_t>(count));
    }
    close(pipe_ends[0]);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return end;
}

} // namespace gradus::simt
