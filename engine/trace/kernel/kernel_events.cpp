#include "engine/trace/kernel/kernel_events.hpp"

#include "engine/core/text.hpp"
#include "engine/trace/kernel/fma_bits.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::int32_t no_event = -1;

EventAttribute counted(std::string name, std::int64_t value, std::string unit = {}) { return {std::move(name), std::to_string(value), std::move(unit), Provenance::counted}; }
EventAttribute computed(std::string name, std::string value) { return {std::move(name), std::move(value), "", Provenance::computed}; }

std::string block_name(const Dim3& grid, std::uint32_t number) {
    const auto n = static_cast<std::int64_t>(number);
    return fmt::format("block ({}, {}, {})", n % grid.x, n / grid.x % grid.y, n / grid.x / grid.y);
}

/// "-1.0010…b × 2^3"
std::string exact_text(const ExactNumber& number) {
    if (number.digits.empty()) return "0";
    return fmt::format("{}{}{}{}b × 2^{}", number.negative ? "-" : "", number.digits[0], number.digits.size() > 1 ? "." : "", number.digits.substr(1), number.highest);
}

std::string fp32_text(std::uint32_t bits) {
    return fmt::format("{} = {:d} {:08b} {:023b}", number_text(static_cast<double>(std::bit_cast<float>(bits))), bits >> 31, bits >> 23 & 0xff, bits & 0x7fffff);
}

} // namespace

KernelEvents::KernelEvents(std::shared_ptr<const KernelTrace> trace, std::int32_t first, std::string path)
    : trace_(std::move(trace)), first_(first), stride_(trace_->ordinals_of_launch()), path_(std::move(path)) {
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

int KernelEvents::lane_of(std::int32_t ordinal) const { return place_of(ordinal).lane; }
std::int64_t KernelEvents::fma_of(std::int32_t ordinal) const { return place_of(ordinal).fma; }

std::int32_t KernelEvents::of_lane(std::size_t step, int lane) const {
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

/// "…/block 3/step 17/lane 4/fma 0": numbers of the launch's blocks, the block's steps, the step's lanes, the lane's multiply-adds.
const EventSite* KernelEvents::find(std::string_view path) const {
    for (std::size_t launch = 0; launch < trace_->launches.size(); ++launch) {
        const std::string kernel = fmt::format("{}/{} {}", path_, launch, trace_->launches[launch].kernel);
        if (!path.starts_with(kernel + "/")) continue;
        std::int32_t at = kernel_of(launch);
        Level level = Level::kernel;
        for (const std::string_view part : split(path.substr(kernel.size() + 1), '/')) {
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
            else if (*number < stride_ && place_of(at + 1 + static_cast<std::int32_t>(*number)).lane == place.lane && place_of(at + 1 + static_cast<std::int32_t>(*number)).step == place.step)
                found = at + 1 + static_cast<std::int32_t>(*number);
            if (found == no_event) return nullptr;
            at = found;
        }
        return find(at);
    }
    return nullptr;
}

std::string KernelEvents::place_text(const KernelPlace& place) const {
    if (place.file < 0) return "an unknown place";
    const std::string& file = trace_->files[static_cast<std::size_t>(place.file)];
    return fmt::format("{}:{}:{}", file.substr(file.rfind('/') + 1), place.line, place.column);
}

EventSite KernelEvents::make(std::int32_t ordinal, const Place& place) const {
    const KernelLog::Block& block = trace_->log.blocks[place.block];
    const KernelTrace::Launch& launch = trace_->launches[block.launch];
    EventSite site;
    site.level = place.level;
    site.ordinal = ordinal;
    site.module = launch.kernel;
    site.implementation = "simt";
    site.provenance = Provenance::counted;
    site.path = fmt::format("{}/{} {}/block {}", path_, block.launch, launch.kernel, block.number);
    const auto [begin, end] = trace_->steps_of_block(place.block);
    if (place.level == Level::block) {
        site.name = block_name(launch.grid, block.number);
        site.parent = kernel_of(block.launch);
        site.attributes = {counted("block", block.number), counted("steps", static_cast<std::int64_t>(end - begin))};
        for (std::size_t step = begin; step < end; ++step) {
            const KernelLog::Site& at = trace_->log.sites[trace_->log.site[step]];
            const double bytes = simt::touches_memory(at.op) ? static_cast<double>(std::popcount(trace_->log.mask[step])) * at.bytes : 0;
            (writes_memory(at.op) ? site.cost.bytes_written : site.cost.bytes_read) += bytes;
        }
        site.cost.flops = 2 * static_cast<double>(trace_->first_fma[end] - trace_->first_fma[begin]);
        return site;
    }
    site.path += fmt::format("/step {}", place.step - begin);
    if (place.level == Level::warp_instruction) {
        site.parent = blocks_[place.block];
        describe_step(site, place.step);
        return site;
    }
    site.path += fmt::format("/lane {}", place.lane);
    if (place.level == Level::lane) {
        site.parent = steps_[place.step];
        describe_lane(site, place.step, place.lane);
        return site;
    }
    const std::int32_t lane = of_lane(place.step, place.lane);
    site.path += fmt::format("/fma {}", ordinal - lane - 1);
    site.parent = lane;
    describe_fma(site, static_cast<std::size_t>(place.fma));
    return site;
}

void KernelEvents::describe_step(EventSite& site, std::size_t step) const {
    const KernelLog& log = trace_->log;
    const KernelLog::Site& at = log.sites[log.site[step]];
    const KernelTrace::Site& where = trace_->sites[log.site[step]];
    const KernelTrace::Accesses accesses = trace_->accesses(step);
    const int active = std::popcount(log.mask[step]);
    site.lane = log.warp[step];
    site.formula = place_text(where.place);
    site.name = std::string(simt::name_of(at.op));
    site.attributes = {counted("line", where.place.line), counted("column", where.place.column), {"mask", fmt::format("{:08x}", log.mask[step]), "", Provenance::counted},
                       counted("active_lanes", active, "lanes"), counted("warp", log.warp[step])};
    if (!where.calls.empty()) {
        std::string calls;
        for (const KernelPlace& call : where.calls) calls += (calls.empty() ? "" : " > ") + place_text(call);
        site.attributes.push_back({"calls", calls, "", Provenance::counted});
    }
    site.cost.flops = 2 * static_cast<double>(trace_->first_fma[step + 1] - trace_->first_fma[step]);
    if (!accesses.count) return;
    const simt::Space space = trace_->ranges[accesses.of[0].range].space;
    const std::string buffer = trace_->name_at(accesses.of[0].range, accesses.of[0].offset);
    site.name += " " + buffer;
    site.attributes.push_back({"buffer", buffer, "", Provenance::counted});
    site.attributes.push_back({"space", std::string(simt::name_of(space)), "", Provenance::counted});
    site.attributes.push_back(counted("bytes_per_lane", at.bytes, "bytes"));
    if (space == simt::Space::global) site.attributes.push_back(counted("sectors", trace_->transfers(step), "sectors"));
    if (space == simt::Space::shared) site.attributes.push_back(counted("wavefronts", trace_->transfers(step), "wavefronts"));
    (writes_memory(at.op) ? site.cost.bytes_written : site.cost.bytes_read) = static_cast<double>(active) * at.bytes;
}

void KernelEvents::describe_lane(EventSite& site, std::size_t step, int lane) const {
    const KernelLog& log = trace_->log;
    const KernelLog::Site& at = log.sites[log.site[step]];
    site.lane = lane;
    site.name = fmt::format("lane {}", lane);
    site.formula = place_text(trace_->sites[log.site[step]].place);
    std::int64_t fmas = 0;
    for (std::uint64_t fma = trace_->first_fma[step]; fma < trace_->first_fma[step + 1]; ++fma) fmas += log.fma_lane[fma] == lane;
    site.cost.flops = 2 * static_cast<double>(fmas);
    site.attributes = {counted("thread", std::int64_t{log.warp[step]} * 32 + lane), counted("multiply_adds", fmas)};
    for (const KernelTrace::Access& access : trace_->accesses(step).all()) {
        if (access.lane != lane) continue;
        const KernelTrace::Range& range = trace_->ranges[access.range];
        site.attributes.push_back({"buffer", trace_->name_at(access.range, access.offset), "", Provenance::counted});
        site.attributes.push_back(counted("offset", static_cast<std::int64_t>(access.offset), "bytes"));
        if (!range.sizes.empty()) site.attributes.push_back(counted("index", static_cast<std::int64_t>(access.offset / size_of(range.type))));
        // Shared memory has no type of its own; four bytes are most often an fp32.
        const ElementType type = range.sizes.empty() ? ElementType::f32 : range.type;
        if (access.after.empty()) site.attributes.push_back(computed("value", element_text(type, access.before)));
        else site.attributes.push_back(computed("old", element_text(type, access.before))), site.attributes.push_back(computed("new", element_text(type, access.after)));
        (writes_memory(at.op) ? site.cost.bytes_written : site.cost.bytes_read) = at.bytes;
    }
}

void KernelEvents::describe_fma(EventSite& site, std::size_t number) const {
    const KernelLog::Fma& fma = trace_->log.fmas[number];
    const FmaBits bits = fma_bits(fma.a, fma.b, fma.c);
    site.lane = trace_->log.fma_lane[number];
    site.name = "fmaf";
    site.formula = place_text(trace_->sites[trace_->log.fma_site[number]].place);
    site.provenance = Provenance::computed;
    site.cost.flops = 2;
    site.attributes = {computed("a", fp32_text(fma.a)), computed("b", fp32_text(fma.b)), computed("c", fp32_text(fma.c)), computed("result", fp32_text(fma.result)),
                       computed("product", exact_text(bits.product)), computed("sum", exact_text(bits.sum)), computed("rounding", std::string(name_of(bits.step)))};
}

} // namespace gradus
