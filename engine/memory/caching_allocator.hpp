#pragma once

#include "engine/memory/allocator_state.hpp"

#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace gradus {

/// There is no memory for a request; what() says what was asked for and where the rest is.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(const std::string& sentence) : sentence_(std::make_shared<const std::string>(sentence)) {}
    const char* what() const noexcept override { return sentence_->c_str(); }

private:
    std::shared_ptr<const std::string> sentence_; // shared: a copy must not throw
};

/// Hands out blocks of segments that it keeps, so that the system is asked once and not for every tensor.
///
/// A request is rounded (AllocatorRules) and gets the smallest free block of its stream that is large enough, the rest cut off
/// where it is worth it; else a new segment; else, once other streams have been waited for and every wholly free segment has been
/// given back, either of the two again; else OutOfMemory. A freed block joins its free neighbours at once. A block that another stream uses is free only when that stream
/// has passed what was issued to it before.
///
/// Every decision is an AllocatorEvent for whoever records them. Thread-safe. Source of the rules: PyTorch,
/// c10/cuda/CUDACachingAllocator.cpp.
class CachingAllocator {
public:
    explicit CachingAllocator(std::shared_ptr<SegmentSource> source, AllocatorRules rules = {});
    ~CachingAllocator();
    CachingAllocator(const CachingAllocator&) = delete;
    CachingAllocator& operator=(const CachingAllocator&) = delete;

    struct Block; // of a segment; its address is the handle by which it is freed
    struct Allocation {
        Block* block = nullptr;
        void* data = nullptr;
        std::size_t bytes = 0;       ///< of the block, without its guard: at least what was asked for
        std::size_t used_before = 0; ///< of these, from the start on, some earlier block had; the rest has no pages yet
    };
    /// `output` of the event under way is what it is for. Throws OutOfMemory.
    Allocation allocate(std::size_t bytes, StreamIndex stream = 0, std::int32_t output = -1);
    void free(Block* block);
    /// Work that was issued to `stream` reads or writes the block, which belongs to another one.
    void use_on_stream(Block* block, StreamIndex stream);
    /// Waits for the other streams and gives every wholly free segment back.
    void empty_cache();

    AllocatorStatistics statistics() const;
    void reset_peaks();
    AllocatorState state() const;
    const AllocatorRules& rules() const { return rules_; }

    /// From now on every decision is recorded.
    void start_recording();
    /// What was decided since start_recording().
    AllocatorRecord stop_recording();
    /// What happens from now on belongs to the event of this ordinal (-1: to none).
    void set_ordinal(std::int32_t ordinal);

private:
    struct Segment;
    struct Waiting {
        Block* block;
        StreamIndex stream;
        StreamMark mark;
    };
    struct SmallestFirst {
        bool operator()(const Block* a, const Block* b) const;
    };
    using FreeBlocks = std::pmr::set<Block*, SmallestFirst>;

    Block* smallest_free(SegmentKind kind, StreamIndex stream, std::size_t bytes);
    Block* in_new_segment(StreamIndex stream, std::size_t bytes);
    void split(Block* block, std::size_t bytes);
    void make_free(Block* block);
    Block* coalesced(Block* first);
    void free_what_streams_passed();
    void release_free_segments();
    [[noreturn]] void refuse(std::size_t bytes, std::size_t segment);
    Block* new_block();
    void discard(Block* block);
    void remember(Block& block);
    void note(AllocatorEvent::Kind kind, const Block& block);
    void note(const AllocatorEvent& event);
    AllocatorState state_now() const;
    static SegmentState described(const Segment& segment);
    static BlockState described(const Block& block);
    FreeBlocks& free_blocks(SegmentKind kind) { return kind == SegmentKind::small ? free_small_ : free_large_; }

    const std::shared_ptr<SegmentSource> source_;
    const AllocatorRules rules_;
    mutable std::mutex mutex_; // protects all below
    std::pmr::unsynchronized_pool_resource nodes_;
    FreeBlocks free_small_{&nodes_}, free_large_{&nodes_};
    std::map<std::int32_t, std::unique_ptr<Segment>> segments_; // by number
    std::vector<std::unique_ptr<Block>> spare_;                 // for blocks to come
    std::vector<Waiting> waiting_;
    std::int32_t next_segment_ = 0;
    AllocatorStatistics statistics_;
    bool recording_ = false;
    std::uint64_t recording_number_ = 0;
    std::int32_t ordinal_ = -1;
    std::map<std::int32_t, SegmentState> seen_; // by number: what the recording has touched, as it was before
    AllocatorRecord record_;
};

} // namespace gradus
