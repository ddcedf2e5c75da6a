#include "engine/trace/derive/step_parts.hpp"

#include <map>

namespace gradus {

namespace {

/// Whether the path is this phase/module/op or lies in it: "forward/layer1" holds "forward/layer1/matmul x·W1", not
/// "forward/layer10".
bool holds(std::string_view name, std::string_view path) {
    return !name.empty() && path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '/' || path[name.size()] == ' ');
}

/// Adds the times of the iteration's events to the parts; false where there are none.
bool add_times(const Run& run, StepIndex iteration, std::span<const std::string> names, std::vector<StepPart>& parts) {
    const std::vector<EventRecord> events = run.events_of(iteration);
    const ClockScale& clock = run.manifest().clock;
    std::map<std::int32_t, int> part_at; // by ordinal
    for (const EventRecord& event : events)
        part_at[event.ordinal] = part_of(run.sites()[static_cast<std::size_t>(event.site)].path, names);
    for (const EventRecord& event : events) {
        const double seconds = clock.seconds(event.start, event.end);
        const auto add = [&](int part, double more) {
            if (part < 0) return;
            std::optional<double>& sum = parts[static_cast<std::size_t>(part)].seconds;
            sum = sum.value_or(0) + more;
        };
        add(part_at[event.ordinal], seconds);
        const auto around = part_at.find(run.sites()[static_cast<std::size_t>(event.site)].parent);
        if (around != part_at.end()) add(around->second, -seconds);
    }
    return !events.empty();
}

} // namespace

int part_of(std::string_view path, std::span<const std::string> names) {
    int found = -1;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (holds(names[i], path) && (found < 0 || names[i].size() > names[static_cast<std::size_t>(found)].size())) found = static_cast<int>(i);
    return found;
}

std::vector<StepPart> step_parts(const Run& run, const Run* full, StepIndex iteration, std::span<const std::string> names) {
    std::vector<StepPart> parts(names.size());
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        const int at = site.ordinal < 0 ? -1 : part_of(site.path, names);
        if (at < 0) continue;
        StepPart& part = parts[static_cast<std::size_t>(at)];
        if (part.ordinal < 0 || site.ordinal < part.ordinal) part.ordinal = site.ordinal;
        if (site.level == Level::op) part.flops += site.cost.flops;
    }
    const Run* owner = &run; // a fork shares its past
    while (iteration < owner->first_iteration() && owner->parent()) owner = owner->parent().get();
    if (add_times(*owner, iteration, names, parts) || !full || full == owner || !add_times(*full, iteration, names, parts)) return parts;
    for (StepPart& part : parts) part.again = part.seconds.has_value();
    return parts;
}

} // namespace gradus
