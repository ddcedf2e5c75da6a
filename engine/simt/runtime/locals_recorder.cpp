#include "engine/simt/runtime/locals_recorder.hpp"

#include "engine/trace/kernel/local_variable.hpp"

#include <algorithm>
#include <cstring>

namespace gradus::simt {

LocalsRecorder::LocalsRecorder(const MemoryMap& memory, const std::vector<FrameLayout>& layouts, std::uint64_t to_text,
                               std::uint32_t warps, std::uint64_t most_bytes)
    : memory_(memory), layouts_(layouts), warps_(warps), most_bytes_(most_bytes) {
    for (FrameLayout& layout : layouts_) layout.begin -= to_text, layout.end -= to_text;
    std::sort(layouts_.begin(), layouts_.end(),
              [](const FrameLayout& a, const FrameLayout& b) { return a.begin < b.begin; });
}

/// Null: of a function of the shim's, or one without debug information.
const FrameLayout* LocalsRecorder::layout_of(std::uint32_t offset) const {
    const auto after =
        std::upper_bound(layouts_.begin(), layouts_.end(), std::uint64_t{offset},
                         [](std::uint64_t wanted, const FrameLayout& each) { return wanted < each.begin; });
    return after == layouts_.begin() || offset >= (after - 1)->end ? nullptr : &*(after - 1);
}

void LocalsRecorder::block_begins(std::uint32_t) {
    ++block_;
    for (Thread& thread : threads_) thread.words.clear(), thread.seen_as = nullptr, thread.changes.clear(), thread.events = 0, thread.cut = false;
}

/// What stands in its variables was left there by others, so that they get a pattern that is no sensible number. Arguments are there.
void LocalsRecorder::enters(ThreadName thread, std::uint32_t offset, std::uint64_t frame) {
    if (!(warps_ >> thread.rank / warp_size & 1)) return;
    const FrameLayout* layout = layout_of(offset - 1);
    if (!layout) return;
    for (const FrameLayout::Piece& piece : layout->pieces)
        if (!piece.argument)
            std::memset(reinterpret_cast<void*>(frame + 16 + static_cast<std::uint64_t>(std::int64_t{piece.at})),
                        static_cast<int>(unset_byte), piece.bytes);
}

const LocalsRecorder::Words& LocalsRecorder::words_at(Site site, std::span<const std::uint32_t> calls, std::span<const std::uint64_t> frames) {
    const auto [at, made] = by_site_.try_emplace(site.bits);
    if (!made) return *at->second;
    std::vector<Word> words;
    record_.frames.push_back({site.bits, {}});
    for (std::size_t depth = 0; depth < frames.size(); ++depth) {
        const auto begins = static_cast<std::int32_t>(static_cast<std::int64_t>(frames[depth] - frames[0]));
        record_.frames.back().at.push_back(begins);
        const FrameLayout* layout = layout_of((depth < calls.size() ? calls[depth] : site.offset()) - 1);
        if (!layout || depth > calls.size()) continue;
        for (const FrameLayout::Piece& piece : layout->pieces)
            for (std::int32_t byte = begins + piece.at;
                 byte < begins + piece.at + static_cast<std::int32_t>(piece.bytes); ++byte) {
                if (byte < -frame_below || byte >= frame_above) continue;
                const std::uint32_t number = frame_word(byte);
                if (words.empty() || words.back().number != number) words.push_back({number, false, 0});
                words.back().mask |= std::uint64_t{0xff} << (byte & 7) * 8;
                words.back().pointer |= piece.pointer != 0;
            }
    }
    std::sort(words.begin(), words.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (kept && words[kept - 1].number == words[i].number)
            words[kept - 1].mask |= words[i].mask, words[kept - 1].pointer |= words[i].pointer;
        else words[kept++] = words[i];
    }
    words.resize(kept);
    auto known = std::find_if(words_.begin(), words_.end(), [&](const Words& each) { return each.all == words; });
    if (known == words_.end()) {
        known = words_.insert(known, {std::move(words), {}});
        for (std::uint32_t i = 0; i < known->all.size(); ++i)
            if (i == 0 || known->all[i].number != known->all[i - 1].number + 1 || known->runs.back().count == Words::most) known->runs.push_back({i, 1});
            else ++known->runs.back().count;
    }
    return *(at->second = &*known);
}

/// An address, which differs from process to process, as a range's number and an offset; one past a range's end belongs to it.
std::uint64_t LocalsRecorder::everywhere_the_same(std::uint64_t pointer) const {
    if (pointer == 0 || pointer == unset_word) return pointer;
    const int exact = memory_.find(pointer, 1);
    for (std::size_t i = 0; i < memory_.ranges().size(); ++i)
        if (exact >= 0 ? static_cast<std::size_t>(exact) == i : pointer - memory_[i].begin == memory_[i].size)
            return (std::uint64_t{i} + 1) << pointer_shift | (pointer - memory_[i].begin);
    return pointer_elsewhere;
}

namespace {

/// Seven bits to a byte, the lowest first. Returns what comes behind.
std::byte* put_number(std::byte* to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<std::byte>(value | 0x80);
    *to++ = static_cast<std::byte>(value);
    return to;
}
constexpr std::size_t most_number_bytes = 10;

} // namespace

namespace {

/// Bits in which words differ, `count` times so many as are compared at once.
template <std::uint32_t together>
[[gnu::always_inline]] inline std::uint64_t difference(std::uint64_t address, const std::uint64_t* with, std::uint32_t count = 1) {
    std::uint64_t differs = 0;
    for (std::uint32_t first = 0; first < count; ++first)
        for (std::uint32_t i = first * together; i < (first + 1) * together; ++i) {
            std::uint64_t now;
            std::memcpy(&now, reinterpret_cast<const void*>(address + i * sizeof now), sizeof now);
            differs |= now ^ with[i];
        }
    return differs;
}

} // namespace

/// Takes down what has changed in a run of words, of which `below` is the lowest: how many have. `seen`: what stood there when they were
/// last looked at; null if they were not, as the same variables.
std::uint64_t LocalsRecorder::look_at(Thread& lane, const Words& words, const Words::Run& run, std::uint64_t below, const std::uint64_t* seen) {
    std::uint64_t changes = 0;
    for (std::uint32_t i = 0; i < run.count; ++i) {
        const Word& word = words.all[run.first + i];
        const std::uint32_t at = run.count - 1 - i;
        std::uint64_t value;
        std::memcpy(&value, reinterpret_cast<const void*>(below + at * sizeof value), sizeof value);
        if (seen && value == seen[at]) continue;
        if (word.pointer) value = everywhere_the_same(value);
        const std::uint64_t before = lane.words[word.number];
        value = (value & word.mask) | (before & ~word.mask);
        const std::uint64_t differs = value ^ before;
        if (!differs) continue;
        lane.words[word.number] = value;
        const unsigned halves = ((differs & 0xffffffff) != 0) | ((differs >> 32) != 0) << 1;
        std::array<std::byte, most_number_bytes + sizeof value> change;
        std::byte* end = put_number(change.data(), std::uint64_t{word.number} << 2 | halves);
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        end = std::copy(from + (halves & 1 ? 0 : 4), from + (halves & 2 ? 8 : 4), end);
        lane.changes.insert(lane.changes.end(), change.data(), end);
        ++changes;
    }
    return changes;
}

void LocalsRecorder::comes_to(ThreadName thread, Site site, std::span<const std::uint32_t> calls,
                              std::span<const std::uint64_t> frames) {
    if (frames.empty() || !(warps_ >> thread.rank / warp_size & 1)) return;
    Thread& lane = threads_[thread.rank];
    lane.cut |= bytes_ > most_bytes_;
    record_.log.missed += lane.cut;
    if (lane.cut) return;
    Recent& recent = recent_[site.bits % recent_.size()];
    if (!recent.words || recent.site != site.bits) recent = {site.bits, &words_at(site, calls, frames)};
    const Words& words = *recent.words;
    if (!words.all.empty() && words.all.back().number >= lane.words.size())
        lane.words.resize(words.all.back().number + 1, unset_word);
    const std::uint64_t top = frames[0] + 16 + frame_above;
    const bool seen = lane.seen_as == &words && lane.seen_below == top;
    lane.seen_as = &words, lane.seen_below = top;
    lane.seen.resize(words.all.size());
    const std::size_t size = lane.changes.size();
    lane.changes.emplace_back(); // how many there are, in one byte but for very many
    std::uint64_t changes = 0;
    for (const Words::Run& run : words.runs) {
        const std::uint64_t below = top - (std::uint64_t{words.all[run.first].number} + run.count) * 8;
        std::uint64_t* before = lane.seen.data() + run.first;
        const std::uint64_t differs = run.count == Words::most ? difference<Words::most>(below, before) : difference<1>(below, before, run.count);
        if (seen && !differs) continue;
        changes += look_at(lane, words, run, below, seen ? before : nullptr);
        std::memcpy(before, reinterpret_cast<const void*>(below), run.count * sizeof *before);
    }
    std::array<std::byte, most_number_bytes> count;
    std::byte* const end = put_number(count.data(), changes);
    lane.changes[size] = count[0];
    if (end > count.data() + 1) lane.changes.insert(lane.changes.begin() + static_cast<std::ptrdiff_t>(size) + 1, count.data() + 1, end);
    bytes_ += lane.changes.size() - size;
    ++lane.events;
}

void LocalsRecorder::block_ends() {
    for (std::uint32_t rank = 0; rank < threads_.size(); ++rank) {
        const Thread& thread = threads_[rank];
        if (!thread.events) continue;
        record_.log.threads.push_back({block_, rank, record_.log.changes.size(), thread.events});
        record_.log.changes.insert(record_.log.changes.end(), thread.changes.begin(), thread.changes.end());
    }
}

void LocalsRecord::write(BlobWriter& to) const {
    to.put_all(log.threads);
    to.put_all(log.changes);
    to.put(log.missed);
    to.put(std::uint64_t{frames.size()});
    for (const Frames& each : frames) {
        to.put(each.site);
        to.put_all(each.at);
    }
}

LocalsRecord LocalsRecord::read(BlobReader& from) {
    LocalsRecord out;
    out.log.threads = from.get_all<KernelLog::Locals::Thread>();
    out.log.changes = from.get_all<std::byte>();
    out.log.missed = from.get<std::int64_t>();
    for (std::uint64_t i = from.get_count(1 << 24); i > 0; --i) {
        Frames frames{from.get<std::uint32_t>(), {}};
        frames.at = from.get_all<std::int32_t>();
        out.frames.push_back(std::move(frames));
    }
    return out;
}

} // namespace gradus::simt
