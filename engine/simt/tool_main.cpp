#include "engine/simt/tool_main.hpp"

#include "engine/simt/confine.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace gradus::simt {

namespace {

void limit(__rlimit_resource what, const char* bytes) {
    const rlim_t most = std::strtoull(bytes, nullptr, 10);
    const rlimit value{most, most};
    setrlimit(what, &value);
}

} // namespace

int tool_main(int count, char** words) {
    if (count < 6) return 2;
    struct sigaction action {};
    action.sa_handler = [](int) { kill(0, SIGKILL); }; // the group, this process with it
    sigaction(SIGTERM, &action, nullptr);
    if (!end_with(static_cast<pid_t>(std::atol(words[2])), SIGTERM)) return 1;
    limit(RLIMIT_AS, words[3]);
    limit(RLIMIT_FSIZE, words[4]);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    pid_t process = 0;
    const int failed = posix_spawnp(&process, words[5], nullptr, nullptr, words + 5, environ);
    if (failed) return failed == ENOENT || failed == EACCES || failed == ENOTDIR ? 127 : 126;
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

} // namespace gradus::simt
