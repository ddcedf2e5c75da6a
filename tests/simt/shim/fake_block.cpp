#include "tests/simt/shim/fake_block.hpp"

#include "tests/support/check.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

extern "C" {
__attribute__((visibility("hidden"))) const SimtRuntime* simt_runtime = nullptr;
SimtNow simt_now;
__attribute__((visibility("hidden"))) SimtHooked simt_hooked = {.now = &simt_now, .usual = nullptr, .usual_end = nullptr, .multiply_adds = 0, .tells_multiply_adds = 1}; // asked for by the build with hooks
}

namespace gradus::test {

namespace {
FakeBlock* current = nullptr;
constexpr std::size_t stack_bytes = 256 << 10;
} // namespace

struct FakeCalls {
    static FakeBlock::Lane& at() { return *current->running_; }
    static bool first() { return at().place.rank == 0; }
    static const SimtLane* lane() { return &at().place; }
    static void barrier(SimtAllTogether together, void* mine) {
        at().state = FakeBlock::Lane::State::at_barrier;
        at().all_together = together, at().mine = mine;
        current->wait();
    }
    static void meet(std::uint32_t mask, SimtTogether together, void* mine, std::uint32_t, const char* name) {
        if (first()) current->meetings.emplace_back(name);
        at().state = FakeBlock::Lane::State::meeting;
        at().mask = mask, at().together = together, at().mine = mine;
        current->finish_meeting(at());
        if (at().state == FakeBlock::Lane::State::meeting) current->wait();
    }
    static std::uint32_t active() {
        std::uint32_t mask = 0;
        for (const FakeBlock::Lane& lane : current->lanes_)
            if (lane.place.warp == at().place.warp && lane.state != FakeBlock::Lane::State::returned) mask |= 1u << lane.place.lane;
        return mask;
    }
    static void atomic(void*, std::uint32_t bytes, const char* name) {
        if (first()) current->atomics.push_back(fmt::format("{} {}", name, bytes));
    }
    static void fence(int) { ++current->fences; }
    static void copy_async(void* shared, const void* global, std::uint32_t bytes, std::uint32_t zeros) {
        std::vector<char> data(bytes);
        std::memcpy(data.data(), global, bytes - zeros);
        at().copies.push_back({shared, std::move(data), at().batch});
    }
    static void commit() { ++at().batch; }
    static void wait(std::uint32_t prior) {
        auto& copies = at().copies;
        for (; !copies.empty() && copies.front().batch + prior < at().batch; copies.pop_front())
            std::memcpy(copies.front().to, copies.front().bytes.data(), copies.front().bytes.size());
    }
    static int print(const char* format, const std::uint64_t* words, std::uint32_t count) {
        current->printed += format;
        for (std::uint32_t i = 0; i < count; ++i) current->printed += fmt::format("|{:x}", words[i]);
        return static_cast<int>(count);
    }
    static void fma(float, float, float, float) { ++current->fmas; }
    static void trap(const char* why) {
        current->trapped = why;
        at().state = FakeBlock::Lane::State::returned;
        current->wait();
    }
};

namespace {
constexpr SimtRuntime calls{FakeCalls::lane,       FakeCalls::barrier, FakeCalls::meet, FakeCalls::active, FakeCalls::atomic, FakeCalls::fence,
                            FakeCalls::copy_async, FakeCalls::commit,  FakeCalls::wait, FakeCalls::print,  FakeCalls::fma,    FakeCalls::trap};
} // namespace

FakeBlock::FakeBlock(unsigned threads_x, unsigned threads_y) : lanes_(threads_x * threads_y) {
#ifdef __SANITIZE_THREAD__
    skip("ThreadSanitizer takes a change of stack for an error");
#endif
    for (unsigned rank = 0; rank < lanes_.size(); ++rank) {
        lanes_[rank].place = {{rank % threads_x, rank / threads_x, 0}, {2, 3, 4}, {threads_x, threads_y, 1}, {5, 6, 7}, rank, rank % 32, rank / 32, 0};
        lanes_[rank].stack = std::make_unique<char[]>(stack_bytes);
    }
}
FakeBlock::~FakeBlock() = default;

void FakeBlock::start(unsigned low, unsigned high) {
    auto* block = reinterpret_cast<FakeBlock*>(static_cast<std::uintptr_t>(low) | static_cast<std::uintptr_t>(high) << 32);
    block->kernel_(block->argument_);
    block->running_->state = Lane::State::returned;
    for (Lane& lane : block->lanes_)
        if (lane.state == Lane::State::meeting) block->finish_meeting(lane);
    block->wait();
}

void FakeBlock::wait() {
    Lane& lane = *running_;
    swapcontext(&lane.context, &scheduler_);
}

/// Lanes that have returned are not waited for.
void FakeBlock::finish_meeting(Lane& lane) {
    void* mine[32] = {};
    std::vector<Lane*> here;
    for (Lane& other : lanes_) {
        if (other.place.warp != lane.place.warp || !(lane.mask >> other.place.lane & 1) || other.state == Lane::State::returned) continue;
        if (other.state != Lane::State::meeting || other.mask != lane.mask || other.together != lane.together) return;
        mine[other.place.lane] = other.mine;
        here.push_back(&other);
    }
    if (lane.together) lane.together(mine, lane.mask);
    for (Lane* other : here) other->state = Lane::State::ready;
}

bool FakeBlock::finish_barrier() {
    std::vector<void*> mine(lanes_.size());
    SimtAllTogether together = nullptr;
    bool any = false;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        if (lanes_[i].state == Lane::State::returned) continue;
        if (lanes_[i].state != Lane::State::at_barrier) return false;
        any = true;
        mine[i] = lanes_[i].mine;
        if (lanes_[i].all_together) together = lanes_[i].all_together;
    }
    if (together) together(mine.data(), static_cast<std::uint32_t>(mine.size()));
    for (Lane& lane : lanes_)
        if (lane.state == Lane::State::at_barrier) lane.state = Lane::State::ready;
    return any;
}

bool FakeBlock::run(void (*kernel)(void*), void* argument) {
    accesses.clear(), atomics.clear(), meetings.clear(), printed.clear(), trapped.clear();
    fmas = fences = on_stack = 0;
    kernel_ = kernel, argument_ = argument;
    current = this;
    simt_runtime = &calls;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    for (Lane& lane : lanes_) {
        getcontext(&lane.context);
        lane.context.uc_stack.ss_sp = lane.stack.get();
        lane.context.uc_stack.ss_size = stack_bytes;
        makecontext(&lane.context, reinterpret_cast<void (*)()>(start), 2, static_cast<unsigned>(self), static_cast<unsigned>(self >> 32));
        lane.state = Lane::State::ready;
    }
    const auto is_ready = [](const Lane& lane) { return lane.state == Lane::State::ready; };
    do {
        for (auto lane = lanes_.begin(); (lane = std::find_if(lanes_.begin(), lanes_.end(), is_ready)) != lanes_.end();) {
            running_ = &*lane;
            simt_now.place = &lane->place;
            swapcontext(&scheduler_, &lane->context);
            running_ = nullptr;
        }
    } while (finish_barrier());
    current = nullptr;
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.state == Lane::State::returned; });
}

void FakeBlock::note(char kind, unsigned bytes, const void* address) {
    if (!current || !current->running_ || current->running_->place.rank != 0) return;
    const char* stack = current->running_->stack.get();
    if (address >= stack && address < stack + stack_bytes) ++current->on_stack;
    else current->accesses.push_back({kind, bytes, address});
}

} // namespace gradus::test

#ifdef GRADUS_SHIM_HOOKED
// The compiler's hooks, in lanes.cpp and its like; no sanitizer's library is linked.
#define GRADUS_HOOK(bytes)                                                                                                             \
    void __tsan_read##bytes(void* at) { gradus::test::FakeBlock::note('r', bytes, at); }                                               \
    void __tsan_write##bytes(void* at) { gradus::test::FakeBlock::note('w', bytes, at); }                                              \
    void __tsan_unaligned_read##bytes(void* at) { gradus::test::FakeBlock::note('r', bytes, at); }                                     \
    void __tsan_unaligned_write##bytes(void* at) { gradus::test::FakeBlock::note('w', bytes, at); }
extern "C" {
GRADUS_HOOK(1)
GRADUS_HOOK(2)
GRADUS_HOOK(4)
GRADUS_HOOK(8)
GRADUS_HOOK(16)
void __tsan_read_range(void* at, unsigned long bytes) { gradus::test::FakeBlock::note('r', static_cast<unsigned>(bytes), at); }
void __tsan_write_range(void* at, unsigned long bytes) { gradus::test::FakeBlock::note('w', static_cast<unsigned>(bytes), at); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __sanitizer_cov_trace_pc() {}
void __ubsan_handle_out_of_bounds(void*, void*) {}
}
#endif
