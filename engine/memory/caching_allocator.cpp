#include "engine/memory/caching_allocator.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace gradus {

using Kind = AllocatorEvent::Kind;

struct CachingAllocator::Segment {
    std::int32_t number = 0;
    SegmentKind kind = SegmentKind::small;
    StreamIndex stream = 0;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::size_t handed_out = 0; // from the start on, some block had these bytes once
    Block* first = nullptr;
};

struct CachingAllocator::Block {
    Segment* segment = nullptr;
    std::size_t offset = 0, bytes = 0, requested = 0;
    Block *previous = nullptr, *next = nullptr; // in the segment
    BlockState::Kind kind = BlockState::Kind::free;
    AllocationUse use;
    std::vector<StreamIndex> other_streams;
    int awaited = 0; // marks of other streams
    std::uint64_t seen_in = 0; // the last recording that knows of it
};

namespace {

constexpr std::size_t most_bytes = SIZE_MAX / 4; // rounding up beyond it would wrap

std::int64_t as_signed(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

} // namespace

bool CachingAllocator::SmallestFirst::operator()(const Block* a, const Block* b) const {
    const auto key = [](const Block* block) {
        return std::tuple(block->segment->stream, block->bytes, block->segment->number, block->offset);
    };
    return key(a) < key(b);
}

CachingAllocator::CachingAllocator(std::shared_ptr<SegmentSource> source, AllocatorRules rules)
    : source_(std::move(source)), rules_(rules) {}

CachingAllocator::~CachingAllocator() {
    for (const auto& [number, segment] : segments_) {
        for (Block* block = segment->first; block;) delete std::exchange(block, block->next);
        source_->give_back(segment->data, segment->bytes);
    }
}

CachingAllocator::Allocation CachingAllocator::allocate(std::size_t bytes, StreamIndex stream, std::int32_t output) {
    const std::lock_guard lock(mutex_);
    if (bytes > most_bytes) refuse(bytes, bytes);
    free_what_streams_passed();
    const std::size_t size = rules_.block(bytes);
    Block* block = smallest_free(rules_.kind_of(size), stream, size);
    if (!block) block = in_new_segment(stream, size);
    if (!block) {
        release_free_segments();
        block = smallest_free(rules_.kind_of(size), stream, size); // another stream may have been the last to hold it
        if (!block) block = in_new_segment(stream, size);
    }
    if (!block) refuse(bytes, rules_.segment(size));
    Segment& segment = *block->segment;
    remember(*block);
    free_blocks(segment.kind).erase(block);
    if (rules_.splits(segment.kind, block->bytes - size)) split(block, size);
    block->kind = BlockState::Kind::allocated;
    block->requested = bytes;
    block->use = {ordinal_, output};
    ++statistics_.allocations;
    statistics_.requested.add(as_signed(bytes));
    statistics_.allocated.add(as_signed(block->bytes));
    statistics_.active.add(as_signed(block->bytes));
    note(Kind::block_allocated, *block);
    const std::size_t capacity = block->bytes - rules_.guard;
    const std::size_t before = std::min(std::max(segment.handed_out, block->offset) - block->offset, capacity);
    segment.handed_out = std::max(segment.handed_out, block->offset + block->bytes);
    return {block, segment.data + block->offset, capacity, before};
}

CachingAllocator::Block* CachingAllocator::smallest_free(SegmentKind kind, StreamIndex stream, std::size_t bytes) {
    Segment sought_segment; // comes before every real one of this size
    sought_segment.number = -1;
    sought_segment.stream = stream;
    Block sought;
    sought.segment = &sought_segment;
    sought.bytes = bytes;
    const FreeBlocks& blocks = free_blocks(kind);
    const auto at = blocks.lower_bound(&sought);
    return at != blocks.end() && (*at)->segment->stream == stream ? *at : nullptr;
}

CachingAllocator::Block* CachingAllocator::in_new_segment(StreamIndex stream, std::size_t bytes) {
    const std::size_t size = rules_.segment(bytes);
    void* const data = source_->take(size);
    if (!data) return nullptr;
    auto segment = std::make_unique<Segment>();
    segment->number = next_segment_++;
    segment->kind = rules_.kind_of(bytes);
    segment->stream = stream;
    segment->data = static_cast<std::byte*>(data);
    segment->bytes = size;
    Block* const block = segment->first = new_block();
    block->segment = segment.get();
    block->bytes = size;
    block->seen_in = recording_number_; // an event tells of it
    free_blocks(segment->kind).insert(block);
    statistics_.reserved.add(as_signed(size));
    note(Kind::segment_requested, *block);
    segments_.emplace(segment->number, std::move(segment));
    return block;
}

/// Cuts what is beyond `bytes` off a block that nobody holds and puts it among the free ones.
void CachingAllocator::split(Block* block, std::size_t bytes) {
    Block* const rest = new_block();
    rest->segment = block->segment;
    rest->offset = block->offset + bytes;
    rest->bytes = block->bytes - bytes;
    rest->previous = block;
    rest->next = block->next;
    rest->seen_in = recording_number_;
    if (rest->next) rest->next->previous = rest;
    block->next = rest;
    block->bytes = bytes;
    free_blocks(rest->segment->kind).insert(rest);
    note(Kind::block_split, *block);
}

void CachingAllocator::free(Block* block) {
    const std::lock_guard lock(mutex_);
    remember(*block);
    ++statistics_.frees;
    statistics_.requested.remove(as_signed(block->requested));
    statistics_.allocated.remove(as_signed(block->bytes));
    if (block->other_streams.empty()) {
        make_free(block);
        return;
    }
    block->kind = BlockState::Kind::awaiting;
    note(Kind::free_requested, *block);
    for (const StreamIndex stream : block->other_streams) {
        waiting_.push_back({block, stream, source_->mark(stream)});
        ++block->awaited;
    }
    block->other_streams.clear();
}

void CachingAllocator::make_free(Block* block) {
    remember(*block);
    statistics_.active.remove(as_signed(block->bytes));
    note(Kind::block_freed, *block);
    block->kind = BlockState::Kind::free;
    block->requested = 0;
    block->use = {};
    FreeBlocks& blocks = free_blocks(block->segment->kind);
    const auto is_free = [](const Block* neighbour) { return neighbour && neighbour->kind == BlockState::Kind::free; };
    if (is_free(block->next)) {
        blocks.erase(block->next);
        block = coalesced(block);
    }
    if (is_free(block->previous)) {
        blocks.erase(block->previous);
        block = coalesced(block->previous);
    }
    blocks.insert(block);
}

/// Joins a block with the one behind it; both are free and in no list.
CachingAllocator::Block* CachingAllocator::coalesced(Block* first) {
    Block* const second = first->next;
    remember(*first);
    remember(*second);
    first->bytes += second->bytes;
    first->next = second->next;
    if (first->next) first->next->previous = first;
    discard(second);
    note(Kind::blocks_coalesced, *first);
    return first;
}

void CachingAllocator::use_on_stream(Block* block, StreamIndex stream) {
    const std::lock_guard lock(mutex_);
    auto& others = block->other_streams;
    if (stream == block->segment->stream || std::find(others.begin(), others.end(), stream) != others.end()) return;
    others.push_back(stream);
    remember(*block);
    AllocatorEvent event{Kind::stream_joined, block->segment->kind, stream, block->segment->number};
    event.offset = as_signed(block->offset);
    event.bytes = as_signed(block->bytes);
    event.requested = as_signed(block->requested);
    note(event);
}

void CachingAllocator::free_what_streams_passed() {
    if (waiting_.empty()) return;
    std::vector<Block*> passed;
    std::erase_if(waiting_, [&](const Waiting& waiting) {
        const bool done = source_->has_passed(waiting.stream, waiting.mark);
        if (done && --waiting.block->awaited == 0) passed.push_back(waiting.block);
        return done;
    });
    for (Block* const block : passed) make_free(block);
}

void CachingAllocator::release_free_segments() {
    for (const Waiting& waiting : waiting_) source_->wait_for(waiting.stream, waiting.mark);
    free_what_streams_passed();
    std::erase_if(segments_, [&](const auto& entry) {
        Segment& segment = *entry.second;
        Block* const block = segment.first;
        if (block->next || block->kind != BlockState::Kind::free) return false;
        remember(*block);
        free_blocks(segment.kind).erase(block);
        statistics_.reserved.remove(as_signed(segment.bytes));
        note(Kind::segment_released, *block);
        discard(block);
        source_->give_back(segment.data, segment.bytes);
        return true;
    });
}

void CachingAllocator::empty_cache() {
    const std::lock_guard lock(mutex_);
    release_free_segments();
}

void CachingAllocator::refuse(std::size_t bytes, std::size_t segment) {
    ++statistics_.out_of_memory;
    AllocatorEvent event{Kind::out_of_memory};
    event.bytes = as_signed(std::min(segment, most_bytes));
    event.requested = as_signed(std::min(bytes, most_bytes));
    note(event);
    const Fragmentation holes = fragmentation_of(state_now());
    throw OutOfMemory(fmt::format("out of memory: {} bytes were asked for; {} of the {} reserved bytes are free, the largest hole "
                                  "has {}, and there is no new segment of {} bytes",
                                  bytes, holes.free_bytes, statistics_.reserved.now, holes.largest_hole, segment));
}

CachingAllocator::Block* CachingAllocator::new_block() {
    if (spare_.empty()) return new Block;
    Block* const block = spare_.back().release();
    spare_.pop_back();
    return block;
}

void CachingAllocator::discard(Block* block) {
    *block = Block{};
    spare_.emplace_back(block);
}

AllocatorStatistics CachingAllocator::statistics() const {
    const std::lock_guard lock(mutex_);
    return statistics_;
}

void CachingAllocator::reset_peaks() {
    const std::lock_guard lock(mutex_);
    for (MemoryCount* count : {&statistics_.requested, &statistics_.allocated, &statistics_.active, &statistics_.reserved})
        count->peak = count->now;
    note(AllocatorEvent{Kind::peaks_reset});
}

AllocatorState CachingAllocator::state() const {
    const std::lock_guard lock(mutex_);
    return state_now();
}

AllocatorState CachingAllocator::state_now() const {
    AllocatorState out;
    out.statistics = statistics_;
    for (const auto& [number, segment] : segments_) {
        out.segments.push_back(described(*segment));
        for (const Block* block = segment->first; block; block = block->next) out.segments.back().blocks.push_back(described(*block));
    }
    return out;
}

SegmentState CachingAllocator::described(const Segment& segment) {
    return {segment.number, segment.kind, segment.stream, as_signed(segment.bytes), {}};
}

BlockState CachingAllocator::described(const Block& block) {
    return {as_signed(block.offset), as_signed(block.bytes), as_signed(block.requested), block.kind, block.use};
}

void CachingAllocator::start_recording() {
    const std::lock_guard lock(mutex_);
    recording_ = true;
    ++recording_number_;
    ordinal_ = -1;
    seen_.clear();
    record_ = {};
    record_.before.statistics = statistics_;
}

AllocatorRecord CachingAllocator::stop_recording() {
    const std::lock_guard lock(mutex_);
    recording_ = false;
    ordinal_ = -1;
    for (auto& [number, segment] : seen_) {
        std::sort(segment.blocks.begin(), segment.blocks.end(),
                  [](const BlockState& a, const BlockState& b) { return a.offset < b.offset; });
        record_.before.segments.push_back(std::move(segment));
    }
    seen_.clear();
    return std::exchange(record_, {});
}

/// To be called before a block changes: the first time in a recording, it is written down as it is.
void CachingAllocator::remember(Block& block) {
    if (!recording_ || block.seen_in == recording_number_) return;
    block.seen_in = recording_number_;
    seen_.try_emplace(block.segment->number, described(*block.segment)).first->second.blocks.push_back(described(block));
}

void CachingAllocator::set_ordinal(std::int32_t ordinal) {
    const std::lock_guard lock(mutex_);
    ordinal_ = ordinal;
}

void CachingAllocator::note(Kind kind, const Block& block) {
    if (!recording_) return;
    AllocatorEvent event{kind, block.segment->kind, block.segment->stream, block.segment->number};
    event.offset = as_signed(block.offset);
    event.bytes = as_signed(block.bytes);
    event.requested = as_signed(block.requested);
    event.use = {ordinal_, kind == Kind::block_allocated ? block.use.output : -1};
    record_.events.push_back(event);
}

void CachingAllocator::note(const AllocatorEvent& event) {
    if (!recording_) return;
    record_.events.push_back(event);
    record_.events.back().use.ordinal = ordinal_;
}

} // namespace gradus
