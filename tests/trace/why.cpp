#include "engine/trace/derive/why.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/element_origin.hpp"
#include "engine/trace/tape_trace.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <algorithm>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Ops whose element is the sum of its parts.
bool is_sum(const EventSite& site, const Shape& shape) {
    for (const char* op : {"matmul", "sum_rows", "add_bias", "sgd", "momentum", "multiply", "softmax_cross_entropy_backward",
                           "binary_cross_entropy_backward", "mean_squared_error_backward"})
        if (site.name == op) return true;
    return shape.rank() == 0 && site.name.find("cross_entropy") != std::string::npos;
}

const WhyLink* link_to(const Why& why, std::string_view tensor) {
    for (const WhyLink& link : why.chain)
        if (link.tensor == tensor) return &link;
    return nullptr;
}

} // namespace

TEST(what_an_element_was_made_from_adds_up_to_it) {
    const struct { const char* name; Parameters parameters; int least; } nets[] = {
        {"softmax", {{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "6"}, {"dtype", "fp64"}}, 9},
        {"bce", {{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "0"}, {"loss", "bce"}, {"activation", "tanh"}, {"dtype", "fp64"}}, 9},
        {"mse", {{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "0"}, {"loss", "mse"}, {"optimizer", "momentum"}, {"dtype", "fp64"}}, 9},
    };
    for (const auto& net : nets) {
        const Row row(net.name);
        Recording r(net.parameters);
        for (int i = 0; i < 3; ++i) r.iterate(true);
        IterationSource source(*r.run, *r.run, 2);
        int tensors = 0;
        for (const RecordedTensor& recorded : source.tensors->tensors) {
            if (recorded.id.event.iteration != 2 || recorded.id.event.ordinal >= first_edit_ordinal) continue;
            const EventSite* site = site_of(*r.run, recorded.id);
            REQUIRE(site != nullptr);
            if (site->phase == Phase::data || recorded.role == Role::metric) continue;
            ++tensors;
            for (Dim flat = 0; flat < recorded.tensor.elements(); ++flat) {
                const auto all = contributions(source, *site, recorded.id.output, index_of(recorded.tensor.shape(), flat));
                if (!CHECK(!all.empty(), recorded.name + " of " + site->name)) break;
                if (!is_sum(*site, recorded.tensor.shape())) continue;
                double sum = 0, size = 0;
                for (const Contribution& one : all) {
                    sum += one.part;
                    size += std::abs(one.part);
                    Dim at = 0;
                    for (std::size_t axis = 0; axis < one.element.size(); ++axis)
                        at = at * one.from->tensor.shape()[static_cast<int>(axis)] + one.element[axis];
                    CHECK_EQUAL(one.value, one.from->tensor.at(at));
                }
                CHECK_ERROR(std::abs(sum - recorded.tensor.at(flat)), 1e-12 * std::max(1.0, size), recorded.name + " of " + site->name);
            }
        }
        CHECK(tensors >= net.least, fmt::format("{} tensors", tensors));
    }
}

TEST(a_loss_is_walked_back_to_the_example_that_cost_most) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "16"}, {"dtype", "fp64"}});
    for (int i = 0; i < 2; ++i) r.iterate(true);
    const auto tensors = r.run->tensors_of(1);
    const Tensor p = tensors->find("p")->tensor, y = tensors->find("y")->tensor;
    Dim worst = 0;
    for (Dim i = 1; i < 16; ++i)
        if (p.at(i, static_cast<Dim>(y.at(i))) < p.at(worst, static_cast<Dim>(y.at(worst)))) worst = i;
    const Why found = why(*r.run, *r.run, 1, "loss", {});
    CHECK(!found.broken && !found.origin && !found.first && !found.earlier);
    REQUIRE(found.chain.size() >= 4);
    CHECK_EQUAL(found.chain[0].tensor, std::string("loss"));
    CHECK_EQUAL(found.chain[1].tensor, std::string("p"));
    CHECK_EQUAL(found.chain[1].element, std::vector<Dim>({worst, static_cast<Dim>(y.at(worst))}));
    CHECK_EQUAL(found.chain[1].of, std::size_t{16});
    CHECK_EQUAL(found.chain[2].tensor, std::string("z2"));
    CHECK_EQUAL(found.chain[2].element[0], worst);
    for (std::size_t i = 1; i < found.chain.size(); ++i) { // the largest has at least an equal share
        CHECK(found.chain[i].share <= 1 && found.chain[i].share * static_cast<double>(found.chain[i].of) >= 1 - 1e-9);
        CHECK(found.chain[i].ordinal < found.chain[i - 1].ordinal || found.chain[i].tensor == "p");
    }
    CHECK(found.end == Why::End::began);
    const std::string last = found.chain.back().tensor;
    CHECK(last == "data" || last == "b1" || last == "b2" || last == "W1", last);
}

TEST(a_term_of_a_product_names_both_its_factors) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}, {"dtype", "fp64"}});
    r.iterate(true);
    const Why forward = why(*r.run, *r.run, 0, "a1·W2", {2, 1});
    REQUIRE(forward.chain.size() > 1);
    const WhyLink& term = forward.chain[1];
    CHECK_EQUAL(term.tensor, std::string("a1"));
    CHECK_EQUAL(term.partner, std::string("W2"));
    CHECK(term.element[0] == 2 && term.partner_element == std::vector<Dim>({term.element[1], 1}));
    CHECK_EQUAL(term.part, term.value * term.partner_value);
    const Why back = why(*r.run, *r.run, 0, "dW2", {3, 1}); // dW2 = a1ᵀ · dz2: both were computed
    REQUIRE(back.chain.size() > 1);
    CHECK(back.chain[1].element[0] == back.chain[1].partner_element[0]); // the same example
}

TEST(a_nan_that_somebody_set_is_found) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    for (int i = 0; i < 3; ++i) r.iterate(true);
    Edit edit = Edit::parse("W2[3, 1] = 0");
    edit.values = {NAN};
    r.process->apply(edit, 3);
    r.writer->log_edit(edit, 3);
    r.iterate(true);
    r.iterate(true);
    const Why found = why(*r.run, *r.run, 3, "loss", {});
    CHECK(found.broken && found.end == Why::End::edited && !found.origin && !found.earlier);
    CHECK_EQUAL(found.chain.back().tensor, std::string("W2"));
    CHECK_EQUAL(found.chain.back().element, std::vector<Dim>({3, 1}));
    for (const WhyLink& link : found.chain) CHECK(!std::isfinite(link.value), link.tensor);
    REQUIRE(found.first.has_value());
    CHECK(found.first->tensor == "W2" && found.first->element == std::vector<Dim>({3, 1}) && found.first->ordinal == -1);
    const Why later = why(*r.run, *r.run, 4, "loss", {}); // the update has spread it
    CHECK(later.broken && later.end == Why::End::began && later.earlier == std::optional<StepIndex>(3));
    CHECK(!first_not_finite(*r.run, 2).has_value());
}

TEST(numbers_that_grew_too_large_are_walked_back_to_the_op_that_overflowed) {
    Recording r({{"data", "spirals"}, {"layers", "2,8,2"}, {"batch", "32"}, {"activation", "relu"}});
    r.iterate(true);
    r.edit("lr = 1e30");
    StepIndex broke = -1;
    for (int i = 0; i < 12 && broke < 0; ++i) {
        r.iterate(true);
        if (r.process->not_finite()) broke = r.run->head() - 1;
    }
    REQUIRE(broke > 0);
    Why found = why(*r.run, *r.run, broke, "loss", {});
    CHECK(found.broken);
    for (int hops = 0; found.earlier && hops < 12; ++hops) {
        const WhyLink last = found.chain.back();
        found = why(*r.run, *r.run, *found.earlier, last.tensor, last.element);
        CHECK(found.broken && !std::isfinite(found.chain.front().value));
    }
    REQUIRE(found.origin.has_value());
    REQUIRE(*found.origin + 1 < found.chain.size());
    for (std::size_t i = 0; i < found.chain.size(); ++i)
        CHECK_EQUAL(!std::isfinite(found.chain[i].value), i <= *found.origin);
    REQUIRE(found.first.has_value());
    CHECK(found.first->ordinal >= 0 && found.first->ordinal <= found.chain[*found.origin].ordinal);
}

TEST(a_question_without_a_place_is_refused) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    r.iterate(false);
    CHECK_THROWS(why(*r.run, *r.run, 0, "W9", {}), ArgumentError, "W9");
    CHECK_THROWS(why(*r.run, *r.run, 0, "W1", {0, 99}), ArgumentError, "2×5");
    CHECK_THROWS(why(*r.run, *r.run, 0, "W1", {0}), ArgumentError, "2×5");
    CHECK_THROWS(why(*r.run, *r.run, 1, "loss", {}), ArgumentError, "not kept");
    const Why whole = why(*r.run, *r.run, 0, "dW1", {}); // of a tensor, its largest
    const Tensor tensor = r.run->tensors_of(0)->find("dW1")->tensor;
    for (Dim i = 0; i < tensor.elements(); ++i) CHECK(std::abs(tensor.at(i)) <= std::abs(whole.chain.front().value));
    CHECK(link_to(whole, "dz1") != nullptr || link_to(whole, "x") != nullptr);
}

// A view shows a parameter as the step began with it; where that came from is the step before.
TEST(what_a_step_began_with_came_from_the_one_before) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    for (int i = 0; i < 3; ++i) r.iterate(true);
    const double left = r.run->tensors_of(1)->find("W1")->tensor.at(1, 2);
    const Why begun = why(*r.run, *r.run, 2, "W1", {1, 2}, true);
    CHECK_EQUAL(begun.chain.size(), 1u);
    CHECK_EQUAL(begun.chain.front().value, left);
    CHECK(begun.end == Why::End::began && begun.earlier == StepIndex{1});
    const Why made = why(*r.run, *r.run, 1, "W1", {1, 2});
    CHECK_EQUAL(made.chain.front().value, left);
    CHECK_EQUAL(made.chain.front().op, std::string("sgd"));
    CHECK(!why(*r.run, *r.run, 0, "W1", {1, 2}, true).earlier, "the start has no step before it");
    CHECK_EQUAL(why(*r.run, *r.run, 2, "z1", {0, 0}, true).chain.front().value, r.run->tensors_of(2)->find("z1")->tensor.at(0, 0));
}
