#include "engine/trace/kernel/locals_cursor.hpp"

#include "engine/trace/kernel/local_changes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace gradus {

LocalsCursor::LocalsCursor(std::shared_ptr<const KernelTrace> trace) : trace_(std::move(trace)) {}

void LocalsCursor::go_to(std::size_t position) { position_ = std::min(position, trace_->steps()); }

void LocalsCursor::enter_block(std::size_t block) {
    if (block_ == block) return;
    threads_.clear();
    block_ = block;
}

LocalsCursor::Thread& LocalsCursor::thread_of(std::uint32_t rank, const KernelLog::Locals::Thread& kept) {
    const auto [at, made] = threads_.try_emplace(rank);
    Thread& thread = at->second;
    if (!made) return thread;
    const auto [begin, end] = trace_->steps_of_block(block_);
    for (std::size_t step = begin; step < end; ++step)
        if (trace_->log.warp[step] == rank / 32 && trace_->log.mask[step] >> rank % 32 & 1)
            thread.steps.push_back(static_cast<std::uint32_t>(step));
    LocalChanges changes(trace_->log.locals.changes, kept.first);
    for (std::uint64_t event = 0; event < kept.events; ++event)
        for (std::uint64_t left = changes.number().value_or(0); left > 0; --left) {
            const auto change = changes.change();
            if (!change) return thread;
            if (change->word >= thread.words.size())
                thread.words.resize(change->word + 1, unset_word), thread.last.resize(change->word + 1);
            std::uint64_t& word = thread.words[change->word];
            thread.changes.push_back({static_cast<std::uint32_t>(event), change->word, word,
                                      (word & ~change->mask) | change->value, thread.last[change->word]});
            word = thread.changes.back().after;
            thread.last[change->word] = static_cast<std::uint32_t>(event) + 1;
        }
    thread.next = thread.changes.size();
    return thread;
}

/// To where the thread comes to its step of that number.
void LocalsCursor::move(Thread& thread, std::uint64_t event) {
    for (; thread.next > 0 && thread.changes[thread.next - 1].event > event; --thread.next) {
        const Change& change = thread.changes[thread.next - 1];
        thread.words[change.word] = change.before;
        thread.last[change.word] = change.last;
    }
    for (; thread.next < thread.changes.size() && thread.changes[thread.next].event <= event; ++thread.next) {
        const Change& change = thread.changes[thread.next];
        thread.words[change.word] = change.after;
        thread.last[change.word] = change.event + 1;
    }
}

namespace {

std::byte byte_at(const std::vector<std::uint64_t>& words, std::int32_t at) {
    const std::uint32_t number = frame_word(at);
    return number < words.size() ? static_cast<std::byte>(words[number] >> (at & 7) * 8) : unset_byte;
}

std::vector<std::byte> bytes_of(const LocalVariable& variable, const std::vector<std::uint64_t>& words) {
    std::vector<std::byte> out(variable.bytes);
    for (std::uint32_t i = 0; i < variable.bytes; ++i)
        out[i] = byte_at(words, variable.at + static_cast<std::int32_t>(i));
    return out;
}

bool nothing_set(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == unset_byte; });
}

} // namespace

LocalsCursor::Lane LocalsCursor::lane(std::uint32_t rank) {
    const KernelTrace& trace = *trace_;
    if (!trace.steps()) return {"no step is recorded", {}};
    const std::size_t at = std::min(position_, trace.steps() - 1);
    if (!(trace.warps >> rank / 32 & 1)) return {fmt::format("warp {} is not recorded", rank / 32), {}};
    enter_block(trace.block_of(at));
    const KernelLog::Locals::Thread* kept = trace.locals_of(block_, rank);
    if (!kept)
        return {trace.log.locals.missed ? "there was no more room for the changes of its variables"
                                        : "no variables of this lane are recorded",
                {}};
    Thread& thread = thread_of(rank, *kept);
    const auto event = static_cast<std::uint64_t>(
        std::lower_bound(thread.steps.begin(), thread.steps.end(), position_) - thread.steps.begin());
    if (event >= thread.steps.size() && !trace.cut()) return {"the lane has returned: its variables are gone", {}};
    if (event >= thread.steps.size() || event >= kept->events)
        return {fmt::format(
                    "its variables are recorded as far as its step {}: there was no more room for what changes in them",
                    std::min<std::uint64_t>(kept->events, thread.steps.size())),
                {}};
    move(thread, event);
    std::vector<std::uint64_t> before = thread.words;
    for (std::size_t i = thread.next; i > 0 && thread.changes[i - 1].event == event; --i)
        before[thread.changes[i - 1].word] = thread.changes[i - 1].before;
    const auto place_of = [&](std::uint64_t number) { return trace.sites[trace.log.site[thread.steps[number]]].place; };
    Lane out;
    for (const KernelTrace::SiteLocal& seen : trace.sites[trace.log.site[thread.steps[event]]].locals) {
        const LocalVariable& variable = trace.locals[seen.local];
        Value value;
        value.variable = &variable;
        value.why = variable.why;
        value.bytes = bytes_of(variable, thread.words);
        value.before = event ? bytes_of(variable, before) : std::vector<std::byte>(variable.bytes, unset_byte);
        if (value.why.empty() && seen.later)
            value.why = fmt::format("not yet alive: it is declared further on, in line {}", variable.line);
        if (value.why.empty() && nothing_set(value.bytes)) value.why = "not yet set";
        value.changed = value.bytes != value.before;
        std::uint32_t last = 0;
        for (std::uint32_t i = 0; i < variable.bytes; ++i)
            if (const std::uint32_t word = frame_word(variable.at + static_cast<std::int32_t>(i));
                word < thread.last.size())
                last = std::max(last, thread.last[word]);
        if (last > 0) value.to = place_of(last - 1), value.from = last > 1 ? place_of(last - 2) : KernelPlace{};
        out.values.push_back(std::move(value));
    }
    return out;
}

} // namespace gradus
