#include "engine/trace/derive/element_origin.hpp"

#include "engine/trace/tape_trace.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

/// Checks every element of every product and sum of an iteration; returns how many tensors that were.
int check_sums(const Run& run, StepIndex iteration) {
    int seen = 0;
    for (const RecordedTensor& recorded : run.tensors_of(iteration)->tensors) {
        if (recorded.id.event.iteration != iteration) continue;
        const EventSite* site = site_of(run, recorded.id);
        if (!site || (site->name != "matmul" && site->name != "sum_rows")) continue;
        ++seen;
        const Shape& shape = recorded.tensor.shape();
        for (Dim i = 0; i < recorded.tensor.elements(); ++i) {
            const std::vector<Dim> index = shape.rank() == 2 ? std::vector<Dim>{i / shape[1], i % shape[1]} : std::vector<Dim>{i};
            const auto sum = sum_behind(run, *site, iteration, index, everything);
            REQUIRE(sum.has_value() && sum->terms > 0, recorded.name);
            double total = 0, size = 0;
            for (const ElementTerm& term : sum->largest) {
                total += term.product();
                size += std::abs(term.product());
            }
            CHECK_EQUAL(static_cast<Dim>(sum->largest.size()), sum->terms);
            CHECK_ERROR(std::abs(total - recorded.tensor.at(i)), 1e-5 * size, recorded.name);
            for (std::size_t k = 1; k < sum->largest.size(); ++k)
                CHECK(std::abs(sum->largest[k - 1].product()) >= std::abs(sum->largest[k].product()));
        }
    }
    return seen;
}

} // namespace

TEST(every_product_is_the_sum_of_its_terms) {
    // Square layers too: there the shapes do not say which operand is transposed.
    for (const char* layers : {"2,5,3", "2,4,4,4,3"}) {
        Recording r({{"data", "blobs"}, {"layers", layers}, {"batch", "4"}});
        for (int i = 0; i < 3; ++i) r.iterate(true);
        r.edit("W1[1, 2] = 0.75"); // what a product reads after an edit is the edited state
        r.iterate(true);
        const int layer_count = layers == std::string("2,5,3") ? 2 : 4;
        for (const StepIndex i : {0, 2, 3}) // per layer z, ∂W, ∂b, and ∂a of all but the first
            CHECK_EQUAL(check_sums(*r.run, i), 4 * layer_count - 1);
    }
}

TEST(a_sum_names_its_operands_and_the_axis_it_goes_over) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    const auto tensors = r.run->tensors_of(0);
    const auto sum_of = [&](const char* name, std::vector<Dim> index) {
        const RecordedTensor* recorded = tensors->find(name);
        return sum_behind(*r.run, *site_of(*r.run, recorded->id), 0, index, 2);
    };
    const auto gradient = sum_of("dW2", {3, 1});
    REQUIRE(gradient.has_value());
    CHECK_EQUAL(gradient->left, std::string("a1"));
    CHECK_EQUAL(gradient->right, std::string("dz2"));
    CHECK_EQUAL(gradient->left_index, std::vector<Dim>({-1, 3}));
    CHECK_EQUAL(gradient->right_index, std::vector<Dim>({-1, 1}));
    CHECK_EQUAL(gradient->axis, std::string("B"));
    CHECK_EQUAL(gradient->largest.size(), std::size_t{2});
    const auto back = sum_of("da1", {2, 4});
    REQUIRE(back.has_value());
    CHECK_EQUAL(back->left, std::string("dz2"));
    CHECK_EQUAL(back->left_index, std::vector<Dim>({2, -1}));
    CHECK_EQUAL(back->right, std::string("W2"));
    CHECK_EQUAL(back->right_index, std::vector<Dim>({4, -1}));
    const auto bias = sum_of("db1", {2});
    REQUIRE(bias.has_value());
    CHECK(bias->right.empty() && bias->terms == 4);
    CHECK(!sum_of("a1", {0, 0}).has_value());  // no sum made it
    CHECK(!sum_of("dW2", {5, 0}).has_value()); // no element of it
    CHECK(!sum_of("dW2", {0}).has_value());
}

TEST(who_wrote_a_tensor_is_found_by_its_id) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    r.edit("b2[0] = 2");
    r.iterate(true);
    CHECK_EQUAL(site_of(*r.run, r.run->tensors_of(0)->tensors.front().id)->module, std::string("setup"));
    for (const RecordedTensor& recorded : r.run->tensors_of(1)->tensors) {
        const EventSite* site = site_of(*r.run, recorded.id);
        if (recorded.id.event.ordinal >= first_edit_ordinal) {
            CHECK(!site, recorded.name);
            continue;
        }
        REQUIRE(site != nullptr, recorded.name);
        CHECK_EQUAL(site->outputs[static_cast<std::size_t>(recorded.id.output)].name, recorded.name);
    }
    const std::shared_ptr<Run> parent = r.run;
    r.start(parent, 2); // a fork asks its parent for the setup
    CHECK_EQUAL(site_of(*r.run, {{-1, 0}, 0}), site_of(*parent, {{-1, 0}, 0}));
    CHECK(site_of(*r.run, {{-1, 0}, 0}) != nullptr);
    CHECK(site_of(*r.run, {{0, 9999}, 0}) == nullptr);
}
