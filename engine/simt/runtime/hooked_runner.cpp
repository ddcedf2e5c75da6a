#include "engine/simt/runtime/hooked_lane.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/runtime/print_words.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace gradus::simt {

namespace {
constexpr std::size_t most_lanes = 1024; // of a block
constexpr std::uint32_t all_lanes = 0xffff'ffffu;
} // namespace

HookedRunner::HookedRunner(const MemoryMap& memory, std::uint64_t text, std::uint64_t text_bytes)
    : memory_(memory), text_(text), text_bytes_(text_bytes), stacks_(most_lanes), instructions_(text_bytes) {
    if (text_bytes >> Site::offset_bits) throw Error(fmt::format("the kernel's code has {} bytes; at most {} can be followed", text_bytes, 1 << Site::offset_bits));
    for (std::size_t i = 0; i < most_lanes; ++i) lanes_.push_back(std::make_unique<Lane>());
}

HookedRunner::~HookedRunner() = default;

ThreadName HookedRunner::name(const Lane& lane) const { return {block_, lane.place.rank}; }

void HookedRunner::reset(const LaunchShape& shape, std::int64_t block) {
    block_ = static_cast<std::uint32_t>(block);
    threads_ = shape.threads();
    log_length_ = options_->schedule ? 1 : static_cast<std::uint32_t>(std::max(1, options_->log_length));
    const std::size_t logs = options_->schedule ? static_cast<std::size_t>((threads_ + warp_size - 1) / warp_size) : 1;
    if (logs_.size() < logs || logs_.front()->sites.size() != log_length_ || logs_.front()->before.empty() == options_->values) {
        logs_.clear();
        while (logs_.size() < logs) logs_.push_back(std::make_unique<Log>(log_length_, options_->values));
    }
    random_ = options_->schedule * 0x9E3779B97F4A7C15u + block_;
    for (int rank = 0; rank < threads_; ++rank) {
        Lane& lane = *lanes_[static_cast<std::size_t>(rank)];
        lane.place = lane_at(shape, block, rank);
        lane.runner = this;
        lane.log = logs_[options_->schedule ? lane.place.warp : 0].get();
        lane.sites = lane.log->sites.front().of.data() + lane.place.lane;
        lane.addresses = lane.log->addresses.front().of.data() + lane.place.lane;
        lane.stack = stacks_.prepare(static_cast<std::size_t>(rank), body, &lane);
        lane.head = lane.count = lane.path = lane.last_block = lane.depth = 0;
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

void HookedRunner::body(void* argument) {
    auto* lane = static_cast<Lane*>(argument);
    HookedRunner* runner = lane->runner;
    runner->entry_(runner->arguments_);
    runner->note_after();
    if (lane->count) lane->last = {lane->sites[(lane->count - 1) * warp_size]};
    lane->just_returned = true;
    lane->state = Lane::State::returned;
    void* nobody = nullptr;
    gradus_fibre_switch(&nobody, runner->scheduler_);
    __builtin_unreachable();
}

bool HookedRunner::run_block(const LaunchShape& shape, std::int64_t block, void (*entry)(void**), void** arguments, const RunOptions& options,
                             StepWatcher& watcher, Findings& findings) {
    options_ = &options, watcher_ = &watcher, findings_ = &findings, entry_ = entry, arguments_ = arguments;
    failed_ = mismatched_ = false;
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
        }
        const auto first = lanes_.begin(), last = first + threads_;
        if (std::all_of(first, last, [](const auto& lane) { return lane->state == Lane::State::returned; })) return true;
        if (!release_barrier()) return false;
        going.resize(warps);
    }
}

void HookedRunner::run_lane(Lane& lane) {
    if (lane.count) lane.last = {lane.log->sites[lane.count - 1].of[lane.place.lane]};
    lane.head = lane.count = 0;
    lane.accesses_here = 0;
    lane.pending = false;
    running_ = &lane;
    gradus_fibre_switch(&scheduler_, lane.stack);
}

void HookedRunner::stop(bool pending, Op op) {
    Lane& lane = *running_;
    if (lane.more_follow || op == Op::read)
        for (Lane::Open& open : lane.opens) open.late = true;
    else note_after();
    lane.pending = pending;
    gradus_fibre_switch(&lane.stack, scheduler_);
}

/// Until all lanes of the warp have returned or wait at a barrier, with nothing left in their logs.
HookedRunner::WarpEnd HookedRunner::run_warp(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size, last = std::min<std::size_t>(first + warp_size, static_cast<std::size_t>(threads_));
    for (;;) {
        std::uint32_t have = 0;
        bool waits = false;
        bool even = true; // all at the same position of the log
        std::uint32_t head = 0;
        for (std::size_t i = first; i < last; ++i) {
            Lane& lane = *lanes_[i];
            if (lane.state == Lane::State::ready && !lane.has()) {
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
        }
    }
}

/// All 32 lanes stand at the same row: row after row, as long as it is the same place for all. What waits for its turn is left.
void HookedRunner::take_together(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size;
    std::uint32_t row = lanes_[first]->head, end = ~0u;
    for (std::size_t i = first; i < first + warp_size; ++i) end = std::min(end, lanes_[i]->count - (lanes_[i]->pending ? 1 : 0));
    const Log& log = *lanes_[first]->log;
    const std::uint32_t before = row;
    for (; row < end && !failed_; ++row) {
        const auto& sites = log.sites[row].of;
        std::uint32_t differ = 0;
        for (int i = 0; i < warp_size; ++i) differ |= sites[static_cast<std::size_t>(i)] ^ sites[0];
        if (differ) break;
        tell(warp, {sites[0]}, all_lanes, log.addresses[row].of.data(), options_->values ? log.before[row].of.data() : nullptr,
             options_->values ? log.after[row].of.data() : nullptr, 0);
    }
    for (std::size_t i = first; i < first + warp_size; ++i) lanes_[i]->head = row;
    if (row == before) take_first(warp);
}

/// Takes off what comes first in the code, of what may be taken. False, with a finding, if nothing may.
bool HookedRunner::take_first(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size, last = std::min<std::size_t>(first + warp_size, static_cast<std::size_t>(threads_));
    Site best{};
    std::uint32_t mask = 0;
    const auto at_head = [&](const Lane& lane) { return Site{lane.log->sites[lane.head].of[lane.place.lane]}; };
    for (std::size_t i = first; i < last; ++i) {
        const Lane& lane = *lanes_[i];
        if (!lane.has()) continue;
        std::uint32_t with = 1u << (i - first);
        const Site site = at_head(lane);
        if (lane.head + 1 == lane.count && lane.state == Lane::State::meeting) {
            with = 0;
            for (std::size_t j = first; j < last; ++j) {
                const Lane& other = *lanes_[j];
                if (other.state == Lane::State::meeting && other.head + 1 == other.count && other.mask == lane.mask && other.together == lane.together)
                    with |= 1u << (j - first);
            }
            if ((with & lane.mask) != lane.mask) continue; // others are still to come
            with = lane.mask;
        }
        if (mask && site == best) mask |= with;
        else if (!mask || paths_.before(site, best)) best = site, mask = with;
    }
    if (!mask) {
        give_up(never_meets(warp));
        return false;
    }
    Log::AddressRow row;
    const Lane& leader = *lanes_[first + static_cast<std::size_t>(std::countr_zero(mask))];
    row.of.fill(leader.log->addresses[leader.head].of[leader.place.lane]);
    Log::WordRow before, after;
    std::uint32_t late = 0;
    for (std::size_t i = first; i < last; ++i) {
        if (!(mask >> (i - first) & 1)) continue;
        const Lane& lane = *lanes_[i];
        row.of[i - first] = lane.log->addresses[lane.head].of[i - first];
        if (lane.pending && lane.head + 1 == lane.count) late |= 1u << (i - first);
        if (options_->values) before.of[i - first] = lane.log->before[lane.head].of[i - first], after.of[i - first] = lane.log->after[lane.head].of[i - first];
    }
    const Op op = instructions_[best.offset()].op;
    tell(warp, best, mask, row.of.data(), before.of.data(), after.of.data(), late);
    if (op == Op::meet) meet_done(warp, mask);
    for (std::size_t i = first; i < last; ++i)
        if (mask >> (i - first) & 1) {
            ++lanes_[i]->head;
            if (op == Op::active) lanes_[i]->active = mask;
        }
    return true;
}

void HookedRunner::tell(std::uint32_t warp, Site site, std::uint32_t mask, const std::uint64_t* addresses, const Word* before, const Word* after, std::uint32_t late) {
    const Instruction& at = instructions_[site.offset()];
    used_ += warp_size;
    // The end of a loop's body says which loop it is; work without any end is rare.
    constexpr std::int64_t patience = 1 << 20;
    if (used_ > options_->budget && (at.op == Op::branch || used_ > options_->budget + patience))
        return give_up({.kind = Finding::Kind::endless, .site = site, .thread = {block_, warp * warp_size + static_cast<std::uint32_t>(std::countr_zero(mask))},
                        .words = fmt::format("{}", options_->budget)});
    watcher_->step({site, at.op, at.bytes, mask, block_, warp, addresses, before, after, late});
}

/// Those that meet have all come.
void HookedRunner::meet_done(std::uint32_t warp, std::uint32_t mask) {
    const std::size_t first = std::size_t{warp} * warp_size;
    std::array<void*, warp_size> handed{};
    for (std::size_t i = 0; i < warp_size; ++i)
        if (mask >> i & 1) handed[i] = lanes_[first + i]->handed;
    const Lane& leader = *lanes_[first + static_cast<std::size_t>(std::countr_zero(mask))];
    Meeting meeting;
    if (options_->values) meeting.begin(leader.name, leader.how, handed);
    meets_for_all_ = &leader;
    if (leader.together) leader.together(handed.data(), mask);
    meets_for_all_ = nullptr;
    if (options_->values) {
        meeting.end(handed);
        watcher_->met(warp, mask, meeting);
    }
    if (leader.how & SIMT_ORDERS) watcher_->warp_ordered(warp, mask);
    for (std::size_t i = 0; i < warp_size; ++i)
        if (mask >> i & 1) lanes_[first + i]->state = Lane::State::ready;
}

Finding HookedRunner::never_meets(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size, last = std::min<std::size_t>(first + warp_size, static_cast<std::size_t>(threads_));
    Finding finding{.kind = Finding::Kind::never_meets};
    std::uint32_t here = 0;
    const Lane* waits = nullptr;
    for (std::size_t i = first; i < last; ++i) {
        const Lane& lane = *lanes_[i];
        if (lane.state != Lane::State::meeting) continue;
        if (!waits) waits = &lane;
        if (lane.mask == waits->mask && lane.together == waits->together) here |= 1u << (i - first);
    }
    if (!waits) return finding;
    const std::uint32_t missing = waits->mask & ~here;
    finding.site = {waits->log->sites[waits->head].of[waits->place.lane]};
    finding.thread = name(*waits);
    finding.second = {block_, static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(std::countr_zero(missing))};
    finding.words = waits->name;
    return finding;
}

void HookedRunner::give_up(Finding finding) {
    findings_->add(std::move(finding));
    failed_ = true;
}

} // namespace gradus::simt
