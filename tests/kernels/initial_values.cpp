#include "engine/core/philox.hpp"
#include "engine/kernels/kernel_values.hpp"
#include "engine/simt/prepared_run.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {

using Fill = KernelBuffer::Fill;

std::vector<double> initial(const KernelBuffer& buffer, std::uint64_t seed) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(buffer.count()) * size_of(buffer.type));
    write_initial(buffer, seed, bytes.data());
    return load_values(buffer.type, bytes.data(), static_cast<std::size_t>(buffer.count()));
}

/// One element, from what its definition says.
double element(const KernelBuffer& buffer, const Philox& random, std::uint64_t i) {
    switch (buffer.fill) {
    case Fill::normal: return rounded(buffer.type, random.normal(i) * buffer.scale);
    case Fill::uniform: return rounded(buffer.type, random.uniform(i) * buffer.scale);
    case Fill::index: return random.below(i, static_cast<std::uint32_t>(buffer.scale));
    case Fill::zero:
    case Fill::garbage: break;
    }
    return 0;
}

} // namespace

/// However large a buffer is, by however many threads it is made, each element is what its index says.
TEST(buffers_are_filled_by_index_alone) {
    constexpr std::uint64_t stream_of_x = (14695981039346656037u ^ 'x') * 1099511628211u; // FNV-1a
    const Philox random(5, stream_of_x);
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::f64, ElementType::i8, ElementType::i32})
        for (const Fill fill : {Fill::normal, Fill::uniform, Fill::index, Fill::zero})
            for (const std::int64_t count : {std::int64_t{1}, std::int64_t{127}, std::int64_t{1023}, std::int64_t{65'537}, std::int64_t{400'003}}) {
                const KernelBuffer buffer{.name = "x", .type = type, .sizes = {count}, .fill = fill, .scale = fill == Fill::index ? 100.0 : 3.0};
                const Row named(fmt::format("{} {} of fill {}", count, name_of(type), static_cast<int>(fill)));
                const std::vector<double> made = initial(buffer, 5);
                std::int64_t wrong = 0;
                for (std::size_t i = 0; i < made.size(); ++i) wrong += !(made[i] == element(buffer, random, i));
                CHECK_EQUAL(wrong, 0);
            }
}

TEST(garbage_is_no_number) {
    for (const double value : initial({.name = "y", .sizes = {5000}, .fill = Fill::garbage}, 1)) CHECK(std::isnan(value));
    for (const double value : initial({.name = "y", .type = ElementType::i32, .sizes = {5000}, .fill = Fill::garbage}, 1)) CHECK_EQUAL(value, 2147483647.0);
}

/// What a run begins with is made once, whoever asks first.
TEST(a_prepared_run_and_its_copies_share_what_they_begin_with) {
    const Ladder& ladder = *std::find_if(all_ladders().begin(), all_ladders().end(), [](const Ladder& each) { return each.id == "matmul"; });
    const simt::PreparedRun run(ladder, ladder.rungs.front(), {{"M", 600}, {"N", 600}, {"K", 600}}, ladder.rungs.front().blocks.front(), 1), copy = run;
    std::vector<StorageRef> seen(8);
    {
        std::vector<std::jthread> threads;
        for (StorageRef& each : seen) threads.emplace_back([&] { each = (&each - seen.data()) % 2 ? run.initial(0) : copy.initial(0); });
    }
    for (const StorageRef& each : seen) CHECK(each && each == seen.front());
    CHECK(!run.initial(2)); // C, which is written only
    CHECK(!run.initial(3)); // which there is not
    std::vector<std::byte> memory(run.bytes);
    run.fill(memory.data());
    for (std::size_t i = 0; i < run.buffers.size(); ++i) {
        const auto numbers = load_values(run.buffers[i].type, memory.data() + run.offsets[i], static_cast<std::size_t>(run.buffers[i].count()));
        const std::vector<double> known = run.initial_numbers().at(run.buffers[i].name);
        bool same = numbers.size() == known.size();
        for (std::size_t k = 0; same && k < numbers.size(); ++k) same = numbers[k] == known[k] || (std::isnan(numbers[k]) && std::isnan(known[k]));
        CHECK(same, run.buffers[i].name);
    }
}
