#include "engine/simt/runtime/plain_runner.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/runtime/print_words.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace gradus::simt {

namespace {
constexpr int most_lanes = 1024; // of a block
constexpr std::size_t stacks_at_a_time = 64; // each takes calls to the system to make; a kernel whose lanes never wait needs one
thread_local PlainRunner* current = nullptr;
} // namespace

/// What the kernel calls, given to the runner of this thread.
struct PlainCalls {
    static const SimtLane* lane() { return &current->running_->place; }
    static void barrier(SimtAllTogether together, void* mine) { current->barrier(together, mine); }
    static void meet(std::uint32_t mask, SimtTogether together, void* mine, std::uint32_t, const char* name) { current->meet(mask, together, mine, name); }
    static std::uint32_t active() { return 1u << current->running_->place.lane; } // lanes run on their own: a legal answer
    static void atomic(void*, std::uint32_t, const char*) {}
    static void fence(int) {}
    static void copy_async(void* shared, const void* global, std::uint32_t bytes, std::uint32_t zeros) { // at once: it may land at any time before the wait
        std::memcpy(shared, global, bytes - zeros);
        std::memset(static_cast<char*>(shared) + bytes - zeros, 0, zeros);
    }
    static void commit() {}
    static void wait(std::uint32_t) {}
    static int print(const char* format, const std::uint64_t* words, std::uint32_t count) {
        const std::string text = print_words(format, words, count);
        return std::fputs(text.c_str(), stdout) < 0 ? -1 : static_cast<int>(count);
    }
    static void fma(float, float, float, float) {}
    static void trap(const char* why) {
        const SimtLane& at = current->running_->place;
        current->end_block(fmt::format("{} in thread ({}, {}, {}) of block ({}, {}, {})", why, at.thread[0], at.thread[1], at.thread[2], at.block[0], at.block[1], at.block[2]));
    }
};

const SimtRuntime& PlainRunner::runtime() {
    static constexpr SimtRuntime calls{PlainCalls::lane,       PlainCalls::barrier, PlainCalls::meet, PlainCalls::active, PlainCalls::atomic, PlainCalls::fence,
                                       PlainCalls::copy_async, PlainCalls::commit,  PlainCalls::wait, PlainCalls::print,  PlainCalls::fma,    PlainCalls::trap};
    return calls;
}

PlainRunner::PlainRunner() { lanes_.reserve(most_lanes); }
PlainRunner::~PlainRunner() = default;

void PlainRunner::run_block(const LaunchShape& shape, std::int64_t block, KernelEntry entry, void** arguments) {
    lanes_.clear();
    for (int rank = 0; rank < shape.threads(); ++rank) lanes_.push_back({.place = lane_at(shape, block, rank)});
    begun_ = waiting_ = used_ = 0;
    alive_ = shape.threads();
    all_together_ = nullptr;
    entry_ = entry;
    arguments_ = arguments;
    trouble_.clear();
    current = this;
    gradus_fibre_switch(&caller_, next_stack());
    current = nullptr;
    if (!trouble_.empty()) throw Error(trouble_);
}

void* PlainRunner::next_stack() {
    const auto at = static_cast<std::size_t>(used_++);
    if (at / stacks_at_a_time == stacks_.size()) stacks_.push_back(std::make_unique<FibreStacks>(stacks_at_a_time));
    return stacks_[at / stacks_at_a_time]->prepare(at % stacks_at_a_time, body, this);
}

void PlainRunner::body(void* runner) {
    auto* self = static_cast<PlainRunner*>(runner);
    self->run_lanes();
    void* nobody = nullptr;
    self->leave(&nobody);
    __builtin_unreachable();
}

/// A lane that never waits needs no stack of its own: the next one begins where it ended.
void PlainRunner::run_lanes() {
    while (begun_ < static_cast<int>(lanes_.size())) {
        Lane& lane = lanes_[static_cast<std::size_t>(begun_++)];
        running_ = &lane;
        entry_(arguments_);
        lane.state = Lane::State::returned;
        lane.handed = nullptr;
        --alive_;
        if (waiting_ > 0 && waiting_ == alive_) release_barrier();
        const std::size_t first = lane.place.rank / warp_size * warp_size;
        for (std::size_t i = first; i < std::min(first + warp_size, lanes_.size()); ++i)
            if (lanes_[i].state == Lane::State::meeting) finish_meeting(lanes_[i]);
    }
}

/// Of its own warp first, so that few stacks are in use at a time.
PlainRunner::Lane* PlainRunner::next_ready() {
    const int count = static_cast<int>(lanes_.size()), from = static_cast<int>(running_->place.rank), warp = from / warp_size * warp_size;
    const int end = std::min(warp + warp_size, count);
    for (int rank = from + 1; rank < end; ++rank)
        if (rank < begun_ && lanes_[static_cast<std::size_t>(rank)].state == Lane::State::ready) return &lanes_[static_cast<std::size_t>(rank)];
    for (int rank = warp; rank < from; ++rank)
        if (rank < begun_ && lanes_[static_cast<std::size_t>(rank)].state == Lane::State::ready) return &lanes_[static_cast<std::size_t>(rank)];
    if (begun_ < end) return nullptr;
    for (int rank = end; rank < begun_; ++rank)
        if (lanes_[static_cast<std::size_t>(rank)].state == Lane::State::ready) return &lanes_[static_cast<std::size_t>(rank)];
    for (int rank = 0; rank < std::min(warp, begun_); ++rank)
        if (lanes_[static_cast<std::size_t>(rank)].state == Lane::State::ready) return &lanes_[static_cast<std::size_t>(rank)];
    return nullptr;
}

void PlainRunner::leave(void** from) {
    if (alive_ == 0) return gradus_fibre_switch(from, caller_);
    if (Lane* lane = next_ready()) {
        running_ = lane;
        return gradus_fibre_switch(from, std::exchange(lane->stack, nullptr));
    }
    if (begun_ < static_cast<int>(lanes_.size())) {
        void* next = nullptr;
        std::string trouble;
        try {
            next = next_stack();
        } catch (const std::exception& error) { // nothing can be thrown through a kernel
            trouble = error.what();
        }
        if (!next) end_block(trouble);
        return gradus_fibre_switch(from, next);
    }
    std::string name = "a barrier";
    for (const Lane& lane : lanes_)
        if (lane.state == Lane::State::meeting) name = lane.name;
    end_block(fmt::format("lanes wait in {} for others that never come", name));
}

void PlainRunner::wait() {
    Lane* lane = running_;
    leave(&lane->stack);
    running_ = lane;
}

void PlainRunner::end_block(std::string trouble) {
    trouble_ = std::move(trouble);
    void* nobody = nullptr;
    gradus_fibre_switch(&nobody, caller_);
    __builtin_unreachable();
}

void PlainRunner::release_barrier() {
    if (all_together_) {
        std::vector<void*> mine;
        for (const Lane& lane : lanes_) mine.push_back(lane.state == Lane::State::at_barrier ? lane.handed : nullptr);
        all_together_(mine.data(), static_cast<std::uint32_t>(mine.size()));
    }
    for (Lane& lane : lanes_)
        if (lane.state == Lane::State::at_barrier) lane.state = Lane::State::ready;
    waiting_ = 0;
    all_together_ = nullptr;
}

void PlainRunner::barrier(SimtAllTogether together, void* mine) {
    running_->state = Lane::State::at_barrier;
    running_->handed = mine;
    if (together) all_together_ = together;
    if (++waiting_ == alive_) return release_barrier();
    wait();
}

void PlainRunner::meet(std::uint32_t mask, SimtTogether together, void* mine, const char* name) {
    running_->state = Lane::State::meeting;
    running_->handed = mine, running_->mask = mask, running_->together = together, running_->name = name;
    if (!finish_meeting(*running_) || running_->state == Lane::State::meeting) wait();
}

/// Whether all lanes that one meets have come: then they go on.
bool PlainRunner::finish_meeting(const Lane& of) {
    const std::size_t first = of.place.rank / warp_size * warp_size, last = std::min(first + warp_size, lanes_.size());
    const std::uint32_t mask = of.mask;
    const SimtTogether together = of.together;
    std::array<void*, warp_size> handed{};
    for (std::size_t i = first; i < last; ++i) {
        const Lane& lane = lanes_[i];
        const bool here = lane.state == Lane::State::meeting && lane.mask == mask && lane.together == together;
        if (here) handed[i - first] = lane.handed;
        else if (mask >> (i - first) & 1 && lane.state != Lane::State::returned) return false;
    }
    if (together) together(handed.data(), mask);
    for (std::size_t i = first; i < last; ++i)
        if (mask >> (i - first) & 1 && lanes_[i].state == Lane::State::meeting) lanes_[i].state = Lane::State::ready;
    return true;
}

} // namespace gradus::simt
