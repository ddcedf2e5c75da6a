// An observed iteration says what the allocator of its tensors did: each event belongs to an op, each block to a tensor, and the
// events played on the state before them give the state after.
#include "engine/ops/ops.hpp"
#include "engine/trace/derive/allocator_replay.hpp"
#include "engine/trace/tape_trace.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Traced {
    Tape tape{cpu(), std::make_shared<BufferPool>()};
    std::shared_ptr<Run> run;
    std::vector<ValueIndex> state;

    explicit Traced(std::size_t budget) {
        const ValueIndex x = tape.input("x", random_tensor({{32, "B"}, {40, "in"}}, DType::f32, 1), Role::data);
        const ValueIndex w = tape.input("W", random_tensor({{40, "in"}, {300, "out"}}, DType::f32, 2), Role::parameter, true);
        const auto made = [&](const Op& op, std::vector<ValueIndex> inputs, const char* name) {
            return tape.node(tape.apply(op, Phase::forward, "m", std::move(inputs), {name})).outputs[0];
        };
        const ValueIndex a = made(ops::tanh(), {made(ops::matmul(), {x, w}, "z")}, "a");
        const ValueIndex target = tape.input("t", random_tensor({{32, "B"}, {300, "out"}}, DType::f32, 3), Role::data);
        const ValueIndex loss = made(ops::mean_squared_error(), {a, target}, "loss");
        tape.backward(loss);
        tape.apply_onto(ops::sgd(), Phase::update, "m", {w, tape.value(w).gradient}, {w}, {0.5});
        state = {w};
        RunBudget limits;
        limits.tensors = budget;
        run = std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr, limits);
    }

    template <class Each> void observe(StepIndex iterations, Each&& each, bool early = false) {
        RunWriter writer(run);
        TapeTrace trace(tape, state);
        if (early) trace.let_go_early();
        trace.begin(writer, true);
        for (StepIndex i = 0; i < iterations; ++i) {
            writer.begin_iteration(i, true);
            trace.step_observed(writer, i);
            writer.end_iteration();
            each(i);
        }
    }
};

} // namespace

TEST(allocator_record_replayed_is_the_state_after) {
    Traced traced(std::size_t{1} << 30); // nothing is evicted, so that nothing happens after the last op
    CachingAllocator& allocator = traced.tape.pool().allocator();
    std::vector<std::size_t> sizes;
    traced.observe(40, [&](StepIndex i) {
        const Row row(std::to_string(i));
        const auto kept = traced.run->tensors_of(i);
        REQUIRE(kept && kept->memory);
        const AllocatorRecord& record = *kept->memory;
        check_state(record.before, false);
        const AllocatorState after = replayed(record.before, record.events), now = allocator.state();
        CHECK(after.statistics == now.statistics);
        for (const SegmentState& segment : after.segments)
            for (const BlockState& block : segment.blocks) {
                const auto& blocks = now.segments[static_cast<std::size_t>(segment.number)].blocks;
                CHECK(std::find(blocks.begin(), blocks.end(), block) != blocks.end());
            }
        sizes.push_back(record.bytes());
        int allocated = 0;
        for (const AllocatorEvent& event : record.events) {
            REQUIRE(event.use.ordinal >= 0);
            bool found = false;
            for (std::size_t s = 0; s < traced.run->sites().size(); ++s)
                found |= traced.run->sites()[s].ordinal == event.use.ordinal && traced.run->sites()[s].level == Level::op;
            CHECK(found);
            CHECK(event.kind != AllocatorEvent::Kind::segment_requested); // an op was timed while the system looked for memory
            if (event.kind != AllocatorEvent::Kind::block_allocated) continue;
            ++allocated;
            const RecordedTensor* tensor = kept->find(TensorId{{i, event.use.ordinal}, event.use.output});
            REQUIRE(tensor != nullptr);
            CHECK_EQUAL(event.requested, static_cast<std::int64_t>(tensor->tensor.bytes()));
        }
        // Every tensor that a Run keeps has a buffer of its own: nothing was written over.
        CHECK_EQUAL(allocated, static_cast<int>(traced.tape.nodes().size()));
        CHECK(kept->bytes > record.bytes());
    });
    // However much the Run holds by now, the record grows by no more than the segment that a block happens to lie in.
    CHECK(sizes.back() < sizes[1] + 2 * (sizeof(SegmentState) + sizeof(BlockState)), fmt::format("{} and {}", sizes[1], sizes.back()));
    CHECK(traced.run->tensors_of(-1) && !traced.run->tensors_of(-1)->memory);
}

TEST(allocator_record_goes_with_the_tensors_that_give_way) {
    Traced traced(std::size_t{600} << 10);
    traced.observe(12, [](StepIndex) {});
    int present = 0;
    for (StepIndex i = 0; i < 12; ++i)
        if (const auto kept = traced.run->tensors_of(i)) present += kept->memory != nullptr;
    CHECK(present > 0 && present < 12, std::to_string(present));
    const AllocatorStatistics now = traced.tape.pool().allocator().statistics();
    CHECK(now.allocated.now < now.allocated.added);
}

TEST(tensors_of_a_step_that_lets_go_early_stay_in_the_run) {
    Traced plain(std::size_t{1} << 30), early(std::size_t{1} << 30);
    plain.observe(3, [](StepIndex) {});
    early.observe(3, [](StepIndex) {}, true);
    for (StepIndex i = 0; i < 3; ++i) {
        const Row row(std::to_string(i));
        const auto kept = plain.run->tensors_of(i), other = early.run->tensors_of(i);
        REQUIRE(kept && other && kept->tensors.size() == other->tensors.size());
        for (std::size_t t = 0; t < kept->tensors.size(); ++t)
            CHECK(same_bits(kept->tensors[t].tensor, other->tensors[t].tensor), kept->tensors[t].name);
    }
    CHECK(!early.tape.value(early.tape.find("z")).storage);
}
