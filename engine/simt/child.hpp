#pragma once

#include "engine/simt/arena.hpp"
#include "engine/simt/spawned_process.hpp"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace gradus::simt {

/// How the kernel's process ended.
struct ChildEnd {
    bool done = false;
    std::string why;    ///< one clause, where it is not: "was still at work after 10 s", "tried to start a process", …
    std::string output; ///< the beginning of what it wrote to its standard output and error
};

/// Runs what the arena asks in a process of its own, gradus-simt, which finds its answer a place in the arena. The process is confined
/// (confine.hpp) and is stopped where no block has come to its end for `at_most`, or by the token. `looks`: called every few milliseconds meanwhile.
/// Throws UnavailableError where there is no gradus-simt beside or above this program.
ChildEnd run_child(const Arena& arena, std::chrono::milliseconds at_most, const std::stop_token& stop = {}, const std::function<void()>& looks = {});

/// gradus-simt, told by `word` what to do with the arena: "kernel" or "serve".
Program child_program(const std::string& word, int arena);
/// Why it ended, as one clause, by the status of waitpid and by what it left in the arena.
std::string why_ended(int status, const Arena& arena);

} // namespace gradus::simt
