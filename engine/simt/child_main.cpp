// gradus-simt: runs hooked kernels, apart from the lab. It is handed memory as descriptor 3 (arena.hpp), confines itself, and leaves its
// answer there. Exit 0: it did; 1: the first bytes of that memory say why not; 3: they say what was tried that a kernel may not.

#include "engine/simt/arena.hpp"
#include "engine/simt/confine.hpp"
#include "engine/simt/runtime/launch_request.hpp"

#include <cstdio>
#include <cstring>
#include <new>

using namespace gradus::simt;

int main() {
    try {
        Arena arena(3);
        const auto say = [&](const char* words) {
            std::strncpy(reinterpret_cast<char*>(arena.end_words().data()), words, arena.end_words().size() - 1);
            return 1;
        };
        try {
            const LaunchRequest request = LaunchRequest::read(arena.request());
            std::string reason;
            if (!confine({}, arena.end_words(), reason)) std::fprintf(stderr, "gradus-simt: %s; the kernel runs with limits only\n", reason.c_str());
            arena.answer(run_hooked(request, arena.memory()).bytes());
            return 0;
        } catch (const std::bad_alloc&) {
            return say("ran out of memory");
        } catch (const std::exception& error) {
            return say(error.what());
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gradus-simt: %s\n", error.what());
        return 2;
    }
}
