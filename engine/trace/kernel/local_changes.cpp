#include "engine/trace/kernel/local_changes.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gradus {

std::optional<std::uint64_t> LocalChanges::number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63 && at_ < bytes_->size(); shift += 7) {
        const auto byte = static_cast<std::uint8_t>((*bytes_)[at_++]);
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (!(byte & 0x80)) return value;
    }
    return std::nullopt;
}

std::optional<LocalChanges::Change> LocalChanges::change() {
    const auto head = number();
    if (!head || !(*head & 3) || *head >> 2 >= frame_words) return std::nullopt;
    const bool low = *head & 1, high = *head & 2;
    const std::size_t size = low && high ? 8 : 4;
    if (size > bytes_->size() - at_) return std::nullopt;
    Change out{static_cast<std::uint32_t>(*head >> 2), (low ? 0xffffffff : 0) | (high ? ~std::uint64_t{0xffffffff} : 0),
               0};
    std::memcpy(reinterpret_cast<std::byte*>(&out.value) + (low ? 0 : 4), bytes_->data() + at_, size);
    at_ += size;
    return out;
}

const KernelLog::Locals::Thread* KernelTrace::locals_of(std::size_t block, std::uint32_t rank) const {
    const auto& threads = log.locals.threads;
    const auto at = std::lower_bound(
        threads.begin(), threads.end(), std::pair{block, rank},
        [](const KernelLog::Locals::Thread& thread, const std::pair<std::size_t, std::uint32_t>& wanted) {
            return std::pair{std::size_t{thread.block}, thread.rank} < wanted;
        });
    return at == threads.end() || at->block != block || at->rank != rank ? nullptr : &*at;
}

void KernelTrace::index_locals(const std::string& where) const {
    const auto refuse = [&](const std::string& what) { throw FileError(fmt::format("{}: {}", where, what)); };
    for (const LocalVariable& local : locals) {
        const std::int64_t end = std::int64_t{local.at} + local.bytes;
        if (local.at < -frame_below || end > frame_above)
            refuse(fmt::format("the variable {} lies outside its frame", local.name));
        std::uint64_t elements = 1;
        for (const std::uint32_t size : local.sizes) {
            elements *= size;
            if (elements > local.bytes) refuse(fmt::format("the variable {} has more elements than bytes", local.name));
        }
        if (elements * local.stride > local.bytes)
            refuse(fmt::format("the variable {} is larger than it says", local.name));
        for (const LocalVariable::Part& part : local.parts)
            if (part.kind > last_value_kind || part.offset > local.stride || part.bytes > local.stride - part.offset)
                refuse(fmt::format("a part of the variable {} cannot be", local.name));
    }
    for (const Site& site : sites)
        for (const SiteLocal& seen : site.locals)
            if (seen.local >= locals.size()) refuse("a place names a variable that is not there");
    const KernelLog::Locals::Thread* before = nullptr;
    std::uint64_t at = 0;
    for (const KernelLog::Locals::Thread& thread : log.locals.threads) {
        if (thread.block >= log.blocks.size() || thread.rank >= 1024 || thread.first != at)
            refuse("the variables of a thread are not where it says");
        if (before && std::pair{before->block, before->rank} >= std::pair{thread.block, thread.rank})
            refuse("the threads of variables are out of order");
        before = &thread;
        LocalChanges changes(log.locals.changes, at);
        for (std::uint64_t event = 0; event < thread.events; ++event) {
            const auto count = changes.number();
            if (!count) refuse("what changed in a thread's variables ends too early");
            for (std::uint64_t i = 0; i < *count; ++i)
                if (!changes.change()) refuse("a change of a thread's variables cannot be");
        }
        at = changes.at();
    }
    if (at != log.locals.changes.size()) refuse("there is more in variables than threads say");
}

namespace {

void put_number(std::vector<std::byte>& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
    to.push_back(static_cast<std::byte>(value));
}

} // namespace

void drop_steps(KernelLog::Locals& locals, const std::vector<DroppedStep>& drop) {
    if (drop.empty()) return;
    std::vector<std::byte> kept;
    for (KernelLog::Locals::Thread& thread : locals.threads) {
        LocalChanges changes(locals.changes, thread.first);
        thread.first = kept.size();
        std::uint64_t waiting = 0, events = 0;
        std::vector<std::byte> bytes; // of the steps that were dropped just before
        for (std::uint64_t event = 0; event < thread.events; ++event) {
            const auto count = changes.number();
            if (!count) throw FileError("the interpreter's answer is damaged");
            const std::uint64_t from = changes.at();
            for (std::uint64_t i = 0; i < *count; ++i)
                if (!changes.change()) throw FileError("the interpreter's answer is damaged");
            bytes.insert(bytes.end(), locals.changes.begin() + static_cast<std::ptrdiff_t>(from),
                         locals.changes.begin() + static_cast<std::ptrdiff_t>(changes.at()));
            waiting += *count;
            if (std::binary_search(drop.begin(), drop.end(), DroppedStep{thread.block, thread.rank, event})) continue;
            put_number(kept, waiting);
            kept.insert(kept.end(), bytes.begin(), bytes.end());
            bytes.clear(), waiting = 0, ++events;
        }
        thread.events = events;
    }
    locals.changes = std::move(kept);
}

} // namespace gradus
