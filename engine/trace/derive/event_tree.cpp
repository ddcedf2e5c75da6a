#include "engine/trace/derive/event_tree.hpp"

#include <algorithm>
#include <set>

namespace gradus {

EventTree::EventTree(const Run& run) {
    // Setup's events count from 0 too, but they hang from no iteration.
    std::vector<const EventSite*> sites;
    for (std::size_t i = 0; i < run.sites().size(); ++i)
        if (run.sites()[i].ordinal >= 0) sites.push_back(&run.sites()[i]);
    std::stable_sort(sites.begin(), sites.end(),
                     [](const EventSite* a, const EventSite* b) { return a->ordinal < b->ordinal; });
    std::set<std::int32_t> held;
    for (const EventSite* site : sites) {
        const bool root = site->level == Level::iteration;
        if (!root && !held.contains(site->parent)) continue;
        if (held.insert(site->ordinal).second) events_.push_back(site);
    }
}

const EventSite* EventTree::find(std::int32_t ordinal) const {
    const auto at = std::lower_bound(events_.begin(), events_.end(), ordinal,
                                     [](const EventSite* site, std::int32_t wanted) { return site->ordinal < wanted; });
    return at != events_.end() && (*at)->ordinal == ordinal ? *at : nullptr;
}

const EventSite* EventTree::find(std::string_view path) const {
    const EventSite* begins = nullptr;
    for (const EventSite* site : events_) {
        if (site->path == path) return site;
        if (!begins && site->path.starts_with(path)) begins = site;
    }
    return begins;
}

std::vector<const EventSite*> EventTree::path(std::int32_t ordinal) const {
    std::vector<const EventSite*> out;
    for (const EventSite* site = find(ordinal); site; site = site->parent >= 0 ? find(site->parent) : nullptr)
        out.insert(out.begin(), site);
    return out;
}

const EventSite* EventTree::enclosing(std::int32_t ordinal, Level level) const {
    for (const EventSite* site : path(ordinal))
        if (site->level == level) return site;
    return nullptr;
}

const EventSite* EventTree::first_inside(std::int32_t ordinal, Level level) const {
    const EventSite* found = find(ordinal);
    while (found && found->level < level) {
        const auto child = std::find_if(events_.begin(), events_.end(),
                                        [&](const EventSite* site) { return site->parent == found->ordinal; });
        if (child == events_.end()) break;
        found = *child;
    }
    return found;
}

const EventSite* EventTree::step(std::int32_t ordinal, Level level, int by) const {
    const EventSite* found = nullptr;
    for (const EventSite* site : events_) {
        if (site->level != level) continue;
        if (by > 0 && site->ordinal > ordinal) return site;
        if (by < 0 && site->ordinal < ordinal) found = site;
    }
    return found;
}

const EventSite* EventTree::last(Level level) const {
    const EventSite* found = nullptr;
    for (const EventSite* site : events_)
        if (site->level == level) found = site;
    return found;
}

} // namespace gradus
