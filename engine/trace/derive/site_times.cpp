#include "engine/trace/derive/site_times.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

namespace gradus {

namespace {

double percentile(std::vector<float>& samples, double share) {
    const auto at = samples.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size() - 1) + 0.5);
    std::nth_element(samples.begin(), at, samples.end());
    return static_cast<double>(*at);
}

} // namespace

void SiteTimes::start(const std::shared_ptr<const Run>& run) {
    run_ = run;
    sources_.clear();
    rows_.clear();
    iterations_ = evicted_ = 0;
    StepIndex until = std::numeric_limits<StepIndex>::max();
    for (std::shared_ptr<const Run> at = run; at; at = at->parent()) {
        sources_.insert(sources_.begin(), Source{at, until, 0, {}});
        until = std::min(until, at->first_iteration());
    }
}

bool SiteTimes::grow(const std::shared_ptr<const Run>& run, std::size_t most) {
    if (!run) return true;
    if (run != run_) start(run);
    rows_.resize(run->sites().size());
    std::size_t read = 0;
    for (Source& source : sources_) {
        for (; source.next < source.run->observed().size(); ++source.next) {
            if (read >= std::max<std::size_t>(1, most)) return false;
            const ObservedIteration observed = source.run->observed()[source.next];
            if (observed.iteration < 0) continue; // setup
            if (observed.iteration >= source.until) break;
            read += 8 + take(source, observed); // a look at what is gone costs something, too
        }
    }
    return true;
}

std::size_t SiteTimes::take(Source& source, const ObservedIteration& observed) {
    const Run& from = *source.run;
    if (source.site.size() != from.sites().size()) {
        std::map<std::string_view, std::int32_t> known; // a path is unique within a Run
        for (std::size_t i = 0; i < rows_.size(); ++i) known[run_->sites()[i].path] = static_cast<std::int32_t>(i);
        source.site.assign(from.sites().size(), -1);
        for (std::size_t i = 0; i < source.site.size(); ++i)
            if (const auto found = known.find(from.sites()[i].path); found != known.end()) source.site[i] = found->second;
    }
    const std::vector<EventRecord> events = from.events(observed.first_event, observed.event_count);
    if (events.size() != observed.event_count || events.empty()) {
        ++evicted_;
        return 0;
    }
    ++iterations_;
    double whole = 0;
    for (const EventRecord& event : events)
        if (from.sites()[static_cast<std::size_t>(event.site)].level == Level::iteration) whole = from.manifest().clock.seconds(event.start, event.end);
    for (const EventRecord& event : events) {
        const auto site = static_cast<std::size_t>(event.site);
        if (site >= source.site.size() || source.site[site] < 0) continue;
        add(rows_[static_cast<std::size_t>(source.site[site])], from.manifest().clock.seconds(event.start, event.end), whole);
    }
    return events.size();
}

void SiteTimes::add(Row& row, double seconds, double whole) const {
    const std::size_t most = std::clamp<std::size_t>((std::size_t{1} << 20) / std::max<std::size_t>(1, rows_.size()), 16, 1024);
    if (row.count % row.stride == 0) {
        if (row.samples.size() >= most) { // keep every second one: they stay evenly spaced
            for (std::vector<float>* kept : {&row.samples, &row.shares}) {
                for (std::size_t i = 0; 2 * i < kept->size(); ++i) (*kept)[i] = (*kept)[2 * i];
                kept->resize((kept->size() + 1) / 2);
            }
            row.stride *= 2;
        }
        if (row.count % row.stride == 0) {
            row.samples.push_back(static_cast<float>(seconds));
            row.shares.push_back(static_cast<float>(whole > 0 ? seconds / whole : 0));
        }
    }
    ++row.count;
    row.total += seconds;
}

std::optional<SiteTime> SiteTimes::of(std::int32_t site) const {
    if (site < 0 || static_cast<std::size_t>(site) >= rows_.size()) return std::nullopt;
    const Row& row = rows_[static_cast<std::size_t>(site)];
    if (row.samples.empty()) return std::nullopt;
    std::vector<float> samples = row.samples;
    return SiteTime{row.count, row.total, percentile(samples, 0.5), percentile(samples, 0.1), percentile(samples, 0.9)};
}

double SiteTimes::median(std::int32_t site) const {
    if (site < 0 || static_cast<std::size_t>(site) >= rows_.size()) return 0;
    std::vector<float> samples = rows_[static_cast<std::size_t>(site)].samples;
    return samples.empty() ? 0 : percentile(samples, 0.5);
}

double SiteTimes::median_share(std::int32_t site) const {
    if (site < 0 || static_cast<std::size_t>(site) >= rows_.size()) return 0;
    std::vector<float> shares = rows_[static_cast<std::size_t>(site)].shares;
    return shares.empty() ? 0 : percentile(shares, 0.5);
}

} // namespace gradus
