#include "engine/simt/runtime/hooked_lane.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace gradus::simt {

namespace {
constexpr std::size_t most_lanes = 1024; // of a block
constexpr std::uint32_t all_lanes = 0xffff'ffffu;
/// Of lanes' steps: so much a warp does before the others of its block have a turn, for one of which it may be waiting.
constexpr std::int64_t most_at_a_time = 1 << 24;
} // namespace

// What shim/simt_hooks.s knows.
static_assert(offsetof(SimtHooked, now) == 0 && offsetof(SimtNow, sites) == 0 && offsetof(SimtNow, addresses) == 8 && offsetof(SimtNow, count) == 16);
static_assert(offsetof(SimtNow, last_row) == 20 && offsetof(SimtNow, from) == 24 && offsetof(SimtNow, frame) == 32 && offsetof(SimtNow, last_block) == 40);
static_assert(offsetof(SimtUsual, begin) == 0 && offsetof(SimtUsual, count) == 8 && sizeof(SimtUsual) == 16);

HookedRunner::HookedRunner(const MemoryMap& memory, std::uint64_t text, std::uint64_t text_bytes, SimtHooked& hooked)
    : memory_(memory), text_(text), text_bytes_(text_bytes), hooked_(hooked), nobody_(hooked.now), instructions_(text_bytes), stacks_(most_lanes), lanes_(std::make_unique<Lane[]>(most_lanes)) {
    if (text_bytes >> Site::offset_bits) throw Error(fmt::format("the kernel's code has {} bytes; at most {} can be followed", text_bytes, 1 << Site::offset_bits));
}

HookedRunner::~HookedRunner() { hooked_.now = nobody_; }

ThreadName HookedRunner::name(const Lane& lane) const { return {block_, lane.stands.rank}; }

void HookedRunner::reset(const LaunchShape& shape, std::int64_t block) {
    block_ = static_cast<std::uint32_t>(block);
    used_before_ = used_;
    block_began_ = std::chrono::steady_clock::now();
    threads_ = shape.threads();
    log_length_ = options_->schedule ? 1 : static_cast<std::uint32_t>(std::max(1, options_->log_length));
    const std::size_t logs = options_->schedule ? static_cast<std::size_t>((threads_ + warp_size - 1) / warp_size) : 1;
    if (logs_.size() < logs || logs_.front()->rows != log_length_ || logs_.front()->before.empty() == options_->values) {
        logs_.clear();
        while (logs_.size() < logs) logs_.push_back(std::make_unique<Log>(log_length_, options_->values));
    }
    every_branch_ = options_->every_branch;
    watch_accesses();
    random_ = options_->schedule * 0x9E3779B97F4A7C15u + block_;
    for (int rank = 0; rank < threads_; ++rank) {
        Lane& lane = lanes_[static_cast<std::size_t>(rank)];
        lane.stands = lane_at(shape, block, rank);
        lane.runner = this;
        Log& log = *logs_[options_->schedule ? lane.stands.warp : 0];
        const std::size_t column = lane.stands.lane * log.apart;
        lane.sites = log.sites.data() + column;
        lane.addresses = log.addresses.data() + column;
        lane.before = options_->values ? log.before.data() + column : nullptr;
        lane.after = options_->values ? log.after.data() + column : nullptr;
        lane.copied = options_->values ? log.copied.data() + column : nullptr;
        lane.stack = stacks_.prepare(static_cast<std::size_t>(rank), body, &lane);
        lane.place = &lane.stands;
        lane.last_row = log_length_ - 1;
        lane.head = lane.count = lane.depth = 0;
        is_in(lane, 0, 0, 0);
        lane.state = Lane::State::ready;
        lane.pending = false;
        lane.opens.clear();
        lane.more_follow = lane.just_returned = lane.may_copy = false;
        lane.accesses = 0;
        lane.last = {};
        lane.copies.clear();
        lane.batch = 0;
        lane.name = "";
    }
}

/// What instructions may touch without asking is what it was in the last block, unless memory has changed since, or each is to ask.
void HookedRunner::watch_accesses() {
    AllBounds bounds{};
    for (std::size_t i = 0; i < std::min<std::size_t>(memory_.ranges().size(), no_range); ++i) bounds[i] = memory_.bounds(i);
    const bool each = options_->values;
    if (each != looks_at_each_ || bounds != bounds_) std::fill(hooked_.usual, hooked_.usual_end, SimtUsual{});
    looks_at_each_ = each;
    bounds_ = bounds;
    hooked_.tells_multiply_adds = options_->multiply_adds;
}

void HookedRunner::body(void* argument) {
    auto* lane = static_cast<Lane*>(argument);
    HookedRunner* runner = lane->runner;
    runner->entry_(runner->arguments_);
    runner->note_after();
    if (lane->count) lane->last = {lane->sites[lane->count - 1]};
    lane->just_returned = true;
    lane->state = Lane::State::returned;
    void* nobody = nullptr;
    gradus_fibre_switch(&nobody, runner->scheduler_);
    __builtin_unreachable();
}

bool HookedRunner::run_block(const LaunchShape& shape, std::int64_t block, void (*entry)(void**), void** arguments, const RunOptions& options,
                             StepWatcher& watcher, Findings& findings, FrameWatcher* frames) {
    frames_ = frames;
    options_ = &options, watcher_ = &watcher, findings_ = &findings, entry_ = entry, arguments_ = arguments;
    failed_ = mismatched_ = lost_values_ = false;
    fault_.reset();
    reset(shape, block);
    watcher.block_begins(block_);
    const auto warps = static_cast<std::uint32_t>((threads_ + warp_size - 1) / warp_size);
    std::vector<std::uint32_t> going(warps); // warps that have something to do before the next barrier
    for (;;) {
        for (std::uint32_t warp = 0; warp < warps; ++warp) going[warp] = warp;
        while (!going.empty()) {
            std::size_t which = 0;
            if (options.schedule) {
                random_ = random_ * 6364136223846793005u + 1442695040888963407u;
                which = (random_ >> 33) % going.size();
            }
            const WarpEnd end = run_warp(going[which]);
            if (end == WarpEnd::failed) return false;
            if (end != WarpEnd::turn) going.erase(going.begin() + static_cast<std::ptrdiff_t>(which));
            else if (!options.schedule) std::rotate(going.begin(), going.begin() + 1, going.end());
        }
        const Lane *first = lanes_.get(), *last = first + threads_;
        if (std::all_of(first, last, [](const Lane& lane) { return lane.state == Lane::State::returned; })) return true;
        if (!release_barrier()) return false;
        going.resize(warps);
    }
}

/// Asks the caches for what a lane that runs soon reads first: a block's lanes and their stacks do not fit into them.
inline void HookedRunner::fetch(const Lane& lane) {
    constexpr std::size_t line = 64;
    for (std::size_t i = 0; i < 3; ++i) __builtin_prefetch(reinterpret_cast<const std::byte*>(&lane) + i * line, 1);
    for (std::size_t i = 0; i < 6; ++i) __builtin_prefetch(static_cast<const std::byte*>(lane.stack) + i * line, 1);
}

inline void HookedRunner::run_lane(Lane& lane) {
    lane.head = lane.count = 0;
    if (frames_) lane.last_row = 0;
    lane.accesses_here = 0;
    lane.pending = false;
    running_ = &lane;
    hooked_.now = &lane;
    gradus_fibre_switch(&scheduler_, lane.stack);
}

/// Until all lanes of the warp have returned or wait at a barrier, with nothing left in their logs.
HookedRunner::WarpEnd HookedRunner::run_warp(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size, last = std::min<std::size_t>(first + warp_size, static_cast<std::size_t>(threads_));
    const std::int64_t began = used_;
    for (;;) {
        std::uint32_t have = 0;
        bool waits = false;
        bool even = true; // all at the same position of the log
        std::uint32_t head = 0;
        for (std::size_t i = first; i < last; ++i) {
            Lane& lane = lanes_[i];
            if (lane.state == Lane::State::ready && !lane.has()) {
                if (i + 1 < last) fetch(lanes_[i + 1]);
                run_lane(lane);
                if (failed_) return WarpEnd::failed;
            }
            waits |= lane.state == Lane::State::at_barrier;
            if (!lane.has()) continue;
            if (!have) head = lane.head;
            even &= lane.head == head;
            have |= 1u << (i - first);
        }
        if (!have) return waits ? WarpEnd::waits : WarpEnd::returned;
        if (even && have == all_lanes) take_together(warp);
        else if (!take_first(warp)) return WarpEnd::failed;
        if (failed_) return WarpEnd::failed;
        if (options_->schedule) {
            random_ = random_ * 6364136223846793005u + 1442695040888963407u;
            if (random_ >> 61 == 0) return WarpEnd::turn;
        } else if (used_ - began > most_at_a_time && std::none_of(&lanes_[first], &lanes_[first] + (last - first), [](const Lane& lane) { return lane.has(); })) {
            return WarpEnd::turn; // the log is empty, which the next warp writes, too
        }
    }
}

/// How far from `begin`, up to `end`, two lanes' columns say the same.
static std::uint32_t same_until(const std::uint32_t* one, const std::uint32_t* other, std::uint32_t begin, std::uint32_t end) {
    constexpr std::size_t at_once = 8;
    std::size_t row = begin;
    for (; row + at_once <= end; row += at_once)
        if (std::memcmp(one + row, other + row, at_once * sizeof *one) != 0) break;
    while (row < end && one[row] == other[row]) ++row;
    return static_cast<std::uint32_t>(row);
}

/// Whether each address is as far from the one before as the second is from the first.
static bool is_even(const std::array<std::uint64_t, warp_size>& addresses) {
    std::uint64_t differ = 0;
    for (std::size_t i = 1; i + 1 < warp_size; ++i) differ |= (addresses[i + 1] - addresses[i]) ^ (addresses[1] - addresses[0]);
    return differ == 0;
}

/// All 32 lanes stand at the same row: row after row, as long as it is the same place for all. What waits for its turn is left.
void HookedRunner::take_together(std::uint32_t warp) {
    constexpr std::uint32_t most_rows = 32; // so many fit into the first-level cache when they are turned from columns into rows
    const std::size_t first = std::size_t{warp} * warp_size;
    const Lane* const lanes = &lanes_[first];
    const std::uint32_t before = lanes[0].head;
    std::uint32_t row = before, whole = ~0u, end = 0;
    for (std::size_t i = 0; i < warp_size; ++i) whole = std::min(whole, lanes[i].count - (lanes[i].pending ? 1 : 0));
    do {
        end = std::min(whole, row + most_rows);
        const std::uint32_t wished = end;
        for (std::size_t i = 1; i < warp_size && end > row; ++i) end = same_until(lanes[0].sites, lanes[i].sites, row, end);
        std::array<AddressRow, most_rows> addresses;
        for (std::size_t i = 0; i < warp_size; ++i)
            for (std::uint32_t at = row; at < end; ++at) addresses[at - row].of[i] = lanes[i].addresses[at];
        for (const std::uint32_t begin = row; row < end && !failed_; ++row) {
            const auto& of = addresses[row - begin].of;
            WarpStep step{.site = {lanes[0].sites[row]}, .mask = all_lanes, .warp = warp, .addresses = of.data(), .even = is_even(of), .stride = of[1] - of[0]};
            if (options_->values) tell_with_values(step, row);
            else tell(step);
        }
        if (end < wished) break;
    } while (row < whole && !failed_);
    for (std::size_t i = first; i < first + warp_size; ++i) lanes_[i].head = row;
    if (row == before) take_first(warp);
}

void HookedRunner::tell_with_values(WarpStep& step, std::uint32_t row) {
    const Lane* const lanes = &lanes_[std::size_t{step.warp} * warp_size];
    const Op op = instructions_[step.site.offset()].op;
    if (!touches_memory(op)) return tell(step);
    WordRow before, after;
    for (std::size_t i = 0; i < warp_size; ++i) before.of[i] = lanes[i].before[row];
    step.before = step.after = before.of.data();
    if (writes_memory(op)) {
        step.copies = true;
        for (std::size_t i = 0; i < warp_size; ++i) after.of[i] = lanes[i].after[row], step.copies &= lanes[i].copied[row];
        step.after = after.of.data();
    }
    tell(step);
}

void HookedRunner::tell_heads_with_values(WarpStep& step) {
    WordRow before{}, after{};
    step.copies = writes_memory(instructions_[step.site.offset()].op);
    for (std::uint32_t mask = step.mask; mask; mask &= mask - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(mask));
        const Lane& lane = lanes_[step.warp * std::size_t{warp_size} + i];
        before.of[i] = lane.before[lane.head], after.of[i] = lane.after[lane.head];
        step.copies &= lane.copied[lane.head];
    }
    step.before = before.of.data(), step.after = after.of.data();
    tell(step);
}

/// Takes off what comes first in the code, of what may be taken. False, with a finding, if nothing may.
bool HookedRunner::take_first(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size, last = std::min<std::size_t>(first + warp_size, static_cast<std::size_t>(threads_));
    Site best{};
    std::uint32_t mask = 0;
    const Lane* meets = nullptr; // the lane of which `with` was asked last: the others of its meeting have the same
    std::uint32_t with_it = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Lane& lane = lanes_[i];
        if (!lane.has()) continue;
        std::uint32_t with = 1u << (i - first);
        const Site site{lane.sites[lane.head]};
        if (lane.head + 1 == lane.count && lane.state == Lane::State::meeting) {
            if (!meets || meets->mask != lane.mask || meets->together != lane.together) meets = &lane, with_it = meets_with(lane, first, last);
            with = with_it;
            if (!with) continue; // others are still to come
        }
        if (mask && site == best) mask |= with;
        else if (!mask || paths_.before(site, best)) best = site, mask = with;
    }
    if (!mask) {
        give_up(never_meets(warp));
        return false;
    }
    AddressRow row;
    const Lane& leader = lanes_[first + static_cast<std::size_t>(std::countr_zero(mask))];
    row.of.fill(leader.addresses[leader.head]);
    std::uint32_t late = 0;
    for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(lanes));
        const Lane& lane = lanes_[first + i];
        row.of[i] = lane.addresses[lane.head];
        if (lane.pending && lane.head + 1 == lane.count) late |= 1u << i;
    }
    WarpStep step{.site = best, .mask = mask, .warp = warp, .addresses = row.of.data(), .late = late};
    if (options_->values && touches_memory(instructions_[best.offset()].op)) tell_heads_with_values(step);
    else tell(step);
    const Op op = instructions_[best.offset()].op;
    if (op == Op::meet) meet_done(warp, mask);
    for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        Lane& lane = lanes_[first + static_cast<std::size_t>(std::countr_zero(lanes))];
        ++lane.head;
        if (op == Op::active) lane.active = mask;
    }
    return true;
}

void HookedRunner::tell(WarpStep& step) {
    const Instruction& at = instructions_[step.site.offset()];
    used_ += warp_size;
    if (used_told_) std::atomic_ref(*used_told_).store(used_, std::memory_order_relaxed);
    // The end of a loop's body says which loop it is; work without any end is rare.
    constexpr std::int64_t patience = 1 << 20;
    if (const std::int64_t over = used_ - used_before_ - options_->budget; over > 0 && (at.op == Op::branch || over > patience))
        return give_up({.kind = Finding::Kind::endless, .site = step.site, .thread = {block_, step.warp * warp_size + static_cast<std::uint32_t>(std::countr_zero(step.mask))},
                        .words = fmt::format("{} steps of lanes", options_->budget)});
    if (time_over_) [[unlikely]]
        return give_up(overdue(step.site, {block_, step.warp * warp_size + static_cast<std::uint32_t>(std::countr_zero(step.mask))}));
    step.op = at.op, step.bytes = at.bytes, step.block = block_;
    watcher_->step(step);
}

void HookedRunner::give_up(Finding finding) {
    if (!failed_) fault_ = {finding.site, finding.thread};
    findings_->add(std::move(finding));
    failed_ = true;
}

} // namespace gradus::simt
