#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gradus::simt {

/// A program to be run.
struct Program {
    std::string path;                          ///< found by PATH where it has no slash
    std::vector<std::string> words;            ///< behind its name
    std::vector<std::string> environment = {}; ///< "NAME=value", in place of or beside what this process has
    int file = -1;                             ///< is handed over as descriptor 3; -1: none
};

/// A process in a group of its own. What it writes to standard output and error comes through a pipe, its standard input is empty. It
/// inherits no other file, and no signal is blocked or ignored in it, whatever the thread that starts it does. Nothing of ours runs
/// between fork and exec, so that other threads may be anywhere. Its group ends with this object.
class SpawnedProcess {
public:
    /// Throws UnavailableError where it cannot be started.
    explicit SpawnedProcess(const Program& program, std::size_t most_output);
    ~SpawnedProcess();
    SpawnedProcess(const SpawnedProcess&) = delete;
    SpawnedProcess& operator=(const SpawnedProcess&) = delete;

    bool ended() const;
    /// Waits a few milliseconds for it to write something or to end.
    void wait();
    /// Takes what it wrote so far, without waiting. True where that was too much.
    bool drain();
    /// Ends it, if it did not end by itself, and all that it started; the status of waitpid.
    int end();

    const std::string& output() const { return output_; } ///< no more than the most
    bool wrote_too_much() const { return too_much_; }

private:
    bool take(std::chrono::milliseconds at_most);

    pid_t process_ = -1;
    int pipe_ = -1, status_ = 0;
    bool reaped_ = false, closed_ = false, too_much_ = false;
    std::size_t most_output_;
    std::string output_;
};

/// The path of gradus-simt: $GRADUS_SIMT, or beside or above this program. It runs kernels (child.hpp) and compilers (tool_process.hpp).
/// Throws UnavailableError where there is none.
std::string gradus_simt();

} // namespace gradus::simt
