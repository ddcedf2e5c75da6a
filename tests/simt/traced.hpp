#pragma once

#include "engine/core/hash.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/trace/kernel/kernel_cursor.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <tuple>

namespace gradus::test {

/// A rung, run with everything recorded.
inline simt::KernelRun recorded_whole(const std::string& name, const Problem& sizes = {}, Dim3 block = {0, 0, 0}, const std::string& source = {}) {
    simt::KernelRequest request;
    std::tie(request.ladder, request.rung) = simt::find_rung(name);
    request.sizes = sizes;
    request.block = block;
    request.source = source;
    request.recording.wanted = true;
    return run_kernel(request);
}

inline bool same(const KernelCursor& a, const KernelCursor& b) {
    for (std::size_t range = 0; range < a.trace().ranges.size(); ++range)
        if (!std::ranges::equal(a.memory(range), b.memory(range))) return false;
    return true;
}

/// Every step there and back; what is read must stand in memory.
inline void check_there_and_back(const std::shared_ptr<const KernelTrace>& trace, const std::string& what) {
    KernelCursor cursor(trace);
    const KernelCursor start(trace);
    std::size_t wrong = 0;
    for (std::size_t step = 0; step < trace->steps(); ++step) {
        const bool first = step == 0 || trace->block_of(step) != trace->block_of(step - 1);
        const KernelTrace::Accesses touched = trace->accesses(step);
        if (!first) // a block's memory is laid out when its first step is done
            for (const KernelTrace::Access& access : touched.all()) {
                const auto memory = cursor.memory(access.range);
                const bool alone = writes_memory(trace->log.sites[trace->log.site[step]].op); // another lane of this step may have written before
                if (!memory.empty() && !alone) wrong += !std::ranges::equal(memory.subspan(access.offset, access.before.size()), access.before);
            }
        cursor.forward();
    }
    CHECK_EQUAL(wrong, std::size_t{0});
    for (std::size_t i = 0; i < trace->ranges.size(); ++i) {
        const KernelTrace::Range& range = trace->ranges[i];
        if (!range.end_hash) continue;
        CHECK(hash_bytes(cursor.memory(i).data(), cursor.memory(i).size()) == range.end_hash, what + ": " + range.name + " at the end");
    }
    CHECK(!cursor.forward());
    cursor.go_to(0);
    CHECK(same(cursor, start), what + ": at the beginning");
    CHECK(!cursor.back());
}

} // namespace gradus::test
