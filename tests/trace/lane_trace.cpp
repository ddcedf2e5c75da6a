#include "engine/trace/lane_trace.hpp"

#include "engine/trace/derive/event_tree.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <set>

using namespace gradus;
using namespace gradus::test;

TEST(lanes_stand_beside_the_engines_events) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}}),
        alone({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    alone.iterate(true);
    const std::size_t own_sites = r.run->sites().size();
    LaneTrace lanes("loader", {"loader 1", "loader 2"}, {{"load", {.bytes_read = 100, .bytes_written = 100}}, {"collate"}});
    lanes.begin(*r.writer, 1);
    CHECK_EQUAL(r.run->sites().size(), own_sites + 4);
    std::set<std::string> paths;
    for (std::size_t i = 0; i < r.run->sites().size(); ++i)
        CHECK(paths.insert(r.run->sites()[i].path).second, r.run->sites()[i].path);

    const Ticks before = now_ticks(); // made ahead, before the iteration began
    const LaneTrace::Event events[] = {
        {1, 0, before, before + 100}, {1, 1, before + 100, before + 150}, {0, 0, before + 20, before + 30}};
    r.writer->begin_iteration(0, true);
    const auto open = r.writer->begin();
    r.writer->end(open, 0);
    lanes.write(*r.writer, events);
    r.writer->end_iteration();
    r.writer->begin_iteration(1, false);
    lanes.write(*r.writer, events);
    r.writer->end_iteration();

    const auto records = r.run->events_of(0);
    REQUIRE(records.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) {
        const EventRecord& record = records[i + 1];
        const EventSite& site = r.run->sites()[static_cast<std::size_t>(record.site)];
        CHECK_EQUAL(record.ordinal, static_cast<std::int32_t>(i + 1)); // after the engine's own, which keep theirs
        CHECK_EQUAL(site.lane, events[i].lane + 1);
        CHECK_EQUAL(site.name, events[i].work == 0 ? "load" : "collate");
        CHECK_EQUAL(site.path, fmt::format("loader/loader {}/{}", events[i].lane + 1, site.name));
        CHECK(site.provenance == Provenance::measured && site.phase == Phase::data && site.level == Level::op);
        CHECK(record.start == events[i].start && record.end == events[i].end);
    }
    CHECK(r.run->events_of(1).empty());
    // Nobody steps onto them: their ordinals vary.
    CHECK_EQUAL(EventTree(*r.run).events().size(), EventTree(*alone.run).events().size());
}
