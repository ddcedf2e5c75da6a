// gradus-simt: runs what is not trusted, apart from the lab, and ends with it.
//   gradus-simt kernel PARENT: runs hooked kernels. It is handed memory as descriptor 3 (arena.hpp), confines itself, and leaves its answer
//     there. Exit 0: it did; 1: the first bytes of that memory say why not; 3: they say what was tried that a kernel may not.
//   gradus-simt serve PARENT: the same with a kernel that has no hooks, which it computes launches with until it is ended (serving.hpp).
//   gradus-simt tool …: runs a compiler, see tool_main.hpp.

#include "engine/core/error.hpp"
#include "engine/simt/arena.hpp"
#include "engine/simt/confine.hpp"
#include "engine/simt/runtime/hooked_runner.hpp"
#include "engine/simt/runtime/launch_request.hpp"
#include "engine/simt/serving.hpp"
#include "engine/simt/tool_main.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

using namespace gradus::simt;

namespace {
} // namespace

int main(int count, char** words) {
    if (count > 1 && std::string_view(words[1]) == tool_word) return tool_main(count, words);
    if (count > 2 && !end_with(static_cast<pid_t>(std::atol(words[2])), SIGKILL)) return 1;
    try {
        Arena arena(3);
        const auto say = [&](const char* why) {
            std::strncpy(reinterpret_cast<char*>(arena.end_words().data()), why, arena.end_words().size() - 1);
            return 1;
        };
        try {
            const LaunchRequest request = LaunchRequest::read(arena.request());
            std::string reason;
            if (request.options.seconds > 0) HookedRunner::limit_time(request.options.seconds);
            const bool serves = std::string_view(words[1]) == "serve";
            if (!confine({}, arena.end_words(), reason, request.library)) {
                std::fprintf(stderr, "gradus-simt: %s; the kernel runs with limits only\n", reason.c_str());
                std::fflush(stderr);
            }
            if (serves) serve(request.library, arena.memory());
            OwnMemory memory(arena);
            const LaunchAnswer answer = run_hooked(request, memory);
            memory.hand_over();
            BlobWriter to(arena.answer_room());
            answer.write(to);
            arena.answered(to.size());
            return 0;
        } catch (const std::bad_alloc&) {
            return say("ran out of memory");
        } catch (const gradus::UnavailableError&) { // no address space for stacks
            return say("ran out of memory");
        } catch (const std::exception& error) {
            return say(error.what());
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gradus-simt: %s\n", error.what());
        return 2;
    }
}
