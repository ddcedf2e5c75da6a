// What an observed training step writes: nested events, constant ordinals, costs that add up, and tensors that are
// what the ops really read and wrote.
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"
#include "tests/trace/recorded.hpp"

#include "engine/core/hash.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

const Parameters whole{{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "0"}, {"dtype", "fp64"}};
const Parameters batches{{"data", "blobs"}, {"layers", "2,5,4,3"}, {"batch", "16"}, {"optimizer", "momentum"}, {"activation", "gelu"}};
const Parameters summing{{"data", "moons"}, {"layers", "2,4,1"}, {"batch", "8"}, {"loss", "bce"}, {"omit", "zero_grad"}};

/// Re-executes every op event of an iteration on the tensors that the Run names as its inputs, and compares the
/// outputs with those that it kept.
enum class Only { all, gather, others };
void check_replay(Recording& r, const Run& run, StepIndex iteration, Only only = Only::others) {
    const Row row(fmt::format("iteration {}", iteration));
    std::map<std::int32_t, const Node*> node_of; // ops come in the order of the tape
    NodeIndex next = 0;
    for (const EventRecord& event : [&] {
             auto events = run.events_of(iteration);
             std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
             return events;
         }()) {
        const EventSite& site = run.sites()[static_cast<std::size_t>(event.site)];
        if (site.level != Level::op) continue;
        REQUIRE(next < static_cast<NodeIndex>(r.process->network().tape().nodes().size()));
        const Node& node = r.process->network().tape().node(next++);
        if (only != Only::all && (site.name == "gather") != (only == Only::gather)) continue;
        const Row named(site.path);
        REQUIRE(site.name == node.op->name && site.inputs.size() == node.inputs.size());
        std::vector<Tensor> inputs;
        for (std::size_t i = 0; i < site.inputs.size(); ++i) {
            const TensorId id = input_of(run, site, i, iteration);
            const TensorAnswer answer = run.tensor(id);
            CHECK(answer.state == TensorAnswer::State::present, fmt::format("input {} {}: {}", i, site.inputs[i].name, answer.reason));
            if (answer.state != TensorAnswer::State::present) return;
            CHECK_EQUAL(answer.tensor.name, site.inputs[i].name);
            inputs.push_back(answer.tensor.tensor);
        }
        std::vector<std::pair<Shape, DType>> outputs;
        for (const OutputInfo& output : site.outputs) outputs.emplace_back(output.shape, output.dtype);
        const std::vector<double> attributes(std::begin(node.call.attributes), std::end(node.call.attributes));
        const auto made = call_kernel(r.process->network().tape().device(), node.op->kernel, inputs, outputs, attributes);
        for (std::size_t i = 0; i < made.size(); ++i) {
            const TensorAnswer kept = run.tensor({{iteration, site.ordinal}, static_cast<std::int32_t>(i)});
            CHECK(kept.state == TensorAnswer::State::present, kept.reason);
            if (kept.state != TensorAnswer::State::present) continue;
            CHECK(same_bits(made[i], kept.tensor.tensor), fmt::format("output {} {}", i, site.outputs[i].name));
        }
    }
    CHECK_EQUAL(next, static_cast<NodeIndex>(r.process->network().tape().nodes().size()));
}

} // namespace

TEST(events_nest_and_keep_their_ordinals) {
    for (const Parameters& parameters : {whole, batches, summing}) {
        Recording r(parameters);
        std::vector<std::pair<std::int32_t, std::int32_t>> first; // ordinal, site
        for (int i = 0; i < 6; ++i) {
            r.iterate(i != 3);
            const auto events = r.run->events_of(i);
            if (i == 3) {
                CHECK(events.empty());
                continue;
            }
            std::map<std::int32_t, EventRecord> by_ordinal;
            std::vector<std::pair<std::int32_t, std::int32_t>> these;
            for (const EventRecord& event : events) {
                CHECK(event.start <= event.end);
                CHECK(by_ordinal.emplace(event.ordinal, event).second, "an ordinal twice");
                these.emplace_back(event.ordinal, event.site);
            }
            if (i == 0) first = these;
            else CHECK(these == first, "ordinals and sites as in iteration 0");
            int roots = 0;
            std::set<std::int32_t> with_children;
            for (const auto& [ordinal, event] : by_ordinal) {
                const EventSite& site = r.run->sites()[static_cast<std::size_t>(event.site)];
                CHECK_EQUAL(site.ordinal, ordinal);
                if (site.parent < 0) {
                    ++roots;
                    CHECK(site.level == Level::iteration);
                    continue;
                }
                with_children.insert(site.parent);
                REQUIRE(by_ordinal.contains(site.parent));
                const EventRecord& parent = by_ordinal.at(site.parent);
                const EventSite& parent_site = r.run->sites()[static_cast<std::size_t>(parent.site)];
                CHECK(parent.ordinal < ordinal && parent.start <= event.start && event.end <= parent.end);
                CHECK_EQUAL(static_cast<int>(parent_site.level) + 1, static_cast<int>(site.level));
                CHECK(site.phase == parent_site.phase || parent_site.level == Level::iteration);
            }
            CHECK_EQUAL(roots, 1);
            for (const auto& [ordinal, event] : by_ordinal)
                CHECK_EQUAL(r.run->sites()[static_cast<std::size_t>(event.site)].level != Level::op, with_children.contains(ordinal));
        }
        CHECK_EQUAL(first.size(), r.run->find_observed(0)->event_count);
        CHECK_EQUAL(r.run->observed().size(), 6u); // setup and five
    }
}

TEST(costs_of_outer_events_are_the_sums_of_inner_ones) {
    Recording r(batches);
    std::map<std::int32_t, Cost> sums;
    std::map<std::int32_t, const EventSite*> sites;
    double products = 0;
    for (std::size_t i = 0; i < r.run->sites().size(); ++i) {
        const EventSite& site = r.run->sites()[i];
        if (site.module == "setup" || site.phase == Phase::evaluate) continue;
        sites[site.ordinal] = &site;
        if (site.parent < 0) continue;
        sums[site.parent].flops += site.cost.flops;
        sums[site.parent].bytes_read += site.cost.bytes_read;
        sums[site.parent].bytes_written += site.cost.bytes_written;
        if (site.name == "matmul" && site.phase == Phase::forward) products += site.cost.flops;
    }
    CHECK(sums.size() > 5);
    for (const auto& [ordinal, sum] : sums) {
        CHECK_EQUAL(sites.at(ordinal)->cost.flops, sum.flops);
        CHECK_EQUAL(sites.at(ordinal)->cost.bytes_read, sum.bytes_read);
        CHECK_EQUAL(sites.at(ordinal)->cost.bytes_written, sum.bytes_written);
    }
    CHECK_EQUAL(products, 2.0 * 16 * (2 * 5 + 5 * 4 + 4 * 3));
    CHECK(sites.at(0)->level == Level::iteration && sites.at(0)->cost.flops > 3 * products);
}

TEST(backward_events_name_what_they_differentiate) {
    Recording r(whole);
    std::map<std::int32_t, const EventSite*> sites;
    int backward = 0;
    for (std::size_t i = 0; i < r.run->sites().size(); ++i)
        if (r.run->sites()[i].module != "setup") sites[r.run->sites()[i].ordinal] = &r.run->sites()[i];
    for (const auto& [ordinal, site] : sites) {
        if (site->level != Level::op || site->phase != Phase::backward) continue;
        ++backward;
        REQUIRE(sites.contains(site->forward));
        CHECK(sites.at(site->forward)->phase == Phase::forward);
        CHECK(!site->formula.empty() && !site->implementation.empty());
    }
    CHECK(backward >= 6);
}

TEST(recorded_inputs_give_the_recorded_outputs) {
    for (const auto& [name, parameters] : {std::pair{"whole", whole}, {"batches", batches}, {"summing", summing}}) {
        const Row row(name);
        Recording r(parameters);
        for (const bool observe : {true, true, false, false, true, true}) {
            r.iterate(observe);
            if (observe) check_replay(r, *r.run, r.run->head() - 1);
        }
    }
}

// The rows of a batch are among the inputs of its gather: the index must be the one of that iteration.
TEST(recorded_batches_hold_the_rows_that_were_read) {
    for (const auto& [name, parameters] : {std::pair{"batches", batches}, {"summing", summing}}) {
        const Row row(name);
        Recording r(parameters);
        for (const bool observe : {true, false, true}) {
            r.iterate(observe);
            if (observe) check_replay(r, *r.run, r.run->head() - 1, Only::gather);
        }
    }
}

TEST(recorded_inputs_follow_edits_and_forks) {
    for (const auto& [name, parameters] : {std::pair{"whole", whole}, {"batches", batches}}) {
        const Row row(name);
        Recording r(parameters);
        r.edit("W1[0, 1] = 0.25"); // before iteration 0
        r.edit("point 1 = 0.5, 0.5");
        r.iterate(true);
        check_replay(r, *r.run, 0);
        r.iterate(true);
        check_replay(r, *r.run, 1);
        r.iterate(false);
        r.edit("W1[0, 0] = 2");
        r.edit("b1[1] = -1");
        r.edit("lr = 0.3");
        r.iterate(true);
        check_replay(r, *r.run, 3);
        r.iterate(true); // what was edited is what the update wrote again
        check_replay(r, *r.run, 4);
        // a fork at 2, where the parent was not observed, and at 4, where it was
        const auto parent = r.run;
        for (const StepIndex at : {2, 4}) {
            const Row fork(fmt::format("fork at {}", at));
            Recording f(parameters);
            f.edit("W1[0, 1] = 0.25");
            f.edit("point 1 = 0.5, 0.5");
            for (StepIndex i = 0; i < at; ++i) {
                if (i == 3) {
                    f.edit("W1[0, 0] = 2");
                    f.edit("b1[1] = -1");
                    f.edit("lr = 0.3");
                }
                f.iterate(true);
            }
            f.start(parent, at);
            f.edit("W2[0, 0] = 0.125");
            f.iterate(true);
            check_replay(f, *f.run, at);
            f.iterate(true);
            check_replay(f, *f.run, at + 1);
        }
    }
}

TEST(snapshots_keep_their_bits_while_training_goes_on) {
    Recording r(batches);
    std::vector<std::shared_ptr<const IterationTensors>> kept;
    std::vector<std::vector<std::uint64_t>> hashes;
    for (int i = 0; i < 30; ++i) {
        r.iterate(i % 3 == 0);
        if (i % 3 != 0) continue;
        kept.push_back(r.run->tensors_of(i));
        REQUIRE(kept.back() != nullptr);
        hashes.emplace_back();
        for (const RecordedTensor& tensor : kept.back()->tensors) hashes.back().push_back(hash_tensor(tensor.tensor));
    }
    const auto checkpoint = r.process->checkpoint(30);
    std::vector<std::uint64_t> state;
    for (const auto& [name, tensor] : checkpoint->tensors) state.push_back(hash_tensor(tensor));
    for (int i = 0; i < 40; ++i) r.iterate(i % 2 == 0);
    for (std::size_t i = 0; i < kept.size(); ++i)
        for (std::size_t j = 0; j < hashes[i].size(); ++j)
            CHECK_EQUAL(hash_tensor(kept[i]->tensors[j].tensor), hashes[i][j]);
    for (std::size_t i = 0; i < state.size(); ++i) CHECK_EQUAL(hash_tensor(checkpoint->tensors[i].second), state[i]);
    // and the state that an observed iteration began with is what the one before left
    for (StepIndex i = 30; i + 2 < 70; i += 2) {
        const RecordedTensor* begun = r.run->tensors_of(i)->find("W1");
        REQUIRE(begun != nullptr);
        CHECK(begun->id.event.iteration == i); // the last written of this name
    }
}

TEST(observing_changes_no_number) {
    for (const Parameters& parameters : {whole, batches, summing}) {
        Recording all(parameters), none(parameters);
        for (int i = 0; i < 20; ++i) {
            all.iterate(true);
            none.iterate(false);
        }
        for (StepIndex i = 0; i < 20; ++i)
            CHECK_EQUAL(*all.run->value_at("loss", i), *none.run->value_at("loss", i));
        const auto a = all.process->checkpoint(20), b = none.process->checkpoint(20);
        for (std::size_t i = 0; i < a->tensors.size(); ++i) CHECK(same_bits(a->tensors[i].second, b->tensors[i].second));
    }
}

TEST(checkpoints_restore_the_whole_state) {
    for (const Parameters& parameters : {whole, batches, summing}) {
        Recording r(parameters);
        for (int i = 0; i < 7; ++i) r.iterate(false);
        if (parameters.at("data") != "moons") r.edit("lr = 0.02");
        const auto checkpoint = r.process->checkpoint(7);
        std::vector<double> losses;
        for (int i = 0; i < 9; ++i) {
            r.iterate(false);
            losses.push_back(*r.run->value_at("loss", 7 + i));
        }
        Recording other(parameters);
        other.process->restore(*checkpoint);
        for (int i = 0; i < 9; ++i) {
            other.process->replay(7 + i);
            CHECK_EQUAL(other.process->network().loss(), losses[static_cast<std::size_t>(i)]);
        }
    }
}
