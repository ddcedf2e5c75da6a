#include "engine/simt/runtime/locals_recorder.hpp"

#include "engine/trace/kernel/local_variable.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <immintrin.h>

namespace gradus::simt {

namespace {

/// Which halves of words, sixteen at most, differ from what was seen there, as Words::Run has them. They are seen now.
std::uint32_t difference(std::uint64_t below, std::uint64_t* seen, std::uint32_t count) {
    const auto* now = reinterpret_cast<const std::uint64_t*>(below);
    std::uint32_t differ = 0;
    for (std::uint32_t at = 0; at < count; ++at) {
        const std::uint64_t differs = now[at] ^ seen[at];
        if (!differs) continue;
        differ |= (std::uint32_t{(differs & 0xffffffff) != 0} | std::uint32_t{(differs >> 32) != 0} << 1) << 2 * at;
        seen[at] = now[at];
    }
    return differ;
}

/// Of the first so many of eight words; of all, where there are more.
[[gnu::target("avx512f")]] inline std::uint32_t difference_in_eight(const std::uint64_t* now, std::uint64_t* seen, std::uint32_t count) {
    const auto words = static_cast<__mmask8>((1u << count) - 1);
    const __m512i here = _mm512_maskz_loadu_epi64(words, now);
    const std::uint32_t differ = _mm512_cmpneq_epi32_mask(here, _mm512_maskz_loadu_epi64(words, seen));
    if (differ) _mm512_mask_storeu_epi64(seen, words, here);
    return differ;
}

[[gnu::target("avx512f")]] inline std::uint32_t difference_avx512(std::uint64_t below, std::uint64_t* seen, std::uint32_t count) {
    const auto* now = reinterpret_cast<const std::uint64_t*>(below);
    const std::uint32_t low = difference_in_eight(now, seen, count);
    return count <= 8 ? low : low | difference_in_eight(now + 8, seen + 8, count - 8) << 16;
}

} // namespace

LocalsRecorder::LocalsRecorder(const MemoryMap& memory, const std::vector<FrameLayout>& layouts, std::uint64_t to_text,
                               std::uint32_t warps, std::uint64_t most_bytes)
    : memory_(memory), layouts_(layouts), warps_(warps), most_bytes_(most_bytes), wide_(__builtin_cpu_supports("avx512f")) {
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

void LocalsRecorder::block_begins() {
    ++block_;
    for (Thread& thread : threads_) thread.words.clear(), thread.seen_as = nullptr, thread.changes.clear(), thread.events = 0;
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
        std::vector<Words::Run> runs = runs_of(words);
        const std::uint32_t seen = runs.empty() ? 0 : runs.back().seen + runs.back().count;
        known = words_.insert(known, {std::move(words), std::move(runs), seen});
    }
    return *(at->second = &*known);
}

/// What lies a few words apart is looked at together: asking once more costs more.
std::vector<LocalsRecorder::Words::Run> LocalsRecorder::runs_of(const std::vector<Word>& words) {
    constexpr std::uint32_t near = 4;
    std::vector<Words::Run> runs;
    for (std::size_t i = 0; i < words.size();) {
        std::size_t last = i;
        while (last + 1 < words.size() && words[last + 1].number - words[last].number <= near && words[last + 1].number - words[i].number < Words::most) ++last;
        Words::Run& run = runs.emplace_back();
        run.first = words[i].number, run.count = words[last].number - words[i].number + 1;
        if (runs.size() > 1) run.seen = (&run - 1)->seen + (&run - 1)->count;
        for (; i <= last; ++i) {
            const std::uint32_t at = run.first + run.count - 1 - words[i].number;
            run.words[at] = words[i];
            for (std::uint32_t half = 0; half < 2; ++half)
                if (words[i].mask >> half * 32 & 0xffffffff) run.halves |= 1u << (2 * at + half);
        }
    }
    return runs;
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

void LocalsRecorder::Changes::begin_piece(std::size_t least) {
    constexpr std::size_t usual = 16 << 10;
    if (!pieces_.empty()) pieces_.back().used = static_cast<std::size_t>(at_ - pieces_.back().bytes.get());
    const std::size_t bytes = std::max(least, usual);
    at_ = pieces_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).bytes.get(), end_ = at_ + bytes;
}

void LocalsRecorder::Changes::append_to(std::vector<std::byte>& all) {
    if (!pieces_.empty()) pieces_.back().used = static_cast<std::size_t>(at_ - pieces_.back().bytes.get());
    for (const Piece& piece : pieces_) all.insert(all.end(), piece.bytes.get(), piece.bytes.get() + piece.used);
}

/// Takes down which of these halves have changed since their lane kept them: how many words have.
inline std::uint64_t LocalsRecorder::look_at(Thread& lane, const Words::Run& run, std::uint64_t below, std::uint32_t halves, std::byte*& to) const {
    std::uint64_t changes = 0;
    while (halves) {
        const auto at = static_cast<std::uint32_t>(31 - std::countl_zero(halves)) / 2; // the lowest number first
        halves &= ~(3u << 2 * at);
        const Word& word = run.words[at];
        std::uint64_t value;
        std::memcpy(&value, reinterpret_cast<const void*>(below + at * sizeof value), sizeof value);
        if (word.pointer) value = everywhere_the_same(value);
        std::uint64_t& kept = lane.words[word.number];
        value = (value & word.mask) | (kept & ~word.mask);
        const std::uint64_t differs = value ^ kept;
        if (!differs) continue;
        kept = value;
        const bool low = (differs & 0xffffffff) != 0, high = (differs >> 32) != 0;
        to = put_number(to, std::uint64_t{word.number} << 2 | unsigned{low} | unsigned{high} << 1);
        if (!low) value >>= 32;
        std::memcpy(to, &value, sizeof value); // what is too much is written over
        to += low && high ? 8 : 4;
        ++changes;
    }
    return changes;
}

template <class Difference>
[[gnu::always_inline]] inline void LocalsRecorder::come_to(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames, const Difference& difference) {
    if (frames.empty() || !(warps_ >> thread.rank / warp_size & 1)) return;
    if (bytes_ > most_bytes_) [[unlikely]] {
        ++record_.log.missed;
        return;
    }
    Thread& lane = threads_[thread.rank];
    Recent& recent = recent_[site.bits % recent_.size()];
    if (!recent.words || recent.site != site.bits) [[unlikely]] recent = {site.bits, &words_at(site, paths.calls(site.path()), frames)};
    const Words& words = *recent.words;
    const std::uint64_t top = frames[0] + 16 + frame_above;
    const bool seen = lane.seen_as == &words && lane.seen_below == top;
    if (!seen) [[unlikely]] {
        lane.seen_as = &words, lane.seen_below = top;
        lane.seen.resize(words.seen);
        if (!words.all.empty() && words.all.back().number >= lane.words.size()) lane.words.resize(words.all.back().number + 1, unset_word);
    }
    std::byte* const begin = lane.changes.room((words.all.size() + 1) * (most_number_bytes + sizeof(std::uint64_t)));
    std::byte* to = begin + 1; // before it how many there are, in one byte but for very many
    std::uint64_t changes = 0;
    for (const Words::Run& run : words.runs) {
        const std::uint64_t below = top - (std::uint64_t{run.first} + run.count) * 8;
        std::uint32_t differ = difference(below, lane.seen.data() + run.seen, run.count) & run.halves;
        if (!seen) differ = run.halves;
        if (differ) changes += look_at(lane, run, below, differ, to);
    }
    if (changes < 0x80) *begin = static_cast<std::byte>(changes);
    else {
        std::array<std::byte, most_number_bytes> count;
        const auto more = static_cast<std::size_t>(put_number(count.data(), changes) - count.data()) - 1;
        std::memmove(begin + 1 + more, begin + 1, static_cast<std::size_t>(to - begin) - 1);
        std::memcpy(begin, count.data(), more + 1);
        to += more;
    }
    lane.changes.end_at(to);
    bytes_ += static_cast<std::uint64_t>(to - begin);
    ++lane.events;
}

[[gnu::target("avx512f")]] void LocalsRecorder::come_to_wide(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames) {
    come_to(thread, site, paths, frames, difference_avx512);
}

void LocalsRecorder::comes_to(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames) {
    if (wide_) come_to_wide(thread, site, paths, frames);
    else come_to(thread, site, paths, frames, difference);
}

void LocalsRecorder::block_ends() {
    if (record_.log.changes.empty()) record_.log.changes.reserve(bytes_); // most often there is one block only
    for (std::uint32_t rank = 0; rank < threads_.size(); ++rank) {
        Thread& thread = threads_[rank];
        if (!thread.events) continue;
        record_.log.threads.push_back({block_, rank, record_.log.changes.size(), thread.events});
        thread.changes.append_to(record_.log.changes);
        thread.changes.clear();
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
