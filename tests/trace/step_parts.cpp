#include "engine/trace/derive/step_parts.hpp"

#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<std::string> names{"data", "", "forward", "forward/loss", "backward", "update"};

double seconds_of(const Run& run, StepIndex iteration, std::string_view path) {
    for (const EventRecord& event : run.events_of(iteration))
        if (run.sites()[static_cast<std::size_t>(event.site)].path == path) return run.manifest().clock.seconds(event.start, event.end);
    throw std::runtime_error("no such event");
}

} // namespace

TEST(an_event_belongs_to_the_longest_name) {
    const struct {
        const char* path;
        int part;
    } rows[] = {{"forward", 2}, {"forward/layer1/matmul x·W1", 2}, {"forward/loss", 3}, {"forward/loss/accuracy accuracy", 3},
                {"forward/losses", 2}, {"forwards", -1}, {"", -1}, {"evaluate", -1}, {"update/sgd W1", 5}};
    for (const auto& row : rows) CHECK_EQUAL(part_of(row.path, names), row.part);
}

TEST(parts_of_a_step_add_up) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    r.iterate(false);
    const auto parts = step_parts(*r.run, nullptr, 0, names);
    REQUIRE(parts.size() == names.size());
    CHECK_EQUAL(parts[1].ordinal, -1); // an empty name holds nothing
    CHECK(!parts[1].seconds && parts[1].flops == 0);
    double flops = 0;
    for (std::size_t i = 0; i < r.run->sites().size(); ++i)
        if (r.run->sites()[i].level == Level::op && r.run->sites()[i].ordinal >= 0) flops += r.run->sites()[i].cost.flops;
    double sum = 0, whole = 0;
    for (const StepPart& part : parts) sum += part.flops;
    CHECK_EQUAL(sum, flops);
    for (const char* phase : {"data", "forward", "backward", "update"}) whole += seconds_of(*r.run, 0, phase);
    double time = 0;
    for (const StepPart& part : parts) time += part.seconds.value_or(0);
    CHECK_ERROR(std::abs(time - whole), 1e-12 * whole, "the parts' times are the phases'");
    CHECK_ERROR(std::abs(*parts[3].seconds - seconds_of(*r.run, 0, "forward/loss")), 1e-12 * whole, "the loss has its own");
    CHECK_ERROR(std::abs(*parts[2].seconds + *parts[3].seconds - seconds_of(*r.run, 0, "forward")), 1e-12 * whole, "forward has the rest");
    CHECK(parts[0].ordinal < parts[2].ordinal && parts[2].ordinal < parts[3].ordinal && parts[3].ordinal < parts[4].ordinal);
    // Of an iteration that was not observed there is no time, unless it was computed again.
    CHECK(!step_parts(*r.run, nullptr, 1, names)[2].seconds);
    Recording again({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    again.iterate(true);
    again.iterate(true);
    const auto other = step_parts(*r.run, again.run.get(), 1, names);
    CHECK(other[2].seconds && other[2].again);
    CHECK(!step_parts(*r.run, again.run.get(), 0, names)[2].again); // its own time is there
}

TEST(a_part_that_is_left_out_has_no_event) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}, {"omit", "step"}});
    r.iterate(true);
    const auto parts = step_parts(*r.run, nullptr, 0, names);
    CHECK(parts[4].ordinal >= 0 && parts[4].seconds);
    CHECK(parts[5].ordinal == -1 && !parts[5].seconds && parts[5].flops == 0);
}

/// What happened before the fork took the time that the parent says.
TEST(a_fork_has_its_parents_times) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    r.iterate(true);
    const auto parent = r.run;
    r.start(parent, 2);
    r.iterate(true);
    const auto before = step_parts(*parent, nullptr, 1, names), after = step_parts(*r.run, nullptr, 1, names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(before[i].seconds == after[i].seconds);
        CHECK_EQUAL(before[i].ordinal, after[i].ordinal);
    }
    CHECK(step_parts(*r.run, nullptr, 2, names)[4].seconds.has_value());
}
