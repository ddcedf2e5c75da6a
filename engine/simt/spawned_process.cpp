#include "engine/simt/spawned_process.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace gradus::simt {

namespace {

constexpr int handed_file = 3;

/// This process's variables, but for those of the same name as one of the others.
std::vector<std::string> environment_with(const std::vector<std::string>& others) {
    std::vector<std::string> out = others;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view name(*entry, std::strcspn(*entry, "="));
        if (std::none_of(others.begin(), others.end(), [&](std::string_view other) { return other.substr(0, other.find('=')) == name; })) out.emplace_back(*entry);
    }
    return out;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
}

/// posix_spawn's answer.
int spawn(const Program& program, int output, pid_t& process) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (program.file >= 0) posix_spawn_file_actions_adddup2(&actions, program.file, handed_file);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, program.file >= 0 ? handed_file + 1 : handed_file);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    std::vector<std::string> environment = environment_with(program.environment), words{program.path};
    words.insert(words.end(), program.words.begin(), program.words.end());
    const int failed = posix_spawnp(&process, program.path.c_str(), &actions, &attributes, pointers(words).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

} // namespace

SpawnedProcess::SpawnedProcess(const Program& program, std::size_t most_output) : most_output_(most_output) {
    int ends[2];
    // Not the numbers below 4: the copies that the process gets would overwrite one another.
    const auto above = [](int file) {
        const int copy = fcntl(file, F_DUPFD_CLOEXEC, handed_file + 1);
        close(file);
        return copy;
    };
    if (pipe2(ends, O_CLOEXEC) != 0) throw UnavailableError(fmt::format("{}: cannot be started: no pipe: {}", program.path, std::strerror(errno)));
    pipe_ = above(ends[0]);
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
    const int output = above(ends[1]);
    Program started = program;
    if (program.file >= 0) started.file = fcntl(program.file, F_DUPFD_CLOEXEC, handed_file + 1);
    const int failed = spawn(started, output, process_);
    close(output);
    if (program.file >= 0) close(started.file);
    if (!failed) return;
    close(pipe_);
    throw UnavailableError(fmt::format("{}: cannot be started: {}", program.path, std::strerror(failed)));
}

SpawnedProcess::~SpawnedProcess() {
    end();
    close(pipe_);
}

bool SpawnedProcess::ended() const {
    siginfo_t info{};
    return reaped_ || (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == process_);
}

bool SpawnedProcess::take(std::chrono::milliseconds at_most) {
    pollfd waits{pipe_, POLLIN, 0};
    if (closed_ || poll(&waits, 1, static_cast<int>(at_most.count())) <= 0) return false;
    char bytes[16384];
    const ssize_t count = read(pipe_, bytes, sizeof bytes);
    closed_ = count == 0;
    if (count <= 0) return false;
    too_much_ |= static_cast<std::size_t>(count) > most_output_ - output_.size();
    output_.append(bytes, std::min(static_cast<std::size_t>(count), most_output_ - output_.size()));
    return true;
}

void SpawnedProcess::wait() {
    if (!closed_) take(std::chrono::milliseconds(5));
    else std::this_thread::sleep_for(std::chrono::microseconds(200)); // nobody is left who could write: it ends now, or computes on in silence
}

bool SpawnedProcess::drain() {
    while (!too_much_ && take(std::chrono::milliseconds(0))) {}
    return too_much_;
}

int SpawnedProcess::end() {
    if (reaped_) return status_;
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL); // it may have left its group; whoever has ended keeps its status
    while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) {}
    reaped_ = true;
    drain();
    return status_;
}

std::string gradus_simt() {
    std::error_code error;
    if (const char* named = std::getenv("GRADUS_SIMT"); named && *named) return named;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (std::filesystem::path folder = program.parent_path(); !folder.empty() && folder != folder.root_path(); folder = folder.parent_path())
        for (const char* below : {"gradus-simt", "engine/gradus-simt", "app/gradus-simt"})
            if (std::filesystem::is_regular_file(folder / below, error)) return (folder / below).string();
    throw UnavailableError(fmt::format("no gradus-simt beside or above {}, which compiles kernels and runs them step by step", program.string()));
}

} // namespace gradus::simt
