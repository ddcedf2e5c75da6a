#include "engine/trace/kernel/step_finder.hpp"

#include "engine/core/text.hpp"

#include <map>

namespace gradus {

namespace {

std::optional<simt::Op> op_of(std::string_view word) {
    if (word == "load") return simt::Op::read;
    if (word == "store") return simt::Op::write;
    if (word == "atomic") return simt::Op::atomic;
    if (word == "barrier") return simt::Op::barrier;
    if (word == "meet") return simt::Op::meet;
    if (word == "fault") return simt::Op::fault;
    return std::nullopt;
}

bool same_kind(simt::Op wanted, simt::Op found) { return wanted == found || (wanted == simt::Op::read && found == simt::Op::copy_async); }

} // namespace

std::optional<StepWanted> read_step_wanted(std::string_view words) {
    StepWanted out;
    std::string before; // a word that a number follows
    while (!words.empty()) {
        const std::size_t blank = words.find(' ');
        const std::string_view word = words.substr(0, blank);
        words = blank == std::string_view::npos ? std::string_view() : words.substr(blank + 1);
        if (before.empty() && word == "at") {
            out.fragment = words;
            return words.empty() ? std::nullopt : std::optional(out);
        }
        if (!before.empty()) {
            const auto number = parse_integer(word);
            if (!number || *number < 0 || (before != "time" && *number >= 32)) return std::nullopt;
            if (before == "warp") out.warp = static_cast<int>(*number);
            else if (before == "lane") out.lane = static_cast<int>(*number);
            else out.time = *number;
            before.clear();
        } else if (word == "warp" || word == "lane" || word == "time") {
            before = word;
        } else if (const auto op = op_of(word)) {
            out.op = op;
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::string_view source_line(const KernelTrace& trace, std::int32_t file, std::int32_t line) {
    if (file < 0 || static_cast<std::size_t>(file) >= trace.sources.size() || line < 1) return {};
    std::string_view text = trace.sources[static_cast<std::size_t>(file)];
    for (; line > 1; --line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

std::size_t find_step(const KernelTrace& trace, std::size_t block, const StepWanted& wanted) {
    std::vector<bool> fits(trace.sites.size()); // the places whose line holds the words
    for (std::size_t i = 0; i < fits.size(); ++i) {
        const KernelPlace& place = trace.sites[i].place;
        fits[i] = source_line(trace, place.file, place.line).find(wanted.fragment) != std::string_view::npos && (!wanted.op || same_kind(*wanted.op, trace.log.sites[i].op));
    }
    const auto [begin, end] = trace.steps_of_block(block);
    std::int64_t before = 0;
    for (std::size_t step = begin; step < end; ++step) {
        if (!fits[trace.log.site[step]] || !trace.is_shown(step)) continue;
        if (wanted.warp >= 0 && trace.log.warp[step] != wanted.warp) continue;
        if (wanted.lane >= 0 && !(trace.log.mask[step] >> wanted.lane & 1)) continue;
        if (before++ == wanted.time) return step;
    }
    return trace.steps();
}

} // namespace gradus
