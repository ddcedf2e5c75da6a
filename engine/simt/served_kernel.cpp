#include "engine/simt/served_kernel.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/child.hpp"
#include "engine/simt/serving.hpp"

#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace gradus::simt {

namespace {

constexpr std::size_t most_output = 1 << 20; // bytes
constexpr int look_ms = 20;                  // so often is looked whether the process still lives

ServedCall& call_of(const Arena& arena) { return *reinterpret_cast<ServedCall*>(arena.memory()); }

} // namespace

ServedKernel::ServedKernel(std::string library) : library_(std::move(library)) { start(); }
ServedKernel::~ServedKernel() = default;

void ServedKernel::start() {
    LaunchRequest request;
    request.library = library_;
    process_.reset();
    arena_ = std::make_unique<Arena>(request.bytes(), ServedCall::buffers_at + most_bytes);
    new (arena_->memory()) ServedCall;
    process_ = std::make_unique<SpawnedProcess>(child_program("serve", arena_->file()), most_output);
}

std::byte* ServedKernel::buffers() {
    if (process_->ended()) start(); // its kernel ended it, or the thread that began it did
    return arena_->memory() + ServedCall::buffers_at;
}

void ServedKernel::run(LaunchRequest request, std::chrono::milliseconds at_most) {
    for (LaunchRequest::Buffer& buffer : request.buffers) buffer.offset += ServedCall::buffers_at;
    const std::vector<std::byte> bytes = request.bytes();
    if (bytes.size() > ServedCall::request_most) throw Error("has more launches than a training step can hand on");
    ServedCall& call = call_of(*arena_);
    std::memcpy(arena_->memory() + ServedCall::request_at, bytes.data(), bytes.size());
    call.bytes = static_cast<std::uint32_t>(bytes.size());
    const std::uint32_t number = call.asked.load(std::memory_order_relaxed) + 1;
    call.asked.store(number, std::memory_order_release);
    wake(call.asked);
    const std::string why = wait(number, at_most);
    if (why.empty()) return;
    process_->end();
    throw Error(why);
}

std::string ServedKernel::wait(std::uint32_t number, std::chrono::milliseconds at_most) {
    ServedCall& call = call_of(*arena_);
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    while (true) {
        const std::uint32_t answered = call.answered.load(std::memory_order_acquire);
        if (answered == number) break;
        if (process_->ended()) return why_ended(process_->end(), *arena_);
        if (std::chrono::steady_clock::now() >= deadline) return fmt::format("was still at work after {} s", std::chrono::duration<double>(at_most).count());
        wait_while(call.answered, answered, look_ms);
        if (process_->drain()) return fmt::format("wrote more than {} KiB", most_output >> 10);
    }
    if (!call.failed) return {};
    return one_line({call.why, strnlen(call.why, sizeof call.why)});
}

} // namespace gradus::simt
