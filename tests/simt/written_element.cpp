#include "engine/trace/derive/written_element.hpp"

#include "tests/simt/traced.hpp"

#include <bit>

using namespace gradus;
using namespace gradus::test;

namespace {

std::shared_ptr<const KernelTrace> trace_of(const std::string& name, const Problem& sizes, Dim3 block = {0, 0, 0}) {
    const simt::KernelRun run = recorded_whole(name, sizes, block);
    REQUIRE(run.trace != nullptr, run.end.why);
    return run.trace;
}

WrittenElement made(const KernelTrace& trace, const std::string& buffer, const std::vector<Dim>& index) {
    const auto out = written_element(trace, buffer, index);
    REQUIRE(out.has_value(), buffer);
    return *out;
}

float at_end(const std::shared_ptr<const KernelTrace>& trace, const std::string& buffer, std::size_t element) {
    KernelCursor cursor(trace);
    cursor.go_to(trace->steps());
    for (std::size_t i = 0; i < trace->ranges.size(); ++i)
        if (trace->ranges[i].name == buffer) {
            float value = 0;
            std::memcpy(&value, cursor.memory(i).data() + 4 * element, sizeof value);
            return value;
        }
    return std::nanf("");
}

using Index = std::vector<std::int64_t>;

} // namespace

TEST(a_score_comes_from_a_query_and_a_key_and_an_output_from_weights_and_values) {
    const auto trace = trace_of("attention/1_naive", {{"BH", 2}, {"T", 8}, {"D", 16}, {"causal", 1}}, {32, 8, 1});
    const WrittenElement score = made(*trace, "S", {1, 5, 2});
    REQUIRE(score.sources.size() == 2);
    CHECK(score.sources[0].name == "Q" && score.sources[0].first == Index({1, 5, 0}) && score.sources[0].last == Index({1, 5, 15}) && score.sources[0].elements == 16);
    CHECK(score.sources[1].name == "K" && score.sources[1].first == Index({1, 2, 0}) && score.sources[1].last == Index({1, 2, 15}));
    REQUIRE(score.products.size() == 16);
    CHECK(!score.is_sum); // it is scaled before it is written
    CHECK_EQUAL(0.25f * std::bit_cast<float>(score.products.back().result), at_end(trace, "S", (1 * 8 + 5) * 8 + 2));
    const WrittenElement weight = made(*trace, "P", {0, 6, 3});
    REQUIRE(weight.sources.size() == 1);
    CHECK(weight.sources[0].name == "S" && weight.sources[0].first == Index({0, 6, 0}) && weight.sources[0].last == Index({0, 6, 6})); // the keys that it sees
    CHECK(weight.products.empty());
    const WrittenElement output = made(*trace, "O", {0, 3, 9});
    REQUIRE(output.sources.size() == 2 && output.products.size() == 4);
    CHECK(output.sources[0].name == "P" && output.sources[1].name == "V" && output.sources[1].first == Index({0, 0, 9}) && output.sources[1].last == Index({0, 3, 9}));
    CHECK(output.is_sum);
    CHECK_EQUAL(std::bit_cast<float>(output.products.back().result), at_end(trace, "O", 3 * 16 + 9));
    CHECK_EQUAL(output.products.front().c, 0u);
    CHECK(!written_element(*trace, "S", Index{0, 2, 5})); // the mask hides it: nobody writes it
    CHECK(!written_element(*trace, "S", Index{0, 2, 8}) && !written_element(*trace, "S", Index{2, 5}) && !written_element(*trace, "nothing", Index{0}));
    CHECK(!written_element(*trace, "Q", Index{0, 0, 0})); // an input
}

TEST(a_thread_of_many_sums_is_asked_for_the_products_of_one) {
    const auto trace = trace_of("matmul/5_tile_2d", {{"M", 64}, {"N", 64}, {"K", 24}}, {16, 16, 1});
    for (const auto& index : {Index{0, 0}, Index{37, 50}, Index{63, 63}}) {
        const WrittenElement one = made(*trace, "C", index);
        CHECK(one.is_sum);
        CHECK_EQUAL(one.products.size(), std::size_t{24});
        double sum = 0;
        for (const KernelLog::Fma& fma : one.products) sum += static_cast<double>(std::bit_cast<float>(fma.a)) * static_cast<double>(std::bit_cast<float>(fma.b));
        CHECK(std::abs(sum - static_cast<double>(at_end(trace, "C", static_cast<std::size_t>(index[0] * 64 + index[1])))) < 1e-5);
        REQUIRE(one.sources.size() == 2);
        CHECK(one.sources[0].name == "a_tile" && one.sources[0].first.empty()); // of global memory it read what others needed, too
    }
}

TEST(a_thread_that_goes_on_read_for_the_last_element_only) {
    const auto trace = trace_of("vector_add/2_grid_stride", {{"n", 5000}});
    const WrittenElement sum = made(*trace, "c", {4999});
    REQUIRE(!sum.sources.empty());
    for (const WrittenElement::Source& source : sum.sources) CHECK(source.first == Index({4999}) && source.last == Index({4999}), source.name);
    const auto atomic = trace_of("histogram/1_global", {{"n", 4000}});
    for (const KernelTrace::Range& range : atomic->ranges)
        if (range.output) CHECK(!written_element(*atomic, range.name, Index{0}), range.name); // of many threads
}
