#include "engine/simt/runtime/step_recorder.hpp"

#include <algorithm>
#include <bit>

namespace gradus::simt {

void StepRecorder::step(const WarpStep& step) {
    if (!(warps_ >> step.warp & 1) || record_.cut) return;
    if (record_.addresses.size() + warp_size > most_) {
        record_.cut = true;
        return;
    }
    record_.steps.push_back({step.site, step.mask, step.block, record_.addresses.size(), step.bytes, static_cast<std::uint16_t>(step.warp), step.op});
    if (!touches_memory(step.op)) return;
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        Late& late = late_[step.warp * warp_size + lane];
        late.at[late.count++ % kept] = record_.addresses.size();
        record_.addresses.push_back(step.addresses[lane]);
        record_.before.push_back(step.before ? step.before[lane] : Word{});
        record_.after.push_back(step.after ? step.after[lane] : Word{});
    }
}

void StepRecorder::late_before(ThreadName thread, Word value) {
    if (!(warps_ >> thread.rank / warp_size & 1) || record_.cut) return;
    const Late& late = late_[thread.rank];
    if (!late.count) return;
    const std::uint64_t at = late.at[(late.count - 1) % kept];
    record_.before[at] = record_.after[at] = value;
}

void StepRecorder::late_after(ThreadName thread, Word value, std::size_t back) {
    if (!(warps_ >> thread.rank / warp_size & 1) || record_.cut) return;
    const Late& late = late_[thread.rank];
    if (back < std::min(late.count, kept)) record_.after[late.at[(late.count - 1 - back) % kept]] = value;
}

void StepRecord::write(BlobWriter& to) const {
    to.put_all(steps);
    to.put_all(addresses);
    to.put_all(before);
    to.put_all(after);
    to.put(cut);
}

StepRecord StepRecord::read(BlobReader& from) {
    StepRecord record;
    record.steps = from.get_all<Step>();
    record.addresses = from.get_all<std::uint64_t>();
    record.before = from.get_all<Word>();
    record.after = from.get_all<Word>();
    record.cut = from.get<bool>();
    const std::uint64_t lanes = record.addresses.size();
    if (record.before.size() != lanes || record.after.size() != lanes) throw FileError("the interpreter's answer is damaged");
    for (const Step& step : record.steps)
        if (touches_memory(step.op) && (step.first > lanes || static_cast<std::uint64_t>(std::popcount(step.mask)) > lanes - step.first))
            throw FileError("the interpreter's answer is damaged");
    return record;
}

} // namespace gradus::simt
