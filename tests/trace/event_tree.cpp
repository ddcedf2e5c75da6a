#include "engine/trace/derive/event_tree.hpp"

#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
const Parameters small{{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "4"}};
}

TEST(event_tree_holds_every_event_of_an_iteration) {
    Recording r(small, 10);
    r.iterate(true);
    const EventTree tree(*r.run);
    const auto events = r.run->events_of(0);
    std::size_t held = 0;
    for (const EventRecord& event : events) {
        if (r.run->sites()[static_cast<std::size_t>(event.site)].ordinal < 0) continue; // an evaluation, now and then
        ++held;
        const EventSite* site = tree.find(event.ordinal);
        REQUIRE(site != nullptr);
        CHECK(site == &r.run->sites()[static_cast<std::size_t>(event.site)]);
    }
    CHECK_EQUAL(tree.events().size(), held);
    CHECK(tree.find(-1) == nullptr && tree.find(10'000) == nullptr && tree.find("no/such") == nullptr);
}

TEST(event_tree_steps_along_a_level_and_back) {
    Recording r(small, 10);
    r.iterate(true);
    const EventTree tree(*r.run);
    for (const Level level : {Level::phase, Level::module, Level::op}) {
        const EventSite* site = tree.first_inside(0, level);
        std::vector<std::int32_t> there, back;
        for (; site; site = tree.step(site->ordinal, level, 1)) there.push_back(site->ordinal);
        for (site = tree.last(level); site; site = tree.step(site->ordinal, level, -1)) back.push_back(site->ordinal);
        CHECK(there.size() > 2);
        CHECK(there == std::vector<std::int32_t>(back.rbegin(), back.rend()));
    }
}

TEST(event_tree_knows_what_holds_what) {
    Recording r(small, 10);
    r.iterate(true);
    const EventTree tree(*r.run);
    const EventSite* op = tree.find("forward/layer2/matmul");
    REQUIRE(op != nullptr);
    CHECK_EQUAL(op->name, std::string("matmul"));
    CHECK_EQUAL(tree.enclosing(op->ordinal, Level::module)->path, std::string("forward/layer2"));
    CHECK_EQUAL(tree.enclosing(op->ordinal, Level::phase)->path, std::string("forward"));
    CHECK(tree.enclosing(tree.find("forward")->ordinal, Level::op) == nullptr);
    CHECK(tree.first_inside(tree.find("forward/layer2")->ordinal, Level::op) == op);
    const auto path = tree.path(op->ordinal);
    REQUIRE(path.size() == 4);
    CHECK(path[0]->level == Level::iteration && path[1]->level == Level::phase && path[2]->level == Level::module && path[3] == op);
}
