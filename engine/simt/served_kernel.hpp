#pragma once

#include "engine/simt/arena.hpp"
#include "engine/simt/runtime/launch_request.hpp"
#include "engine/simt/spawned_process.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace gradus::simt {

/// A kernel that somebody wrote, compiled without hooks, in a process of its own that computes launches for as long as this lives: confined as
/// run_child()'s is, so that whatever the kernel does, the lab goes on. One thread at a time.
class ServedKernel {
public:
    static constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30; ///< of a call's buffers; pages that nobody touches cost nothing

    /// `library`: as compile_kernel() made it, plain. Throws UnavailableError where no process can be started.
    explicit ServedKernel(std::string library);
    ~ServedKernel();

    /// Where the buffers of the next call lie: bytes from here. Begins a new process where the last one is no longer there.
    std::byte* buffers();
    /// Runs the launches; offsets of the buffers count from buffers(), which was asked for before. Throws Error with a clause that goes on from the kernel's name where it
    /// does not come to its end: "was still at work after 20 s".
    void run(LaunchRequest request, std::chrono::milliseconds at_most);

private:
    void start();
    std::string wait(std::uint32_t number, std::chrono::milliseconds at_most); ///< why it is not done; empty: it is

    std::string library_;
    std::unique_ptr<Arena> arena_;
    std::unique_ptr<SpawnedProcess> process_;
};

} // namespace gradus::simt
