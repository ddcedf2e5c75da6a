#include "engine/trace/kernel/kernel_events.hpp"

#include "engine/core/text.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::int32_t no_event = -1;

} // namespace

KernelEvents::KernelEvents(std::shared_ptr<const KernelTrace> trace, std::int32_t first, std::string path)
    : trace_(std::move(trace)), first_(first), stride_(trace_->ordinals_of_launch()), path_(std::move(path)), locals_(trace_) {
    const KernelLog& log = trace_->log;
    std::int64_t at = 0;
    std::size_t launch = trace_->launches.size();
    for (std::size_t block = 0; block < log.blocks.size(); ++block) {
        if (log.blocks[block].launch != launch) {
            launch = log.blocks[block].launch;
            at = std::int64_t{kernel_of(launch)} + 1;
        }
        blocks_.push_back(static_cast<std::int32_t>(at++));
        const auto [begin, end] = trace_->steps_of_block(block);
        for (std::size_t step = begin; step < end; ++step) {
            steps_.push_back(static_cast<std::int32_t>(at));
            if (trace_->is_shown(step)) at += 1 + std::popcount(log.mask[step]) + static_cast<std::int64_t>(trace_->first_fma[step + 1] - trace_->first_fma[step]);
        }
    }
}

std::int32_t KernelEvents::of_step(std::size_t step) const { return trace_->is_shown(step) ? steps_[step] : no_event; }

KernelEvents::Place KernelEvents::place_of(std::int32_t ordinal) const {
    Place out;
    const auto block = std::upper_bound(blocks_.begin(), blocks_.end(), ordinal);
    if (block == blocks_.begin()) return out;
    out.block = static_cast<std::size_t>(block - blocks_.begin()) - 1;
    if (blocks_[out.block] == ordinal) {
        out.level = Level::block;
        return out;
    }
    const auto [begin, end] = trace_->steps_of_block(out.block);
    const auto after = std::upper_bound(steps_.begin() + static_cast<std::ptrdiff_t>(begin), steps_.begin() + static_cast<std::ptrdiff_t>(end), ordinal);
    out.step = static_cast<std::size_t>(after - steps_.begin()) - 1;
    if (after == steps_.begin() + static_cast<std::ptrdiff_t>(begin) || !trace_->is_shown(out.step)) return {};
    std::int32_t at = steps_[out.step];
    out.level = Level::warp_instruction;
    if (at == ordinal) return out;
    std::uint64_t fma = trace_->first_fma[out.step];
    for (std::uint32_t lanes = trace_->log.mask[out.step]; lanes; lanes &= lanes - 1) {
        out.lane = std::countr_zero(lanes);
        out.level = Level::lane;
        if (++at == ordinal) return out;
        for (; fma < trace_->first_fma[out.step + 1] && trace_->log.fma_lane[fma] == out.lane; ++fma)
            if (++at == ordinal) {
                out.level = Level::bits;
                out.fma = static_cast<std::int64_t>(fma);
                return out;
            }
    }
    return {};
}

std::size_t KernelEvents::step_of(std::int32_t ordinal) const {
    const Place place = place_of(ordinal);
    return place.level >= Level::warp_instruction ? place.step : trace_->steps();
}

std::size_t KernelEvents::block_of(std::int32_t ordinal) const {
    const Place place = place_of(ordinal);
    if (place.level > Level::kernel) return place.block;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        if (kernel_of(trace_->log.blocks[i].launch) == ordinal) return i;
    return blocks_.size();
}

int KernelEvents::lane_of(std::int32_t ordinal) const { return place_of(ordinal).lane; }
std::int64_t KernelEvents::fma_of(std::int32_t ordinal) const { return place_of(ordinal).fma; }

std::int32_t KernelEvents::of_lane(std::size_t step, int lane) const {
    if (!trace_->is_shown(step)) return no_event;
    std::int32_t at = steps_[step] + 1;
    std::uint64_t fma = trace_->first_fma[step];
    for (std::uint32_t lanes = trace_->log.mask[step]; lanes; lanes &= lanes - 1, ++at) {
        const int each = std::countr_zero(lanes);
        if (each == lane) return at;
        for (; fma < trace_->first_fma[step + 1] && trace_->log.fma_lane[fma] == each; ++fma) ++at;
    }
    return no_event;
}

std::int32_t KernelEvents::of_fma(std::size_t fma) const {
    const std::size_t step = trace_->log.fma_step[fma];
    const std::uint8_t lane = trace_->log.fma_lane[fma];
    std::size_t first = fma; // of its lane
    while (first > trace_->first_fma[step] && trace_->log.fma_lane[first - 1] == lane) --first;
    return of_lane(step, lane) + 1 + static_cast<std::int32_t>(fma - first);
}

std::int32_t KernelEvents::multiply_add_after(std::int32_t ordinal) const {
    const Place place = place_of(ordinal);
    if (place.lane < 0) return no_event;
    const KernelLog& log = trace_->log;
    const auto line_of = [&](std::size_t step) { return trace_->sites[log.site[step]].place; };
    const std::size_t end = trace_->steps_of_block(place.block).second;
    for (std::size_t step = place.step + 1; step < end; ++step) {
        if (log.warp[step] != log.warp[place.step] || !(log.mask[step] >> place.lane & 1)) continue;
        for (std::uint64_t fma = trace_->first_fma[step]; fma < trace_->first_fma[step + 1]; ++fma)
            if (log.fma_lane[fma] == place.lane) return trace_->is_shown(step) ? of_fma(fma) : no_event;
        if (line_of(step).file != line_of(place.step).file || line_of(step).line != line_of(place.step).line) break;
    }
    return no_event;
}

/// The first event of the level with a larger ordinal.
std::int32_t KernelEvents::next(std::int32_t ordinal, Level level) const {
    if (level == Level::block) {
        const auto at = std::upper_bound(blocks_.begin(), blocks_.end(), ordinal);
        return at == blocks_.end() ? no_event : *at;
    }
    if (level == Level::bits) {
        std::size_t low = 0, high = trace_->log.fmas.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (of_fma(middle) <= ordinal) low = middle + 1;
            else high = middle;
        }
        return low < trace_->log.fmas.size() ? of_fma(low) : no_event;
    }
    if (level == Level::lane) {
        const std::size_t step = step_of(ordinal);
        if (step < trace_->steps())
            for (std::uint32_t lanes = trace_->log.mask[step]; lanes; lanes &= lanes - 1)
                if (const std::int32_t at = of_lane(step, std::countr_zero(lanes)); at > ordinal) return at;
        const std::int32_t following = next(ordinal, Level::warp_instruction);
        return following == no_event ? no_event : following + 1;
    }
    auto step = static_cast<std::size_t>(std::upper_bound(steps_.begin(), steps_.end(), ordinal) - steps_.begin());
    while (step < steps_.size() && !trace_->is_shown(step)) ++step;
    return step < steps_.size() ? steps_[step] : no_event;
}

/// The last event of the level with a smaller ordinal.
std::int32_t KernelEvents::previous(std::int32_t ordinal, Level level) const {
    if (level == Level::block) {
        const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), ordinal);
        return at == blocks_.begin() ? no_event : *std::prev(at);
    }
    if (level == Level::bits) {
        std::size_t low = 0, high = trace_->log.fmas.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (of_fma(middle) < ordinal) low = middle + 1;
            else high = middle;
        }
        return low > 0 ? of_fma(low - 1) : no_event;
    }
    if (level == Level::lane) {
        const std::int32_t before = previous(ordinal, Level::warp_instruction); // lanes begin behind their step
        for (std::int32_t at = before; at != no_event; at = previous(at, Level::warp_instruction)) {
            const std::size_t step = step_of(at);
            std::int32_t found = no_event;
            for (std::uint32_t lanes = trace_->log.mask[step]; lanes; lanes &= lanes - 1)
                if (const std::int32_t lane = of_lane(step, std::countr_zero(lanes)); lane < ordinal) found = lane;
            if (found != no_event) return found;
        }
        return no_event;
    }
    auto step = static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), ordinal) - steps_.begin());
    while (step > 0)
        if (trace_->is_shown(--step)) return steps_[step];
    return no_event;
}

const EventSite* KernelEvents::step(std::int32_t ordinal, Level level, int by) const {
    if (level < Level::block) return nullptr;
    const std::int32_t found = by > 0 ? next(ordinal, level) : previous(ordinal, level);
    return found == no_event ? nullptr : find(found);
}

const EventSite* KernelEvents::find(std::int32_t ordinal) const {
    const std::lock_guard lock(mutex_);
    const auto known = made_.find(ordinal);
    if (known != made_.end()) return &known->second;
    const Place place = place_of(ordinal);
    if (place.level == Level::kernel) return nullptr;
    return &made_.emplace(ordinal, make(ordinal, place)).first->second;
}

const EventSite* KernelEvents::find(std::size_t launch, std::string_view block, const StepWanted& wanted) const {
    const auto number = block.starts_with("block ") ? parse_integer(block.substr(6)) : std::nullopt;
    for (std::size_t i = 0; number && i < trace_->log.blocks.size(); ++i) {
        if (trace_->log.blocks[i].launch != launch || static_cast<std::int64_t>(trace_->log.blocks[i].number) != *number) continue;
        const std::size_t step = find_step(*trace_, i, wanted);
        if (step == trace_->steps()) return nullptr;
        return find(wanted.lane < 0 ? of_step(step) : of_lane(step, wanted.lane));
    }
    return nullptr;
}

/// "…/block 3/step 17/lane 4/fma 0": numbers of the launch's blocks, the block's steps, the step's lanes, the lane's multiply-adds.
const EventSite* KernelEvents::find(std::string_view path) const {
    for (std::size_t launch = 0; launch < trace_->launches.size(); ++launch) {
        const std::string brief = fmt::format("{}/{}", path_, launch), kernel = fmt::format("{} {}", brief, trace_->launches[launch].kernel);
        if (!path.starts_with(kernel + "/") && !path.starts_with(brief + "/")) continue;
        std::string_view rest = path.substr((path.starts_with(kernel) ? kernel : brief).size() + 1);
        if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos)
            if (const auto wanted = read_step_wanted(rest.substr(slash + 1))) return find(launch, rest.substr(0, slash), *wanted);
        std::int32_t at = kernel_of(launch);
        Level level = Level::kernel;
        for (const std::string_view part : split(rest, '/')) {
            const std::size_t blank = part.find(' ');
            const auto number = blank == std::string_view::npos ? std::nullopt : parse_integer(part.substr(blank + 1));
            if (!number || *number < 0 || level == Level::bits) return nullptr;
            level = static_cast<Level>(static_cast<int>(level) + 1);
            const Place place = place_of(at);
            std::int32_t found = no_event;
            if (level == Level::block) {
                for (std::size_t i = 0; i < blocks_.size(); ++i)
                    if (trace_->log.blocks[i].launch == launch && trace_->log.blocks[i].number == static_cast<std::uint64_t>(*number)) found = blocks_[i];
            } else if (level == Level::warp_instruction) {
                const auto [begin, end] = trace_->steps_of_block(place.block);
                if (static_cast<std::uint64_t>(*number) < end - begin) found = of_step(begin + static_cast<std::size_t>(*number));
            } else if (level == Level::lane) found = *number < 32 ? of_lane(place.step, static_cast<int>(*number)) : no_event;
            else if (*number < stride_) {
                const std::int32_t fma = at + 1 + static_cast<std::int32_t>(*number);
                const Place there = place_of(fma);
                if (there.level == Level::bits && there.lane == place.lane && there.step == place.step) found = fma;
            }
            if (found == no_event) return nullptr;
            at = found;
        }
        return find(at);
    }
    return nullptr;
}

} // namespace gradus
