// Work without end on the clock. Steps are counted, and a loop that does something uses up their budget; but one that only waits does few in
// a minute, and one that touches nothing does none at all.
#include "engine/simt/runtime/hooked_lane.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <initializer_list>

namespace gradus::simt {

Finding HookedRunner::overdue(Site site, ThreadName thread) const {
    return {.kind = Finding::Kind::endless, .site = site, .thread = thread, .words = fmt::format("{} s", options_->seconds)};
}

/// Whether a function that was called has no frame of its own at this instruction: before it is made, or when it is given up.
static bool between_frames(std::uint64_t instruction) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(instruction);
    const auto is = [&](std::initializer_list<unsigned char> code) { return std::equal(code.begin(), code.end(), bytes); };
    return is({0x55})                // push %rbp
        || is({0x48, 0x89, 0xe5})    // mov %rsp, %rbp
        || is({0xc3});               // ret
}

/// In the kernel's own code nothing of this process is half done: the lane can be left from there. Elsewhere the next step looks.
void HookedRunner::time_is_over(int, siginfo_t*, void* context) {
    HookedRunner* const runner = attached();
    if (!runner || !runner->options_ || runner->failed_) return;
    static volatile std::sig_atomic_t given_up = 0; // what was found is looked for once more in lockstep, but nothing is waited for again
    if (!given_up && std::chrono::steady_clock::now() - runner->block_began_ < std::chrono::seconds(runner->options_->seconds)) return; // many blocks take long, too
    given_up = 1;
    runner->time_over_ = 1;
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    const auto at = static_cast<std::uint64_t>(registers[REG_RIP]) - runner->text_;
    if (at >= runner->text_bytes_ || !runner->stacks_.contains(static_cast<std::uint64_t>(registers[REG_RSP]))) return;
    // what the shim does for the kernel has no line of the kernel's: it comes back
    if (static_cast<std::uint64_t>(registers[REG_RBP]) != runner->running_->frame) return;
    if (between_frames(runner->text_ + at)) return; // of the shim's function, too, where it begins and ends
    // a place is what a call returns to, behind its instruction
    runner->end_lane(runner->overdue({runner->running_->path | (static_cast<std::uint32_t>(at) + 1)}, runner->name(*runner->running_)));
}

void HookedRunner::limit_time(int seconds) {
    struct sigaction action {};
    action.sa_sigaction = &time_is_over;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER; // where a lane is left from here, the handler never returns
    sigaction(SIGALRM, &action, nullptr);
    const itimerval when{{0, 100'000}, {seconds, 0}}; // again and again: it may not have been in the kernel's code
    setitimer(ITIMER_REAL, &when, nullptr);
}

} // namespace gradus::simt
