#include "engine/trace/derive/event_tree.hpp"

#include "engine/trace/derive/launch_sites.hpp"
#include "engine/trace/tape_trace.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace gradus {

EventTree::EventTree(const Run& run) { take(run, {}); }

void EventTree::take(const Run& run, const std::vector<bool>& left_out) {
    // Setup's events count from 0 too, but they hang from no iteration.
    std::vector<const EventSite*> sites;
    for (std::size_t i = 0; i < run.sites().size(); ++i)
        if (run.sites()[i].ordinal >= 0 && (i >= left_out.size() || !left_out[i])) sites.push_back(&run.sites()[i]);
    std::stable_sort(sites.begin(), sites.end(),
                     [](const EventSite* a, const EventSite* b) { return a->ordinal < b->ordinal; });
    std::set<std::int32_t> held;
    for (const EventSite* site : sites) {
        const bool root = site->level == Level::iteration;
        if (!root && !held.contains(site->parent)) continue;
        if (held.insert(site->ordinal).second) events_.push_back(site);
    }
}

EventTree::EventTree(const Run& run, StepIndex iteration) : EventTree(run, iteration, run.tensors_of(iteration)) {}

EventTree::EventTree(const Run& run, StepIndex iteration, const std::shared_ptr<const IterationTensors>& tensors) {
    take(run, foreign_launches(run, iteration));
    const EventSite* first = step(-1, Level::kernel, 1);
    constexpr std::int32_t most = first_kernel_ordinal; // of the first launch; the ordinals of all launches, 2³⁰ of them, come after it
    if (!tensors || !tensors->kernels || !first || first->ordinal > most) return;
    const std::size_t slash = first->path.rfind('/');
    kernels_ = std::make_shared<KernelEvents>(tensors->kernels, first->ordinal, first->path.substr(0, slash == std::string::npos ? 0 : slash));
}

const EventSite* EventTree::find(std::int32_t ordinal) const {
    const auto at = std::lower_bound(events_.begin(), events_.end(), ordinal,
                                     [](const EventSite* site, std::int32_t wanted) { return site->ordinal < wanted; });
    if (at != events_.end() && (*at)->ordinal == ordinal) return *at;
    return kernels_ ? kernels_->find(ordinal) : nullptr;
}

const EventSite* EventTree::find(std::string_view path) const {
    if (const std::size_t bar = path.find(" | "); bar != std::string_view::npos) {
        const EventSite* first = find(path.substr(0, bar));
        return first ? first : find(path.substr(bar + 3));
    }
    const EventSite* begins = nullptr;
    for (const EventSite* site : events_) {
        if (site->path == path) return site;
        if (!begins && site->path.starts_with(path)) begins = site;
    }
    return !begins && kernels_ ? kernels_->find(path) : begins;
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
        const EventSite* inside = child != events_.end() ? *child : kernels_ ? kernels_->find(found->ordinal + 1) : nullptr;
        if (!inside || inside->parent != found->ordinal) break;
        found = inside;
    }
    return found;
}

const EventSite* EventTree::step(std::int32_t ordinal, Level level, int by) const {
    if (level > Level::kernel && kernels_) return kernels_->step(ordinal, level, by);
    const EventSite* found = nullptr;
    for (const EventSite* site : events_) {
        if (site->level != level) continue;
        if (by > 0 && site->ordinal > ordinal) return site;
        if (by < 0 && site->ordinal < ordinal) found = site;
    }
    return found;
}

const EventSite* EventTree::last(Level level) const {
    if (level > Level::kernel && kernels_) return kernels_->step(std::numeric_limits<std::int32_t>::max(), level, -1);
    const EventSite* found = nullptr;
    for (const EventSite* site : events_)
        if (site->level == level) found = site;
    return found;
}

} // namespace gradus
