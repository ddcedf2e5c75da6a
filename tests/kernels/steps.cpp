// What a recorded block did, undone and done again.

#include "engine/simt/child.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_run.hpp"
#include "tests/kernels/problems.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cstring>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

using Bytes = std::vector<std::byte>;

struct Ran {
    LaunchAnswer answer;
    Bytes memory;
};

/// The rung's first so many launches.
Ran run_first(const PreparedRun& prepared, const std::string& library, std::size_t launches, const LaunchRequest::Watched& watched) {
    LaunchRequest request;
    request.library = library;
    request.buffers = prepared.request_buffers();
    request.steps = prepared.launches(prepared.kernels());
    request.steps.resize(launches);
    request.watched = watched;
    Arena arena(request.bytes(), prepared.bytes);
    prepared.fill(arena.memory());
    const ChildEnd end = run_child(arena, std::chrono::seconds(60));
    if (!end.done) throw Error("the kernel " + end.why);
    return {LaunchAnswer::read(arena.answer()), Bytes(arena.memory(), arena.memory() + prepared.bytes)};
}

/// Buffers, and from an address of its own on the block's shared memory.
class Memory {
public:
    Memory(const LaunchAnswer& answer, const Bytes& buffers)
        : base_(answer.base), shared_(answer.shared_begin), buffers_(buffers), shared_bytes_(most_shared), known_(most_shared) {}

    /// Lanes in their order, or from the last to the first. Values before and after, and whether what stood there was known and is that.
    bool go(const StepRecord& record, const StepRecord::Step& step, bool forwards) {
        bool same = true;
        const auto lanes = static_cast<std::uint64_t>(std::popcount(step.mask));
        for (std::uint64_t i = 0; i < lanes && touches_memory(step.op); ++i) {
            const std::uint64_t lane = step.first + (forwards ? i : lanes - 1 - i);
            const std::size_t bytes = std::min<std::size_t>(step.bytes, sizeof(Word));
            std::byte* at = place(record.addresses[lane], bytes);
            if (!at) continue; // a lane's stack
            const Word &from = forwards ? record.before[lane] : record.after[lane], &to = forwards ? record.after[lane] : record.before[lane];
            if (is_known(at, bytes)) same &= std::memcmp(at, &from, bytes) == 0;
            std::memcpy(at, &to, bytes);
        }
        return same;
    }
    const Bytes& buffers() const { return buffers_; }
    static bool holds(const LaunchAnswer& answer, std::uint64_t address) {
        return address - answer.base < most_buffers || address - answer.shared_begin < most_shared;
    }

private:
    static constexpr std::size_t most_shared = 512 << 10, most_buffers = std::size_t{1} << 40;
    std::byte* place(std::uint64_t address, std::size_t bytes) {
        if (address - base_ <= buffers_.size() - bytes) return buffers_.data() + (address - base_);
        if (address - shared_ <= most_shared - bytes) return shared_bytes_.data() + (address - shared_);
        return nullptr;
    }
    /// Of shared memory what was touched before.
    bool is_known(const std::byte* at, std::size_t bytes) {
        if (at >= buffers_.data() && at < buffers_.data() + buffers_.size()) return true;
        const auto first = static_cast<std::size_t>(at - shared_bytes_.data());
        bool all = true;
        for (std::size_t i = first; i < first + bytes; ++i) all &= known_[i], known_[i] = true;
        return all;
    }
    std::uint64_t base_, shared_;
    Bytes buffers_, shared_bytes_;
    std::vector<bool> known_;
};

/// Small, but with more than one row and column of everything.
Problem small_problem(const Ladder& ladder) {
    Problem least;
    std::int64_t fewest = 0;
    for (const Problem& problem : problems_of(ladder)) {
        std::int64_t elements = 0;
        for (const KernelBuffer& buffer : ladder.buffers(problem)) elements += buffer.count();
        if (elements >= 200 && (!fewest || elements < fewest)) fewest = elements, least = problem;
    }
    return least;
}

/// The same steps at the same addresses, and the same values in buffers and shared memory. What lies on a lane's stack may be an address,
/// which the system deals out anew each time.
void check_same(const LaunchAnswer& one, const LaunchAnswer& other) {
    const StepRecord &a = *one.record, &b = *other.record;
    CHECK(a.steps == b.steps && a.addresses == b.addresses, "two runs differ in their steps");
    CHECK_EQUAL(one.shared_begin, other.shared_begin);
    bool same = a.before.size() == b.before.size() && a.after.size() == b.after.size();
    for (std::size_t i = 0; same && i < a.addresses.size(); ++i)
        if (Memory::holds(one, a.addresses[i])) same &= a.before[i] == b.before[i] && a.after[i] == b.after[i];
    CHECK(same, "two runs differ in their values");
}

/// How many steps it had.
std::size_t check_block(const PreparedRun& prepared, const std::string& library, std::size_t launch, std::uint32_t block, const Bytes& before) {
    const Row named(fmt::format("launch {}, block {}", launch, block));
    const LaunchRequest::Watched watched{.step = static_cast<std::int32_t>(launch), .block = block, .alone = true};
    const Ran ran = run_first(prepared, library, launch + 1, watched), again = run_first(prepared, library, launch + 1, watched);
    REQUIRE(ran.answer.whole && ran.answer.record && again.answer.record);
    const StepRecord& record = *ran.answer.record;
    REQUIRE(!record.cut);
    check_same(ran.answer, again.answer);
    Memory memory(ran.answer, before);
    bool same = true;
    for (const StepRecord::Step& step : record.steps) same &= memory.go(record, step, true);
    CHECK(same, "a step finds something else than the one before it left");
    CHECK(memory.buffers() == ran.memory, "done again: the memory is another");
    same = true;
    for (auto step = record.steps.rbegin(); step != record.steps.rend(); ++step) same &= memory.go(record, *step, false);
    CHECK(same, "a step does not find what it left");
    CHECK(memory.buffers() == before, "undone: the memory is another");
    return record.steps.size();
}

} // namespace

/// Every rung of every ladder, each launch's first and last block: all its steps done from the memory before give the memory after, all
/// undone give the one before, to the byte; and two runs record the same.
SLOW_TEST(all_steps_are_undone_and_done_again) {
    for (const Ladder& ladder : all_ladders()) {
        const Problem problem = small_problem(ladder);
        for (const Rung& rung : ladder.rungs) {
            const Row named(ladder.id + "/" + rung.id);
            try {
                const PreparedRun prepared(ladder, rung, problem, rung.blocks.front(), 1);
                const std::string file = file_of(ladder, rung);
                const std::string library = compile_kernel({file, prepared.kernels(), file.substr(0, file.rfind('/'))}, KernelBuild::hooked);
                Bytes before;
                std::size_t steps = 0;
                for (std::size_t launch = 0; launch < prepared.plan.steps.size(); ++launch) {
                    before = run_first(prepared, library, launch, {}).memory;
                    const auto last = static_cast<std::uint32_t>(prepared.plan.steps[launch].grid.count() - 1);
                    steps += check_block(prepared, library, launch, 0, before);
                    if (last) steps += check_block(prepared, library, launch, last, before);
                }
                CHECK(steps > 0);
            } catch (const Error& error) {
                CHECK(false, error.what());
            } catch (const Ended&) {
            }
        }
    }
}
