#include "engine/simt/index_checks.hpp"

#include <algorithm>

namespace gradus::simt {

namespace {

bool same_read(const PlaceCount& a, const PlaceCount& b) {
    return a.op == Op::read && b.op == Op::read && a.site.path() == b.site.path() && a.bytes == b.bytes && a.range == b.range &&
           a.offset == b.offset && a.steps == b.steps && a.lanes == b.lanes && a.transfers == b.transfers && a.lines == b.lines;
}

} // namespace

void drop_index_checks(LaunchAnswer& answer, const SourcePlaces& places) {
    std::vector<Site> dropped;
    const auto place = [&](const PlaceCount& count) -> decltype(auto) { return places.at(count.site.offset() + answer.text_offset); };
    for (LaunchAnswer::Step& step : answer.steps)
        for (std::size_t i = 0; i < step.counts.size(); ++i)
            for (std::size_t j = step.counts.size() - 1; j > i; --j) {
                if (!same_read(step.counts[i], step.counts[j]) || place(step.counts[i]) != place(step.counts[j])) continue;
                dropped.push_back(step.counts[j].site);
                step.lane_steps -= step.counts[j].steps * warp_size;
                step.counts.erase(step.counts.begin() + static_cast<std::ptrdiff_t>(j));
            }
    if (answer.record)
        std::erase_if(answer.record->steps, [&](const StepRecord::Step& step) {
            return std::find(dropped.begin(), dropped.end(), step.site) != dropped.end();
        });
}

} // namespace gradus::simt
