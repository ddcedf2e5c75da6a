#include "engine/simt/child.hpp"

#include "engine/core/error.hpp"
#include "engine/core/log.hpp"
#include "engine/core/text.hpp"

#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>

namespace gradus::simt {

namespace {

constexpr std::string_view unconfined = "gradus-simt: "; // begins what child_main.cpp says where it could not be confined
constexpr std::size_t most_output = 1 << 20;             // bytes

std::string ended_by(int signal) {
    switch (signal) {
    case SIGSEGV:
    case SIGBUS: return "touched memory that is not its own, or its stack ran over";
    case SIGABRT: return "gave up (abort)";
    case SIGFPE: return "divided an integer by zero";
    case SIGILL: return "met an instruction that this processor has not";
    case SIGKILL: return "was ended by the system, which ran out of memory or was told to";
    case SIGXCPU: return "used up its processor time";
    case SIGXFSZ: return "tried to change a file";
    case SIGSYS: return "tried to start a process, or something else that a kernel may not"; // where signals are blocked, its name is lost
    default: return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
    }
}

void warn_once(const std::string& output) {
    if (!output.starts_with(unconfined)) return;
    static std::once_flag said;
    std::call_once(said, [&] { log(LogLevel::warning, one_line(output.substr(0, output.find('\n')))); });
}

} // namespace

Program child_program(const std::string& word, int arena) {
    const std::string room = "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=524288"; // for shared memory, which is thread-local there
    return {gradus_simt(), {word, std::to_string(getpid())}, {room}, arena};
}

std::string why_ended(int status, const Arena& arena) {
    const auto words = arena.end_words();
    const std::string told = one_line({reinterpret_cast<const char*>(words.data()), strnlen(reinterpret_cast<const char*>(words.data()), words.size())});
    if (WIFSIGNALED(status)) return ended_by(WTERMSIG(status));
    if (WEXITSTATUS(status) == 3 && !told.empty()) return "tried to " + told;
    if (WEXITSTATUS(status) != 0) return told.empty() ? fmt::format("ended with code {}", WEXITSTATUS(status)) : told;
    return "ended without an answer";
}

ChildEnd run_child(const Arena& arena, std::chrono::milliseconds at_most, const std::stop_token& stop, const std::function<void()>& looks) {
    SpawnedProcess process(child_program("kernel", arena.file()), most_output);
    auto moved = std::chrono::steady_clock::now();
    std::int64_t blocks = 0;
    ChildEnd end;
    while (end.why.empty() && !process.ended()) {
        const auto now = std::chrono::steady_clock::now();
        if (const std::int64_t told = arena.blocks_told(); told != blocks) blocks = told, moved = now;
        if (now >= moved + at_most) end.why = fmt::format("was still at work after {} s", std::chrono::duration<double>(at_most).count());
        else if (stop.stop_requested()) end.why = "was stopped";
        else if (process.wrote_too_much()) break;
        else process.wait();
        if (looks) looks();
    }
    const int status = process.end();
    end.output = process.output();
    warn_once(end.output);
    if (process.wrote_too_much()) end.why = fmt::format("wrote more than {} KiB", most_output >> 10);
    if (!end.why.empty()) return end;
    end.done = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !arena.answer().empty();
    if (!end.done) end.why = why_ended(status, arena);
    return end;
}

} // namespace gradus::simt
