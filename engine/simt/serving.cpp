#include "engine/simt/serving.hpp"

#include "engine/simt/runtime/kernel_library.hpp"
#include "engine/simt/runtime/plain_runner.hpp"

#include <cstring>
#include <ctime>
#include <exception>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gradus::simt {

void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, int milliseconds) {
    const timespec at_most{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
    syscall(SYS_futex, &word, FUTEX_WAIT, value, &at_most, nullptr, 0); // not FUTEX_PRIVATE: two processes share it
}

void wake(const std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

namespace {

void run_launches(const LaunchRequest& request, const KernelLibrary& library, PlainRunner& runner, std::byte* memory) {
    for (const LaunchRequest::Step& step : request.steps) {
        // What a launch finds in shared memory must not depend on those before it: the same run would give other numbers when it is computed again.
        if (const KernelLibrary::Segment shared = library.shared(); shared.bytes) std::memset(reinterpret_cast<void*>(shared.begin), 0, shared.bytes);
        std::vector<std::uint64_t> values;
        for (const LaunchRequest::Argument& argument : step.arguments)
            values.push_back(argument.buffer < 0 ? argument.bits : reinterpret_cast<std::uint64_t>(memory) + request.buffers.at(static_cast<std::size_t>(argument.buffer)).offset);
        std::vector<void*> arguments;
        for (std::uint64_t& value : values) arguments.push_back(&value);
        const KernelEntry entry = library.entry(step.entry);
        for (std::int64_t block = 0; block < step.shape.blocks(); ++block) runner.run_block(step.shape, block, entry, arguments.data());
    }
}

} // namespace

void serve(const std::string& path, std::byte* memory) {
    auto& call = *reinterpret_cast<ServedCall*>(memory);
    const KernelLibrary library(path);
    library.attach(PlainRunner::runtime());
    PlainRunner runner;
    for (std::uint32_t done = 0;;) {
        const std::uint32_t asked = call.asked.load(std::memory_order_acquire);
        if (asked == done) {
            wait_while(call.asked, asked, 1000);
            continue;
        }
        call.failed = 0;
        try {
            run_launches(LaunchRequest::read({memory + ServedCall::request_at, call.bytes}), library, runner, memory);
        } catch (const std::exception& error) {
            std::strncpy(call.why, error.what(), sizeof call.why - 1);
            call.failed = 1;
        }
        done = asked;
        call.answered.store(done, std::memory_order_release);
        wake(call.answered);
    }
}

} // namespace gradus::simt
