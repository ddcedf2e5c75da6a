#pragma once

#include "engine/simt/runtime/launch_request.hpp"

#include <atomic>

namespace gradus::simt {

/// What the lab and a served kernel (served_kernel.hpp) tell each other at the beginning of the memory that they share: the lab writes `bytes` of
/// a LaunchRequest behind it, raises `asked`, and waits until `answered` is the same. Whatever the kernel's process wrote: to be read with care.
struct ServedCall {
    static constexpr std::size_t request_at = 4096, request_most = 60 * 1024, buffers_at = 65536; ///< bytes from the beginning
    std::atomic<std::uint32_t> asked{0}, answered{0};
    std::uint32_t bytes = 0, failed = 0;
    char why[512] = {}; ///< one sentence, where it failed
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4); // futexes stand on them
static_assert(sizeof(ServedCall) <= ServedCall::request_at);

/// Waits until the word is no longer `value`, or so long, or for no reason at all.
void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, int milliseconds);
void wake(const std::atomic<std::uint32_t>& word);

/// The kernel's side, in a process that is confined already: attaches the library that is open in it and computes what is asked until the
/// process is ended.
[[noreturn]] void serve(const std::string& library, std::byte* memory);

} // namespace gradus::simt
