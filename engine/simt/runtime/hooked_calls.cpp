// What a hooked kernel calls: where an access that the compiler marks is not the usual one, and CUDA's words that the shim hands on. The
// usual one is logged in the kernel itself, by shim/simt_hooks.s.

#include "engine/simt/runtime/hooked_lane.hpp"

#include "engine/simt/runtime/indexed_array.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace gradus::simt {

namespace {
HookedRunner* current = nullptr; // one thread runs hooked kernels, in a process of its own
}

void HookedRunner::attach(HookedRunner* runner) { current = runner; }
HookedRunner* HookedRunner::attached() { return current; }

/// Whether the access may be done; which range it falls into is kept with the instruction, as the next one falls into it, too.
bool HookedRunner::in_range(Instruction& instruction, std::uint64_t address, std::uint32_t bytes, Op op, Site site) {
    const int range = memory_.find(address, bytes);
    if (range != MemoryMap::nowhere) {
        instruction.range = static_cast<std::uint8_t>(range);
        return true;
    }
    const int near = memory_.nearest(address);
    Finding finding{.kind = Finding::Kind::out_of_bounds, .site = site, .thread = name(*running_), .range = near, .offset = static_cast<std::int64_t>(address), .bytes = bytes, .writes = op == Op::write};
    if (near >= 0) finding.offset = static_cast<std::int64_t>(address - memory_[static_cast<std::size_t>(near)].begin);
    end_lane(std::move(finding));
}

inline void HookedRunner::show_locals(std::uint32_t offset) {
    const Lane& lane = *running_;
    frames_->comes_to(name(lane), {lane.path | offset}, paths_, std::span(lane.frames).first(lane.depth));
}

/// The inlined hooks log by themselves what is usual: where a lane's variables are looked at before each step, none is.
inline void HookedRunner::logged(Lane& lane) const {
    if (frames_) lane.last_row = lane.count;
}

inline void HookedRunner::note_before(Op op, std::uint64_t address, std::uint32_t bytes, std::uint32_t row, bool late) {
    Lane& lane = *running_;
    const auto* at = reinterpret_cast<const std::byte*>(address);
    std::uint64_t low = 0, high = 0; // no Word yet, which would go through memory in halves that the processor has to wait for
    std::memcpy(&low, at, std::min<std::size_t>(bytes, sizeof low));
    if (bytes > sizeof low) std::memcpy(&high, at + sizeof low, std::min<std::size_t>(bytes - sizeof low, sizeof high));
    if (late) watcher_->late_before(name(lane), {low, high});
    else {
        lane.before[row].low = lane.after[row].low = low;
        lane.before[row].high = lane.after[row].high = high;
        lane.copied[row] = 0;
    }
    if (op != Op::write && op != Op::atomic) return;
    lane.opens.push_back({address, bytes, row, lane.accesses - 1, late});
    lane.may_copy = op == Op::write;
}

inline void HookedRunner::log(Op op, std::uint64_t address, std::uint32_t bytes, std::uint64_t at) {
    Lane& lane = *running_;
    const auto offset = static_cast<std::uint32_t>(at - text_);
    Instruction& instruction = instructions_[offset];
    instruction.op = op;
    instruction.bytes = static_cast<std::uint16_t>(bytes);
    const bool values = options_->values;
    if (frames_) [[unlikely]] show_locals(offset);
    const std::uint32_t row = lane.count++;
    lane.sites[row] = lane.path | offset;
    lane.addresses[row] = address;
    logged(lane);
    const bool full = lane.count == log_length_;
    const bool with_values = values && bytes;
    if (with_values) ++lane.accesses, ++lane.accesses_here;
    if (full) stop(true, op);
    if (with_values) note_before(op, address, bytes, row, full);
}

/// On from the lane's stack to the scheduler's. Each function between this and the kernel would return to where its processor does not
/// expect it: what stops often is therefore one function.
inline void HookedRunner::stop_here(bool pending, Op op) {
    Lane& lane = *running_;
    if (lane.count) lane.last = {lane.sites[lane.count - 1]}; // warps share the log: now it is still the lane's own
    if (options_->values) {
        if (lane.more_follow || op == Op::read)
            for (Lane::Open& open : lane.opens) lost_values_ |= !open.late && log_length_ > 1, open.late = true;
        else note_after();
    }
    lane.pending = pending;
    gradus_fibre_switch(&lane.stack, scheduler_);
}

void HookedRunner::stop(bool pending, Op op) { stop_here(pending, op); }

/// The frames between this and the innermost function with hooks are the shim's.
inline std::uint64_t HookedRunner::kernel_place() const {
    const Lane& lane = *running_;
    const auto* frame = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
    while (stacks_.contains(frame[0]) && frame[0] > reinterpret_cast<std::uint64_t>(frame)) {
        const std::uint64_t returns_to = frame[1];
        if (frame[0] == lane.frame) return returns_to;
        frame = reinterpret_cast<const std::uint64_t*>(frame[0]);
    }
    return text_;
}

/// Logs what must wait for its turn before it is done.
inline void HookedRunner::log_and_stop(Op op, std::uint64_t address, std::uint32_t bytes) {
    Lane& lane = *running_;
    const auto offset = static_cast<std::uint32_t>(kernel_place() - text_);
    instructions_[offset].op = op;
    instructions_[offset].bytes = static_cast<std::uint16_t>(bytes);
    if (frames_) show_locals(offset);
    const std::uint32_t row = lane.count++;
    lane.sites[row] = lane.path | offset;
    lane.addresses[row] = address;
    logged(lane);
    const bool with_values = options_->values && bytes;
    if (with_values) ++lane.accesses, ++lane.accesses_here;
    stop_here(true, Op::none);
    if (with_values) note_before(op, address, bytes, row, true);
}

struct HookedCalls {
    static constexpr std::uint32_t rows_of_one = 3; // what is written, what is read for it, and one more, so that the last of them is not the log's

    /// What the instructions in the kernel (shim/simt_hooks.s) do not do by themselves. `usual`: of the one that asks.
    static void access(Op op, void* where, std::uint32_t bytes, std::uint64_t at, bool aligned = true, SimtUsual* usual = nullptr) {
        if (!current) [[unlikely]] return; // the library's own initialisers
        HookedRunner& runner = *current;
        const auto address = reinterpret_cast<std::uint64_t>(where);
        HookedRunner::Instruction& instruction = runner.instructions_[at - runner.text_];
        const Site site{runner.running_->path | static_cast<std::uint32_t>(at - runner.text_)};
        if (!runner.running_->opens.empty()) [[unlikely]] runner.settle(op);
        if (runner.options_->values && runner.running_->count + rows_of_one > runner.log_length_) [[unlikely]] runner.make_room(rows_of_one);
        if (!runner.bounds_[instruction.range].holds(address, bytes)) [[unlikely]] runner.in_range(instruction, address, bytes, op, site);
        const MemoryMap::Bounds& bounds = runner.bounds_[instruction.range];
        if (aligned && (address & (bytes - 1))) [[unlikely]]
            runner.end_lane({.kind = Finding::Kind::misaligned, .site = site, .thread = runner.name(*runner.running_), .range = instruction.range,
                             .offset = static_cast<std::int64_t>(address - bounds.begin), .bytes = bytes, .writes = op == Op::write});
        if (usual && !runner.looks_at_each_) *usual = {bounds.begin, bounds.size - bytes + 1};
        runner.log(op, address, bytes, at);
    }

    /// An access of a GPU has 1, 2, 4, 8 or 16 bytes, and no more are logged of one: any other goes in equal pieces, since a place in the
    /// code has one width. They are done together, after the last of them.
    static void range(Op op, void* where, unsigned long bytes, std::uint64_t at) {
        if (bytes <= sizeof(Word) && std::has_single_bit(bytes)) return access(op, where, static_cast<std::uint32_t>(bytes), at, false);
        if (!current) return;
        HookedRunner::Lane& lane = *current->running_;
        const auto piece = static_cast<std::uint32_t>(std::min(bytes & -bytes, sizeof(Word)));
        if (current->options_->values) {
            if (op != Op::read || !lane.may_copy) current->note_after();
            current->make_room(static_cast<std::uint32_t>(std::min<unsigned long>(2 * bytes / piece + 1, ~0u)));
        }
        for (unsigned long i = 0; i < bytes / piece; ++i) {
            lane.more_follow = i > 0;
            access(op, static_cast<std::byte*>(where) + i * piece, piece, at, false);
        }
        lane.more_follow = false;
    }

    static const SimtLane* lane() { return &current->running_->stands; }
    static void barrier(SimtAllTogether together, void* mine) {
        HookedRunner::Lane& lane = *current->running_;
        const std::uint64_t at = current->kernel_place();
        const auto offset = static_cast<std::uint32_t>(at - current->text_);
        current->instructions_[offset].op = Op::barrier;
        if (current->frames_) current->show_locals(offset);
        lane.waits_at = {lane.path | offset};
        lane.all_together = together, lane.handed = mine;
        lane.state = HookedRunner::Lane::State::at_barrier;
        lane.name = "__syncthreads";
        current->stop_here(false, Op::none);
    }
    static void meet(std::uint32_t mask, SimtTogether together, void* mine, std::uint32_t how, const char* name) {
        HookedRunner::Lane& lane = *current->running_;
        if (!(mask >> lane.stands.lane & 1)) trap(in_words(name, mask).c_str());
        mask &= current->lanes_of(lane.stands.warp); // one that the block has not is not waited for
        lane.mask = mask, lane.together = together, lane.handed = mine, lane.how = how, lane.name = name;
        lane.state = HookedRunner::Lane::State::meeting;
        current->log_and_stop(Op::meet, 0, 0);
    }
    static std::uint32_t active() {
        HookedRunner::Lane& lane = *current->running_;
        current->log_and_stop(Op::active, 0, 0);
        return lane.active;
    }
    static void atomic(void* address, std::uint32_t bytes, const char*) {
        const std::uint64_t at = current->kernel_place();
        HookedRunner& runner = *current;
        const auto where = reinterpret_cast<std::uint64_t>(address);
        HookedRunner::Instruction& instruction = runner.instructions_[at - runner.text_];
        const Site site{runner.running_->path | static_cast<std::uint32_t>(at - runner.text_)};
        runner.note_after(); // what comes before an atomic is done, a copy, too
        if (!runner.bounds_[instruction.range].holds(where, bytes)) runner.in_range(instruction, where, bytes, Op::atomic, site);
        if (where & (bytes - 1))
            runner.end_lane({.kind = Finding::Kind::misaligned, .site = site, .thread = runner.name(*runner.running_), .range = instruction.range,
                             .offset = static_cast<std::int64_t>(where - runner.memory_[instruction.range].begin), .bytes = bytes, .writes = true});
        runner.log_and_stop(Op::atomic, where, bytes);
    }
    static void fence(int scope) { current->watcher_->fence(current->name(*current->running_), scope); }
    /// Where a copy is to land is looked at when it is asked for: what is wrong there is wrong in that line, not in that of the wait.
    static void check_landing(std::uint64_t address, std::uint32_t bytes, std::uint64_t at) {
        HookedRunner& runner = *current;
        const Site site{runner.running_->path | static_cast<std::uint32_t>(at - runner.text_)};
        HookedRunner::Instruction landing;
        if (!runner.bounds_[landing.range].holds(address, bytes)) runner.in_range(landing, address, bytes, Op::write, site);
        if (address & (bytes - 1))
            runner.end_lane({.kind = Finding::Kind::misaligned, .site = site, .thread = runner.name(*runner.running_), .range = landing.range,
                             .offset = static_cast<std::int64_t>(address - runner.memory_[landing.range].begin), .bytes = bytes, .writes = true});
    }
    static void copy_async(void* shared, const void* global, std::uint32_t bytes, std::uint32_t zeros) {
        const std::uint64_t at = current->kernel_place();
        access(Op::copy_async, const_cast<void*>(global), bytes, at);
        check_landing(reinterpret_cast<std::uint64_t>(shared), bytes, at);
        HookedRunner::Lane& lane = *current->running_;
        HookedRunner::Lane::Copy copy{shared, {}, bytes, lane.batch};
        std::memcpy(copy.data.data(), global, bytes - zeros);
        lane.copies.push_back(copy);
    }
    static void commit() { ++current->running_->batch; }
    static void wait(std::uint32_t prior) {
        HookedRunner::Lane& lane = *current->running_;
        const std::uint64_t at = current->kernel_place();
        while (!lane.copies.empty() && lane.copies.front().batch + prior < lane.batch) {
            const HookedRunner::Lane::Copy copy = lane.copies.front();
            access(Op::write, copy.shared, copy.bytes, at);
            std::memcpy(copy.shared, copy.data.data(), copy.bytes);
            lane.copies.erase(lane.copies.begin());
        }
    }
    static int print(const char* format, const std::uint64_t* words, std::uint32_t count) {
        current->printed_.add(print_words(format, words, count));
        return static_cast<int>(count);
    }
    static void fma(float a, float b, float c, float result) {
        HookedRunner::Lane& lane = *current->running_;
        const Site site{lane.path | static_cast<std::uint32_t>(current->kernel_place() - current->text_)};
        current->watcher_->multiply_add(current->name(lane), lane.count, site, a, b, c, result);
    }
    static std::string in_words(const char* name, std::uint32_t mask) {
        return fmt::format("it calls {} with the mask 0x{:08x}, which does not name its own lane", name, mask);
    }
    static void trap(const char* why) {
        if (const HookedRunner::Lane* one = current->meets_for_all_) // on the scheduler's stack, from which no lane can be left
            return current->give_up({.kind = Finding::Kind::trap, .site = {one->sites[one->head]}, .thread = current->name(*one), .words = why});
        const std::uint64_t at = current->kernel_place();
        current->note_after();
        current->end_lane({.kind = Finding::Kind::trap, .site = {current->running_->path | static_cast<std::uint32_t>(at - current->text_)},
                           .thread = current->name(*current->running_), .words = why});
    }
    static void outside(const IndexedArray& array, void* index) {
        const std::uint64_t at = current->kernel_place();
        current->note_after();
        current->end_lane({.kind = Finding::Kind::out_of_bounds, .site = {current->running_->path | static_cast<std::uint32_t>(at - current->text_)},
                           .thread = current->name(*current->running_), .words = index_words(array, index)});
    }
    static void enter(void* call, std::uint64_t frame, std::uint64_t at) { if (current) current->enter(reinterpret_cast<std::uint64_t>(call), frame, at); }
    static void leave() { if (current) current->leave(); }
    static void step_back(std::uint64_t last, std::uint64_t at) { if (current) current->step_back(last, at); }
};

const SimtRuntime& HookedRunner::runtime() {
    static constexpr SimtRuntime calls{HookedCalls::lane,       HookedCalls::barrier, HookedCalls::meet, HookedCalls::active, HookedCalls::atomic, HookedCalls::fence,
                                       HookedCalls::copy_async, HookedCalls::commit,  HookedCalls::wait, HookedCalls::print,  HookedCalls::fma,    HookedCalls::trap};
    return calls;
}

/// A basic block begins at `at`, and the last one did at `last`. A step back in the code is logged where it comes from, which is behind all
/// of the loop's body: so lanes that are through with their turn wait there for those that are not.
inline void HookedRunner::step_back(std::uint64_t last, std::uint64_t at) {
    Lane& lane = *running_;
    if (last == each_block) last = std::exchange(lane.true_last, at), lane.last_block = each_block;
    if (at <= last) log(Op::branch, 0, 0, last);
    if (every_branch_) log(Op::branch, 0, 0, at);
}

void HookedRunner::end_lane(Finding finding) {
    if (frames_) show_locals(finding.site.offset()); // as they are where it ends
    give_up(std::move(finding));
    void* nobody = nullptr;
    gradus_fibre_switch(&nobody, scheduler_);
    __builtin_unreachable();
}

} // namespace gradus::simt

// The compiler's hooks. What they return to is the place in the kernel.
using gradus::simt::HookedCalls;
using gradus::simt::Op;

#pragma GCC diagnostic ignored "-Wframe-address" // kernels are compiled with frame pointers
#define GRADUS_FRAME reinterpret_cast<std::uint64_t>(__builtin_frame_address(1)) // of the function that calls the hook
#define GRADUS_PLACE reinterpret_cast<std::uint64_t>(__builtin_return_address(0))
#define GRADUS_HOOK(name, op, bytes, aligned)                                                                                            \
    void simt_##name##bytes(void* at, SimtUsual* usual) { HookedCalls::access(Op::op, at, bytes, GRADUS_PLACE, aligned, usual); }
#define GRADUS_ACCESS(bytes)                                                                                                             \
    GRADUS_HOOK(read, read, bytes, true)                                                                                                 \
    GRADUS_HOOK(write, write, bytes, true)                                                                                               \
    GRADUS_HOOK(unaligned_read, read, bytes, false)                                                                                      \
    GRADUS_HOOK(unaligned_write, write, bytes, false)                                                                                    \
    GRADUS_HOOK(volatile_read, read, bytes, true)                                                                                        \
    GRADUS_HOOK(volatile_write, write, bytes, true)

extern "C" {
GRADUS_ACCESS(1)
GRADUS_ACCESS(2)
GRADUS_ACCESS(4)
GRADUS_ACCESS(8)
GRADUS_ACCESS(16)
void simt_read_range(void* at, unsigned long bytes) { HookedCalls::range(Op::read, at, bytes, GRADUS_PLACE); }
void simt_write_range(void* at, unsigned long bytes) { HookedCalls::range(Op::write, at, bytes, GRADUS_PLACE); }
void simt_func_entry(void* call) { HookedCalls::enter(call, GRADUS_FRAME, GRADUS_PLACE); }
void simt_func_exit() { HookedCalls::leave(); }
void simt_step_back(std::uint64_t last) { HookedCalls::step_back(last, GRADUS_PLACE); }
void simt_init() {}
void simt_out_of_bounds(void* about, void* index) { HookedCalls::outside(*static_cast<const gradus::simt::IndexedArray*>(about), index); }
}
#undef GRADUS_ACCESS
#undef GRADUS_HOOK
#undef GRADUS_PLACE
#undef GRADUS_FRAME
